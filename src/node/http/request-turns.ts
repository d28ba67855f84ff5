import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { RequestHandler } from './listener.js';

/**
 * Handles at most one request at a time on each HTTP/1.1 connection. Node parses everything that a client sends without
 * waiting for the answers, and would keep the answers in memory until the client reads them. Here the next request is
 * handled when the answer to the last one has been sent, and nothing more is read from the connection until then. Node
 * cannot stop in the middle of what it has read, so requests can wait: at most `waitingMax` on all connections together. A
 * connection that brings more is closed.
 */
export function handleOneByOne(handle: RequestHandler, waitingMax: number): RequestHandler {
  const waiting = new WeakMap<Socket, number>();
  let total = 0;

  function count(socket: Socket, change: number): void {
    const before = waiting.get(socket);
    if (before === undefined) socket.once('close', () => (total -= waiting.get(socket) ?? 0));
    waiting.set(socket, (before ?? 0) + change);
    total += change;
  }

  /** Stops reading while requests wait. Node itself resumes reading in several places. */
  function updateReading(socket: Socket): void {
    if (waiting.get(socket)) socket.pause();
    else socket.resume();
  }

  function wait(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // Node still parses the rest of what it has read.
    if (socket.destroyed) return;
    if (total >= waitingMax) return void socket.destroy();
    count(socket, 1);
    // Node resumes reading after it has parsed the request.
    process.nextTick(updateReading, socket);
    response.once('socket', () => {
      // The end of a connection stops counting all its requests.
      if (socket.destroyed) return;
      count(socket, -1);
      updateReading(socket);
      // Node has not finished handing the socket over.
      process.nextTick(handle, request, response);
    });
  }

  // Node gives a response its socket when the earlier responses are finished. HTTP/2 responses have one from the start.
  return (request, response) =>
    response.socket === null ? wait(request, response) : handle(request, response);
}

/** How many requests are begun in one turn of the event loop. */
const BEGUN_MAX = 16;

export class EventLoopTurns {
  #begun = 0;
  #end: Promise<void> | null = null;

  /** Resolves at the end of the turn, for all its answers: waking a client once for many is cheaper for both sides. */
  endOfTurn(): Promise<void> {
    return (this.#end ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#end = null;
        this.#begun = 0;
        resolve();
      });
    }));
  }

  /**
   * Begins only some requests in each turn, so that their answers need little memory at the same time, and new connections
   * are accepted in between. The others wait for the next turn, except urgent ones.
   */
  shareTurns(handle: RequestHandler, isUrgent: (request: IncomingMessage) => boolean): RequestHandler {
    const waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
    const nextTurn = (): void => {
      const next = waiting.splice(0, BEGUN_MAX);
      this.#begun = next.length;
      if (waiting.length > 0) setImmediate(nextTurn);
      for (const [request, response] of next) handle(request, response);
    };
    return (request, response) => {
      if ((this.#begun < BEGUN_MAX && waiting.length === 0) || isUrgent(request)) {
        this.#begun++;
        handle(request, response);
      } else if (waiting.push([request, response]) === 1) setImmediate(nextTurn);
    };
  }
}
