import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import type { LiveReceiver } from './life.js';
import { type Room, SHOP } from './rooms.js';

/** Opens rooms on a server that is running, with a port for the webhooks of their flows. */
export class ServerRooms {
  readonly #receivers = new Map<string, LiveReceiver>();
  #server: Server | null = null;
  /** Looked up before the sweep intercepts the global one. */
  readonly #fetch = globalThis.fetch;

  constructor(
    private readonly url: string,
    private readonly adminToken: string | undefined,
  ) {}

  async open(key: string): Promise<Room> {
    const { url, adminToken = null } = this;
    const call = this.#fetch;
    const own = `http://127.0.0.1:${await this.#listen()}/${key}/`;
    const room: Room = {
      connection: { url, key, adminToken, fetch: (request) => call(request) },
      // The server cannot know the address of the flow, so it gets that of the port.
      answer: async (request) => {
        const body = request.body === null ? null : (await request.text()).replaceAll(SHOP, own);
        const response = await call(new Request(request, body === null ? {} : { body }));
        await room.answered();
        return response;
      },
      receive: (handler) =>
        void (handler === null ? this.#receivers.delete(key) : this.#receivers.set(key, handler)),
      answered: async () => {},
      watchHangs: null,
      hasDueJobs: () => false,
      close: () => void this.#receivers.delete(key),
    };
    return room;
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  async #listen(): Promise<number> {
    if (this.#server === null) {
      const server = createServer((request, response) => {
        // A webhook may break off, and a receiver may return anything.
        void this.#receive(request.url ?? '/', request.headers, buffer(request))
          .then(({ status }) => response.writeHead(status).end())
          .catch(() => response.writeHead(500).end());
      });
      this.#server = server;
      server.unref();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', resolve);
      });
    }
    return (this.#server.address() as AddressInfo).port;
  }

  /** 503 without a receiver, so that the delivery is repeated; 500 if the receiver throws. */
  async #receive(
    path: string,
    headers: NodeJS.Dict<string | string[]>,
    body: Promise<Buffer>,
  ): Promise<{ readonly status: number }> {
    const [, key = '', ...rest] = path.split('/');
    const receiver = this.#receivers.get(key);
    const sent = await body;
    if (receiver === undefined) return { status: 503 };
    const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const request = new Request(`${SHOP}${rest.join('/')}`, {
      method: 'POST',
      headers: given.filter(
        ([name]) => !['connection', 'content-length', 'host', 'transfer-encoding'].includes(name),
      ),
      body: new Uint8Array(sent),
    });
    try {
      return await receiver(request);
    } catch {
      return { status: 500 };
    }
  }
}
