import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { JSON_TYPE } from '../../node/http/support.js';

/** What a server does with a connection on which a request has come. */
export type Behaviour = (socket: Socket, request: string) => void;

export interface StandIn {
  readonly url: string;
  readonly close: () => void;
}

/** A server of one behaviour. */
export async function standIn(behaviour: Behaviour): Promise<StandIn> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let request = '';
    socket.on('data', (bytes) => {
      const isFirst = request === '';
      request += bytes.toString('latin1');
      if (isFirst) behaviour(socket, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Answers with a whole response. */
export function answering(status: string, headers: readonly string[], body: string): Behaviour {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return (socket) => {
    socket.write(
      [`HTTP/1.1 ${status}`, ...headers, length, 'Connection: close', '', ''].join('\r\n'),
      'latin1',
    );
    socket.end(body);
  };
}

/** Answers each path with its own JSON. */
export function answeringJson(
  bodyOf: (path: string) => unknown,
  headers: readonly string[] = [],
  status = '200 OK',
): Behaviour {
  return (socket, request) => {
    const path = request.split(' ', 2)[1] ?? '';
    answering(status, [JSON_TYPE, ...headers], JSON.stringify(bodyOf(path)))(socket, request);
  };
}
