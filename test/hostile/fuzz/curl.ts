import type { Changed } from './mutation.js';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Bytes as a word of bash. */
function bytesOf(body: Uint8Array): string {
  const text = Buffer.from(body).toString('latin1');
  if (/^[\x20-\x7e]*$/.test(text)) return quoted(text);
  const escaped = text.replaceAll(/[^\x20-\x7e]|['\\]/g, (one) => {
    return `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `$'${escaped}'`;
}

/** A request as a line for a shell. */
export function curlOf({ method, path, headers, body }: Changed, url: string): string {
  const named = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const sent = body === null ? [] : [`--data-binary ${bytesOf(body)}`];
  return ['curl -i --path-as-is', `-X ${method}`, quoted(url + path), ...named, ...sent].join(' ');
}
