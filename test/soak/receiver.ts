import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Members } from './player.js';

/** What it does to whoever posts to it. */
export type Mood = 'well' | 'failing' | 'mute';

/** A receiver of webhooks that dies and comes back on the same port. */
export class Receiver {
  #server: Server | null = null;
  #port = 0;
  /** How often an event of a charge was taken, by its ChargeId. */
  readonly #taken = new Map<string, number>();
  mood: Mood = 'well';

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  async open(): Promise<void> {
    if (this.#server !== null) return;
    const server = createServer((request, response) => void this.#take(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Breaks off whatever is under way. */
  async die(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  /** How often it has taken an event of a charge; it forgets that at once. */
  takenOf(chargeId: string): number {
    const times = this.#taken.get(chargeId) ?? 0;
    this.#taken.delete(chargeId);
    return times;
  }

  forget(): void {
    this.#taken.clear();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    if (this.mood === 'mute') return void response.destroy();
    if (this.mood === 'failing') return void response.writeHead(500).end('not now');
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: Members };
    const id = String(data['chargeId']);
    this.#taken.set(id, (this.#taken.get(id) ?? 0) + 1);
    response.writeHead(204).end();
  }
}
