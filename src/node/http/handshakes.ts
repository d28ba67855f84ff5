import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';

import type { Framing } from './framing.js';

/** TLS alerts of a client that does not trust the certificate. */
const DISTRUST = /_ALERT_.*(?:_CA|CERTIFICATE)/;
const PLAIN = 'This port serves HTTPS; use https:// instead of http://.';

/** The TCP connections below those of TLS. */
export class TcpSockets {
  readonly #open = new Map<string, Socket>();
  readonly #shaking = new Set<Socket>();
  #onDistrust: (() => void) | null;

  constructor(onDistrust: () => void) {
    this.#onDistrust = onDistrust;
  }

  add(socket: Socket): void {
    const peer = formatPeer(socket);
    this.#open.set(peer, socket);
    this.#shaking.add(socket);
    socket.once('close', () => {
      this.#open.delete(peer);
      // Some clients send an alert, others just disconnect. One that sent nothing only checked whether the port is open.
      if (this.#shaking.delete(socket) && socket.bytesRead > 0) this.#notifyOnce();
    });
  }

  /** The TCP connection below a secure one, while it is open. */
  below(secure: Socket): Socket | undefined {
    return this.#open.get(formatPeer(secure));
  }

  /** Marks a handshake as ended, successfully or with another error. */
  settle(secure: Socket): void {
    const socket = this.below(secure);
    if (socket) this.#shaking.delete(socket);
  }

  destroy(): void {
    this.#onDistrust = null;
    for (const socket of this.#open.values()) socket.destroy();
  }

  #notifyOnce(): void {
    this.#onDistrust?.();
    this.#onDistrust = null;
  }
}

function formatPeer({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Watches each connection from its beginning, and answers those that do not use TLS. */
export function watchHandshakes(server: Server, sockets: TcpSockets, framing: Framing): void {
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('secureConnection', (secure) => sockets.settle(secure));
  server.on('tlsClientError', (error: NodeJS.ErrnoException, secure) => {
    const { code = '' } = error;
    const socket = sockets.below(secure);
    if (!DISTRUST.test(code)) sockets.settle(secure);
    if (code === 'ERR_SSL_HTTP_REQUEST' && socket) framing.endSocket(socket, 400, PLAIN);
    secure.destroy();
  });
  server.on('clientError', (error: Error, secure: TLSSocket) => {
    // Failed handshakes are reported here too.
    if (secure.alpnProtocol !== null) framing.refuseSocket(error, secure);
  });
}
