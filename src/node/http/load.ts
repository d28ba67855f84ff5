import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';

import { formatCount } from '../../core/text/text.js';

/** The default maximum of concurrent requests: over HTTP/1.1, one per connection. */
export const DEFAULT_REQUESTS_MAX = 10_000;
export const CONNECTIONS_MAX = 10_000;
/** How many connections above the maximum are refused with an answer. Further ones are closed at once. */
export const SURPLUS_MAX = 1_000;
/** The health check, which is answered even when the server is full. */
const ALWAYS_ANSWERED = '/_sandbox/health';

export const isUrgent = ({ url }: IncomingMessage): boolean => url === ALWAYS_ANSWERED;

export interface Excess {
  readonly detail: string;
  /** Whether the connection is above the maximum too, and closes after the refusal. */
  readonly isLast: boolean;
}

export interface LoadLimits {
  readonly requestsMax: number;
  readonly connectionsMax: number;
}

export class Load {
  /** Requests without a complete answer, except for those refused because of the load. */
  underWay = 0;
  #connections = 0;
  /** Connections above the limit. */
  readonly #surplus = new Set<Socket>();

  constructor(readonly limits: LoadLimits) {}

  /** Counts the connections of a server, and accepts some more than the limit so that they get a refusal. */
  watch(server: Server): void {
    const { connectionsMax } = this.limits;
    server.maxConnections = connectionsMax + SURPLUS_MAX;
    server.on('connection', (socket: Socket) => {
      this.#connections++;
      if (this.#connections > connectionsMax) this.#surplus.add(socket);
      socket.once('close', () => {
        this.#connections--;
        this.#surplus.delete(socket);
      });
    });
  }

  /** Returns why a request is refused because of the load; null if it is not. */
  findExcess(request: IncomingMessage): Excess | null {
    const { requestsMax, connectionsMax } = this.limits;
    const isFull = this.underWay >= requestsMax;
    if ((!isFull && this.#surplus.size === 0) || isUrgent(request)) return null;
    const isLast = this.#surplus.has(request.socket);
    if (isFull)
      return {
        detail: `The server is already handling ${formatCount(requestsMax, 'request')}, the maximum.`,
        isLast,
      };
    return isLast
      ? {
          detail: `The server already has ${formatCount(connectionsMax, 'connection')}, the maximum.`,
          isLast,
        }
      : null;
  }
}
