import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';

/** The default for requests under way at a time: over HTTP/1.1, as many as there are connections. */
export const DEFAULT_REQUESTS_MAX = 10_000;
export const CONNECTIONS_MAX = 10_000;
/** Further connections that get a refusal. Those beyond are closed at once. */
export const SURPLUS_MAX = 1_000;
/** The health check is answered even when the server is full. */
const ALWAYS_ANSWERED = '/_sandbox/health';

export interface Excess {
  readonly detail: string;
  /** Whether its connection is one too many as well, and ends with the refusal. */
  readonly isLast: boolean;
}

export interface LoadLimits {
  readonly requestsMax: number;
  readonly connectionsMax: number;
}

/** How much a server has under way, and whether there is room for one more request. */
export class Load {
  /** Requests without a whole answer, those not counted that were refused for the load. */
  underWay = 0;
  #connections = 0;
  /** Open connections above the limit. */
  readonly #surplus = new Set<Socket>();

  constructor(readonly limits: LoadLimits) {}

  /** Counts the connections of a server, each the socket of its requests, and takes some more than the limit. */
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

  /** Why a request is one too many; null: it is not. */
  excess(request: IncomingMessage): Excess | null {
    const { requestsMax, connectionsMax } = this.limits;
    const isFull = this.underWay >= requestsMax;
    if ((!isFull && this.#surplus.size === 0) || request.url === ALWAYS_ANSWERED) return null;
    const isLast = this.#surplus.has(request.socket);
    if (isFull) return { detail: `${requestsMax} requests are under way already.`, isLast };
    return isLast ? { detail: `${connectionsMax} connections are open already.`, isLast } : null;
  }
}
