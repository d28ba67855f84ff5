import type { IncomingMessage } from 'node:http';

/**
 * node-server resolves the dots in a path, refuses some hosts, and joins headers of which Node takes the first. The app must
 * get them as they were sent, because it refuses such requests itself and says why.
 */

/** Hosts that node-server uses as they are. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-5]\d{3,4})?$/;
/** Paths and queries that node-server uses as they are. */
const PLAIN_PATH = /^\/(?!\.)(?:[!$&-.0-;=?-[\]_a-z~]|\/(?!\.))*$/;
const CONTENT_TYPE = 'content-type';

/** Whether node-server uses the address of a request as it is. */
export function hasPlainAddress({ url = '', headers: { host = '' } }: IncomingMessage): boolean {
  return PLAIN_HOST.test(host) && PLAIN_PATH.test(url);
}

/** Replaces the address of a request with a plain one. Returns a function that restores it. */
export function replaceAddress(incoming: IncomingMessage, scheme: 'http' | 'https'): () => string {
  const { url = '', headers } = incoming;
  const { host = '' } = headers;
  const set = (path: string, name: string): void => {
    headers.host = name;
    // HTTP/2 uses the authority.
    Object.assign(incoming, { url: path, authority: name });
  };
  set('/', 'localhost');
  return () => {
    set(url, host);
    return `${scheme}://${host}${url}`;
  };
}

/** Keeps only the first of several Content-Type headers, as Node does. */
export function keepFirstType({ rawHeaders }: IncomingMessage): void {
  let found = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length !== CONTENT_TYPE.length || name.toLowerCase() !== CONTENT_TYPE || ++found === 1) continue;
    rawHeaders.splice(i, 2);
    i -= 2;
  }
}
