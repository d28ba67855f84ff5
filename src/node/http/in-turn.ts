import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { RequestHandler } from './listener.js';

/**
 * Handles at most one request at a time of each HTTP/1.1 connection. Node parses all that a client sends without waiting for
 * its answers, and would keep the answers in memory until the client reads them. Here the next request is handled when the answer
 * to the last one has left for the network, and nothing more is read from the connection until then.
 */
export function inTurn(handle: RequestHandler): RequestHandler {
  const waiting = new WeakMap<Socket, number>();

  /** Nobody reads while requests wait. Node itself starts reading again at several places. */
  function updateReading(socket: Socket): void {
    if (waiting.get(socket)) socket.pause();
    else socket.resume();
  }

  function wait(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    waiting.set(socket, (waiting.get(socket) ?? 0) + 1);
    // Node goes on reading when it has parsed the request.
    process.nextTick(updateReading, socket);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      updateReading(socket);
      // Node is in the midst of handing the socket over.
      process.nextTick(handle, request, response);
    });
  }

  // Node gives a response its socket when the responses before it are finished. Those of HTTP/2 have one from the start.
  return (request, response) =>
    response.socket === null ? wait(request, response) : handle(request, response);
}
