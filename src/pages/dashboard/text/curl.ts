import type { FirstCall } from '../ui/columns.js';
import type { Keyring } from '../state/keys.js';
import type { Again } from '../state/wire.js';

/** Commands read the key from the environment, so that copies of them do not contain it. */
const KEY = '"x-secretkey: $PLAYMONEY_KEY"';

/** A call as a command to paste into a shell. */
export function curlOf({ Method, Path, Query, Headers, Body }: Again): string {
  const address = `${location.origin}${escaped(Path)}${Query === '' ? '' : `?${Query}`}`;
  const verb = Method === (Body === null ? 'GET' : 'POST') ? '' : ` -X ${Method}`;
  const headers = Object.entries(Headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const data = Body === null ? [] : [`-d ${quoted(JSON.stringify(Body))}`];
  return [`curl -s${verb} ${quoted(address)}`, `-H ${KEY}`, ...headers, ...data].join(' \\\n  ');
}

/** An example call, with the key of the world that is shown, if it is known. */
export function firstCall({ key, world }: Pick<Keyring, 'key' | 'world'>, { path, body }: FirstCall): string {
  const headers = { 'content-type': 'application/json' };
  const sent: Again = { Method: 'POST', Path: path, Query: '', Headers: headers, Body: body };
  const known = world === null ? quoted(key) : `… # the key of the world ${world}`;
  return `export PLAYMONEY_KEY=${known}\n${curlOf(sent)}`;
}

/** A text, quoted for the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Encodes a path, which the journal stores decoded. */
function escaped(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run));
}
