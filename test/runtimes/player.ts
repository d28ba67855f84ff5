import type * as playmoney from '../../src/index.js';
import { playTrace, record, type Recorded } from '../support/trace.js';

/**
 * A program of its own, bundled by `runtimes.ts`: plays the long trace so many times, each on a sandbox of its own, and prints
 * what differs among them as JSON.
 *
 *   node player.mjs DIST/INDEX.JS WAY RUNS
 */

/** In process, or over a socket. */
export type Way = 'process' | 'http';

export interface Played {
  /** Which runtime, zone and locale the process had in the end. */
  readonly node: string;
  readonly zone: string;
  readonly locale: string;
  /** The different traces; one when all runs were equal. */
  readonly traces: readonly (readonly Recorded[])[];
}

type Package = typeof playmoney;

const BASE = 'http://localhost';
const KEY = 'sk_test_traced';

async function play({ createSandbox, serve }: Package, way: Way): Promise<Recorded[]> {
  const sandbox = createSandbox({ seed: '42', clock: { mode: 'manual' } });
  const server = way === 'http' ? await serve(sandbox) : null;
  const send = (request: Request) => (server === null ? sandbox.fetch(request) : fetch(request));
  const trace: Recorded[] = [];
  await playTrace(async (call) => {
    const answer = await record(send, server?.url ?? BASE, KEY, call);
    trace.push(answer);
    return answer;
  });
  await server?.close(0);
  sandbox.close();
  return trace;
}

const [dist = '', way = 'process', runs = '1'] = process.argv.slice(2);
const built = (await import(dist)) as Package;
const traces = new Map<string, Recorded[]>();
for (let run = 0; run < Number(runs); run++) {
  const trace = await play(built, way as Way);
  traces.set(JSON.stringify(trace), trace);
}
const { timeZone: zone, locale } = new Intl.DateTimeFormat().resolvedOptions();
const played: Played = { node: process.version, zone, locale, traces: [...traces.values()] };
process.stdout.write(JSON.stringify(played));
