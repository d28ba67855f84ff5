import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';

/** For how long, and how much, a connection is read after its last answer. */
export interface LingerLimits {
  readonly ms: number;
  /** How long the client may send nothing. */
  readonly idleMs: number;
  readonly bytesMax: number;
}

export const LINGER_LIMITS: LingerLimits = { ms: 30_000, idleMs: 5_000, bytesMax: 256 * 1024 * 1024 };

/**
 * Makes a server linger on a connection that it closes before it has read the whole request. Node would close it at once. The
 * client, which is still sending, would then get a connection error instead of the answer.
 */
export function makeServerLinger(server: Server, opened: 'connection' | 'secureConnection'): void {
  const latest = new WeakMap<Socket, IncomingMessage>();
  const note = (request: IncomingMessage): void => {
    if (request.httpVersionMajor === 1) latest.set(request.socket, request);
  };
  server.on('request', note);
  server.on('checkExpectation', note);
  server.on(opened, (socket: Socket) => {
    // Bun up to 1.3 has no such method, and closes connections by itself.
    if (!('destroySoon' in socket)) return;
    const close = socket.destroySoon.bind(socket);
    socket.destroySoon = () => (latest.get(socket)?.complete ? close() : linger(socket));
  });
}

/** Ends a connection after what was written. What still comes is read, never as a request, until its end or a limit. */
export function linger(
  socket: Socket,
  last = '',
  { ms, idleMs, bytesMax }: LingerLimits = LINGER_LIMITS,
): void {
  if (socket.writableEnded) return;
  // Detaches Node's parser.
  socket.removeAllListeners('data');
  let bytesLeft = bytesMax;
  socket.on('data', ({ length }: Buffer) => {
    bytesLeft -= length;
    if (bytesLeft < 0) socket.destroy();
  });
  const tooLong = setTimeout(() => socket.destroy(), ms).unref();
  socket.once('close', () => clearTimeout(tooLong));
  socket.setTimeout(idleMs, () => socket.destroy());
  // Ends this side. The connection closes when the client ends its own, or at one of the limits.
  socket.end(last);
  // Node stops reading while nothing reads the body, and may assume that a read is pending which its parser has already completed.
  socket.push('');
  socket.resume();
}
