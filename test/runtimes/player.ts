import type * as playmoney from '../../src/index.js';
import type { Recorded } from '../support/trace.js';
import { type Order, play } from './plays.js';

/**
 * A program of its own, bundled by `runtimes.ts`: plays so many times, each on a sandbox of its own, and prints what differs
 * among them as JSON.
 *
 *   node player.mjs DIST/INDEX.JS WAY RUNS NAME…
 */

/** In process, over a socket, or over a socket with the pool of connections that the runtime has by itself. */
export type Way = 'process' | 'http' | 'pooled http';

/** The answers of each play, by name. */
export type Traces = Readonly<Record<string, readonly Recorded[]>>;

export interface Played {
  /** Which runtime, zone and locale the process had in the end. */
  readonly runtime: string;
  readonly zone: string;
  readonly locale: string;
  /** The different traces; one when all runs were equal. */
  readonly traces: readonly Traces[];
}

type Package = typeof playmoney;

interface Deno {
  createHttpClient(options: { poolMaxIdlePerHost: number }): unknown;
}

const BASE = 'http://localhost';

/** A host that does not wait: a call sleeps until all others sleep, too, or have ended. So the order does not depend on time. */
class Sleepers implements Order {
  #underWay = 0;
  #wake: (() => void)[] = [];

  readonly host: playmoney.Host = {
    runtime: 'player',
    now: () => Date.now(),
    sleep: () =>
      new Promise((resolve) => {
        this.#wake.push(resolve);
        this.#wakeAll();
      }),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    timer: () => () => {},
  };

  /** The calls before it must have arrived, and sleep. */
  async begin(): Promise<void> {
    this.#underWay++;
    while (this.#wake.length < this.#underWay - 1) await this.host.pause();
  }

  end(): void {
    this.#underWay--;
    this.#wakeAll();
  }

  #wakeAll(): void {
    if (this.#wake.length < this.#underWay) return;
    for (const wake of this.#wake.splice(0)) wake();
  }
}

/** Deno sends a request again if a connection that it kept ends without an answer, unless it keeps none. */
function fetchOf(way: Way): (request: Request) => Promise<Response> {
  const { Deno: deno } = globalThis as { Deno?: Deno };
  if (deno === undefined || way === 'pooled http') return (request) => fetch(request);
  const unpooled: object = { client: deno.createHttpClient({ poolMaxIdlePerHost: 0 }) };
  return (request) => fetch(request, unpooled);
}

async function playOne({ createSandbox, serve }: Package, way: Way, name: string): Promise<Recorded[]> {
  const sleepers = new Sleepers();
  // The trace delays nothing, so it has the host of the package.
  const sandbox = createSandbox(name === 'trace' ? {} : { host: sleepers.host });
  const server = way === 'process' ? null : await serve(sandbox);
  const send = server === null ? (request: Request) => sandbox.fetch(request) : fetchOf(way);
  const trace = await play(name, send, server?.url ?? BASE, sleepers);
  await server?.close(0);
  sandbox.close();
  return trace;
}

const [dist = '', way = 'process', runs = '1', ...names] = process.argv.slice(2);
const built = (await import(dist)) as Package;
const traces = new Map<string, Traces>();
for (let run = 0; run < Number(runs); run++) {
  const played: Record<string, Recorded[]> = {};
  for (const name of names) played[name] = await playOne(built, way as Way, name);
  traces.set(JSON.stringify(played), played);
}
const { timeZone: zone, locale } = new Intl.DateTimeFormat().resolvedOptions();
const { bun, deno, node } = process.versions;
const runtime = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${node}`;
const played: Played = { runtime, zone, locale, traces: [...traces.values()] };
process.stdout.write(JSON.stringify(played));
