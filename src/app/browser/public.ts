import type { SandboxOptions } from '../../client/public.js';

/** The options of a sandbox in a browser. All are optional. */
export interface BrowserOptions extends SandboxOptions {
  /** The name of the IndexedDB database that keeps the worlds; null keeps them in memory. Default: `playmoney`. */
  readonly database?: string | null;
}
