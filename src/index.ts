import type { Host } from './core/host.js';
import type { HttpsOptions } from './node/door.js';
import type { Post, Posted } from './core/post.js';
import { NODE_HOST } from './node/host.js';
import { folderLibrary } from './node/library.js';
import { type Listening, serve as serveOn, type ServeOptions } from './node/serve.js';
import { createSandbox as createSandboxOn, type Sandbox, type SandboxOptions } from './sandbox.js';

export type { Host, HttpsOptions, Listening, Post, Posted, Sandbox, SandboxOptions, ServeOptions };

/**
 * Creates a sandbox, by default with the wall clock and timers of Node. Its `fetch` answers requests within
 * the process; `serve` opens a port for it.
 */
export function createSandbox(options: SandboxOptions & { readonly host?: Host } = {}): Sandbox {
  const { host = NODE_HOST, ...rest } = options;
  return createSandboxOn(host, { library: folderLibrary(), ...rest });
}

/**
 * Serves a sandbox over HTTP or HTTPS, by default on a free port of 127.0.0.1. Rejects with the socket's error, such as
 * EADDRINUSE.
 */
export function serve(sandbox: Sandbox, options: Partial<ServeOptions> = {}): Promise<Listening> {
  return serveOn(sandbox, { port: 0, host: '127.0.0.1', ...options });
}
