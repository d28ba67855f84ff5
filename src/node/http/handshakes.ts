import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';

import type { Framing } from './framing.js';

/** TLS alerts of a client that does not trust the certificate. */
const DISTRUST = /_ALERT_.*(?:_CA|CERTIFICATE)/;
const PLAIN = 'This port speaks HTTPS; write https:// in place of http://.';

/** The connections of TCP below those of TLS. */
export class Sockets {
  readonly #open = new Map<string, Socket>();
  readonly #shaking = new Set<Socket>();
  #onDistrust: (() => void) | null;

  constructor(onDistrust: () => void) {
    this.#onDistrust = onDistrust;
  }

  add(socket: Socket): void {
    const peer = peerOf(socket);
    this.#open.set(peer, socket);
    this.#shaking.add(socket);
    socket.once('close', () => {
      this.#open.delete(peer);
      // Some clients give a reason for leaving, others just leave. One that sent nothing was only checking whether the port is open.
      if (this.#shaking.delete(socket) && socket.bytesRead > 0) this.#notifyOnce();
    });
  }

  /** The connection that carries a secure one, as long as it is open. */
  below(secure: Socket): Socket | undefined {
    return this.#open.get(peerOf(secure));
  }

  /** The handshake has ended, in agreement or for a reason of its own. */
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

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Follows each connection from its beginning, and answers those that are no TLS. */
export function watchHandshakes(server: Server, sockets: Sockets, framing: Framing): void {
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
