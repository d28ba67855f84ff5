import type { Keyring } from '../state/keyring.js';
import type { Again } from '../state/wire.js';
import { homeOf } from '../../home.js';
import { shellQuoted } from '../../shell-quote.js';

/** Commands read the key from the environment, so that copies of them do not contain it. */
const KEY = '"x-secretkey: $PLAYMONEY_KEY"';

export function curlOf({ Method, Path, Query, Headers, Body }: Again): string {
  const address = `${homeOf()}${escaped(Path)}${Query === '' ? '' : `?${Query}`}`;
  const verb = Method === (Body === null ? 'GET' : 'POST') ? '' : ` -X ${Method}`;
  const headers = Object.entries(Headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`);
  const data = Body === null ? [] : [`-d ${shellQuoted(JSON.stringify(Body))}`];
  return [`curl -s${verb} ${shellQuoted(address)}`, `-H ${KEY}`, ...headers, ...data].join(' \\\n  ');
}

export interface FirstCall {
  readonly path: string;
  readonly body: object;
}

export function firstCall({ key, world }: Pick<Keyring, 'key' | 'world'>, { path, body }: FirstCall): string {
  const headers = { 'content-type': 'application/json' };
  const sent: Again = { Method: 'POST', Path: path, Query: '', Headers: headers, Body: body };
  const known = world === null ? shellQuoted(key) : `… # the key of the world ${world}`;
  return `export PLAYMONEY_KEY=${known}\n${curlOf(sent)}`;
}

/** Encodes a path, which the journal stores decoded. */
function escaped(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run));
}
