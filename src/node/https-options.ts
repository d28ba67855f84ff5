import type { HttpsOptions } from './door.js';
import type { StartOptions } from './options.js';
import { distrustNote } from './start-note.js';

/** What `serve` is told for --https; `say` takes whole lines for the user. */
export function httpsOptions(
  { tlsDir, allowedHosts, quiet }: StartOptions,
  say: (line: string) => void,
): HttpsOptions {
  return {
    names: allowedHosts,
    ...(tlsDir === null ? {} : { dir: tlsDir }),
    ...(quiet ? {} : { onDistrust: (authority) => say(distrustNote(authority)) }),
  };
}
