import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from '../client.js';
import type { Findings } from '../findings.js';
import { isLong } from '../readings.js';
import { probeHealth } from './slow.js';
import { openSocket } from './wire.js';

/** Clients of each kind at any time; together more than a twentieth of all clients. */
const OF_EACH_KIND = 2;
/** How long each of them stays before another one comes in its place. */
const STAYS_MS = 1_500;
/** A busy machine may need this long to answer all that one of them sent. */
const PATIENCE_MS = 20_000;
const PROBE_GAP_MS = 200;
const PIPELINED = 50;
/** The share of the health checks that must be answered within the limit. */
const SHARE = 0.99;
/** A long soak needs a machine that does nothing else; a short one runs on busy ones too, where this proves only that the server answers. */
const HEALTH_MAX_MS = { long: 100, short: 1_500 };

/** What a hostile client does on its connection. Returns what is wrong so far. */
type Hostility = (socket: Socket, key: string) => () => string | null;

const KINDS: readonly Hostility[] = [pipeline, readNothing, sendHalf];

function requestText(line: string, ...headers: string[]): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
}

/** Sends many requests at once; every second one is refused. All answers must come, in order. */
function pipeline(socket: Socket): () => string | null {
  let came = '';
  socket.on('data', (bytes) => (came += bytes.toString('latin1')));
  const pair = requestText('GET /_sandbox/health') + requestText('GET /charge');
  socket.write(pair.repeat(PIPELINED / 2));
  const wanted = '200,401,'.repeat(PIPELINED / 2);
  return () => {
    const statuses = [...came.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => `${status},`).join('');
    return statuses === wanted ? null : `a client that pipelines was answered ${statuses}`;
  };
}

/** Requests much, and reads nothing. */
function readNothing(socket: Socket): () => null {
  socket.pause().write(requestText('GET /_sandbox/openapi.json').repeat(PIPELINED));
  return () => null;
}

/** Never sends the second half of its body. */
function sendHalf(socket: Socket, key: string): () => string | null {
  let came = '';
  socket.on('data', (bytes) => (came += bytes.toString('latin1')));
  const headers = [`x-secretkey: ${key}`, 'Content-Type: application/json', 'Content-Length: 40000'];
  socket.write(requestText('POST /charge/card', ...headers) + '{"Reference":"'.padEnd(20_000, 'x'));
  return () => (came === '' ? null : `half a body was answered ${came}`);
}

/** Hostile clients that come and go while others play, and the health checks meanwhile. */
export class Hostiles {
  readonly #client: Client;
  readonly #sockets = new Set<Socket>();
  readonly #took: number[] = [];
  #probing: Promise<number> | null = null;
  #isPaused = false;
  #came = 0;

  constructor(
    private readonly port: number,
    private readonly key: string,
    private readonly findings: Findings,
  ) {
    this.#client = new Client(port);
  }

  /** Lets them come until it is over. */
  async come(isOver: () => boolean): Promise<void> {
    const kinds = Array.from({ length: OF_EACH_KIND }, () => KINDS).flat();
    await Promise.all([this.#probe(isOver), ...kinds.map((kind) => this.#play(kind, isOver))]);
    this.#client.hangUp();
  }

  /** Sends them away while something is measured. */
  async without<T>(measure: () => Promise<T>): Promise<T> {
    this.#isPaused = true;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await this.#probing;
    this.#client.hangUp();
    try {
      return await measure();
    } finally {
      this.#isPaused = false;
    }
  }

  /** What is wrong with the time of the health checks, in words. */
  faults(minutes: number): string[] {
    const max = isLong(minutes) ? HEALTH_MAX_MS.long : HEALTH_MAX_MS.short;
    const took = this.#healthMs;
    return took <= max
      ? []
      : [`health among hostile clients took ${took.toFixed()} ms at p99, more than ${max} ms`];
  }

  /** The figures of the last line. */
  text(): string {
    return `${this.#came.toLocaleString('en')} hostile clients, health ${this.#healthMs.toFixed(1)} ms at p99 of ${this.#took.length}`;
  }

  /** The time within which all but a hundredth of the health checks were answered. */
  get #healthMs(): number {
    const sorted = this.#took.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * SHARE)] ?? 0;
  }

  async #play(kind: Hostility, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      if (this.#isPaused) await sleep(PROBE_GAP_MS);
      else await this.#visit(kind);
    }
  }

  async #visit(kind: Hostility): Promise<void> {
    const socket = await openSocket(this.port).catch(() => null);
    if (socket === null) return this.findings.add('a hostile client could not connect');
    if (this.#isPaused) return void socket.destroy();
    this.#sockets.add(socket);
    const judge = kind(socket, this.key);
    this.#came++;
    await sleep(STAYS_MS);
    const until = performance.now() + PATIENCE_MS;
    while (this.#sockets.has(socket) && judge() !== null && performance.now() < until)
      await sleep(PROBE_GAP_MS);
    // One that was sent away may have got only some of its answers.
    const wrong = this.#sockets.delete(socket) ? judge() : null;
    if (wrong !== null) this.findings.add(wrong);
    socket.destroy();
  }

  async #probe(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      if (!this.#isPaused) {
        this.#probing = probeHealth(this.#client, this.findings);
        this.#took.push(await this.#probing);
      }
      await sleep(PROBE_GAP_MS);
    }
  }
}
