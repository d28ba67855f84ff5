import type { FirstCall } from './columns.js';
import type { Again } from './wire.js';

/** Where the shell finds the key: it is not copied about. */
const KEY = '"x-secretkey: $PLAYMONEY_KEY"';

/** A call as a command to paste into a shell. */
export function curlOf({ Method, Path, Query, Headers, Body }: Again): string {
  const address = `${location.origin}${escaped(Path)}${Query === '' ? '' : `?${Query}`}`;
  const verb = Method === (Body === null ? 'GET' : 'POST') ? '' : ` -X ${Method}`;
  const headers = Object.entries(Headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const data = Body === null ? [] : [`-d ${quoted(JSON.stringify(Body))}`];
  return [`curl -s${verb} ${quoted(address)}`, `-H ${KEY}`, ...headers, ...data].join(' \\\n  ');
}

/** A call of one's own to begin with, with the key that the page looks on with. */
export function firstCall(key: string, { path, body }: FirstCall): string {
  const headers = { 'content-type': 'application/json' };
  const sent: Again = { Method: 'POST', Path: path, Query: '', Headers: headers, Body: body };
  return `export PLAYMONEY_KEY=${quoted(key)}\n${curlOf(sent)}`;
}

/** A text as one word of a shell, whatever stands in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The journal keeps paths decoded. */
function escaped(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run));
}
