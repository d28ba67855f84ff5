import type { HttpsOptions } from '../http/listener.js';
import type { StartOptions } from '../cli/option-table.js';
import { distrustNote } from '../cli/start-note.js';

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
