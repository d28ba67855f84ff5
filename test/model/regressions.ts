import type { Step } from './commands/index.js';

/** Lists of commands that once told the sandbox and the model apart, shrunk, with what they found. */
export const REGRESSIONS: readonly { readonly found: string; readonly steps: readonly Step[] }[] = [];
