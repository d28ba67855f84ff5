import { connect, type Socket } from 'node:net';

/** Headers of requests. */
export const HOST = 'Host: localhost';
export const KEY = 'x-secretkey: sk_test_a';
export const JSON_TYPE = 'Content-Type: application/json';
export const CLOSE = 'Connection: close';

/** A connection of its own to a port of this machine, and all that came back on it. */
export interface Wire {
  readonly socket: Socket;
  send(text: string): void;
  /** Resolves with all that came, once a text is among it or the connection has closed. */
  until(text: string): Promise<string>;
  /** Resolves with all that came, once the connection has closed. */
  closed(): Promise<string>;
}

export async function openWire(port: number): Promise<Wire> {
  const socket = connect(port, '127.0.0.1');
  let came = '';
  let over = false;
  const waiting: { text: string | null; resolve: (came: string) => void }[] = [];
  const look = (): void => {
    for (const one of waiting) if (over || (one.text !== null && came.includes(one.text))) one.resolve(came);
  };
  socket.on('data', (bytes) => {
    came += bytes.toString('latin1');
    look();
  });
  socket.on('close', () => {
    over = true;
    look();
  });
  // The server hangs up on purpose in many tests.
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  const wait = (text: string | null): Promise<string> =>
    new Promise((resolve) => {
      waiting.push({ text, resolve });
      look();
    });
  return { socket, send: (text) => socket.write(text, 'latin1'), until: wait, closed: () => wait(null) };
}

/** Sends bytes as they are on a connection of their own, and reads until the server closes it. */
export async function talk(port: number, text: string): Promise<string> {
  const wire = await openWire(port);
  wire.send(text);
  return wire.closed();
}

/** One request as text; a body brings its length along unless the headers state one. */
export function requestText(line: string, headers: readonly string[] = [], body = ''): string {
  const isStated = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header));
  const length = body === '' || isStated ? [] : [`Content-Length: ${body.length}`];
  return [`${line} HTTP/1.1`, ...headers, ...length, '', body].join('\r\n');
}

/** Notes the globals that a server may replace, and gives back what restores them. */
export function keepGlobals(): () => void {
  const kept = Object.getOwnPropertyDescriptors(globalThis);
  return () => {
    Object.defineProperty(globalThis, 'Request', kept.Request);
    Object.defineProperty(globalThis, 'Response', kept.Response);
  };
}
