import type { IncomingMessage, ServerResponse } from 'node:http';

import type { RequestHandler } from './listener.js';

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
