// Far more worlds than are in memory: a server with --state and 100,000 worlds of one charge. Its memory, a call to a world that is
// asleep, a start, and tests that each use a key of their own. Writes its part of RESULTS.md; fails if a figure misses its limit.
//
//   npm run bench:worlds [-- WORLDS TESTS]
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { printFigures } from '../test/support/figures.mjs';
import { hammer } from './hammer.mjs';
import { row, table, writeSection } from './results.mjs';
import { CHARGE, figure, memoryOf, SERVERS, start } from './support.mjs';

const count = Number(process.argv[2] ?? 100_000);
const tests = Number(process.argv[3] ?? 5000);
const CONNECTIONS = 16;
const MEMORY_EACH_MS = 200;
/** Calls to sleeping worlds: so many with a pause of so long between two of a connection, and then as many without. */
const COLD = Math.min(count / 2, 10_000);
const PAUSE_MS = 100;
/** A prime, so that the worlds are called in another order than they were made in. */
const STEP = 7919;
const LIMITS = { memory: 350, p50: 2, p99: 40, restart: 2 };

const folder = await mkdtemp(join(tmpdir(), 'playmoney-worlds-'));
const serve = () => start([...SERVERS.playmoney, '--state', folder]);
const charge = (key) => ({ path: '/charge/card', body: CHARGE, key });

/** The highest memory of a process while something is done. */
async function mostWhile({ child }, work) {
  let most = 0;
  const look = async () => (most = Math.max(most, await memoryOf(child.pid)));
  const timer = setInterval(() => void look(), MEMORY_EACH_MS);
  const result = await work();
  clearInterval(timer);
  await look();
  return { most, result };
}

/** Makes a charge with each key, and reads it. Fails if a call is refused, or finds no charge. */
async function play(url, keys) {
  const ids = [];
  const answered = (n, text) => (ids[n] = /"ChargeId":"(\w+)"/.exec(text)[1]);
  await hammer(url, (n) => charge(keys[n]), { connections: CONNECTIONS, count: keys.length, answered });
  return ids;
}

const read = (keys, ids) => (n) => ({ method: 'GET', path: `/charge/${ids[n]}`, key: keys[n] });

/** Ends a server as Ctrl+C does. */
async function end({ child }) {
  const begun = performance.now();
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  if (code !== 0 && code !== 130) throw new Error(`The server ended with ${code}`);
  return (performance.now() - begun) / 1000;
}

/** How many bytes a process has read so far, from files and sockets. */
async function bytesReadBy({ child }) {
  return Number(/rchar: (\d+)/.exec(await readFile(`/proc/${child.pid}/io`, 'utf8'))?.[1]);
}

async function sizeOfFolder() {
  let bytes = 0;
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
  return bytes;
}

const keysOf = (name, many) => Array.from({ length: many }, (_, n) => `sk_test_${name}_${n}`);

async function measure() {
  const keys = keysOf('bench', count);
  const first = await serve();
  const begun = performance.now();
  const { most: filling, result: ids } = await mostWhile(first, () => play(first.url, keys));
  const filled = (performance.now() - begun) / 1000;
  const ended = await end(first);
  const size = await sizeOfFolder();

  const stopped = performance.now();
  const second = await serve();
  await fetch(`${second.url}/charge/${ids[0]}`, { headers: { 'x-secretkey': keys[0] } });
  const restart = (performance.now() - stopped) / 1000;
  const readAtStart = await bytesReadBy(second);

  const order = keys.map((_, n) => (n * STEP) % count);
  const call = (begin, pace) => {
    const asked = order.slice(begin, begin + COLD);
    const request = read(
      asked.map((n) => keys[n]),
      asked.map((n) => ids[n]),
    );
    return mostWhile(second, () =>
      hammer(second.url, request, { connections: CONNECTIONS, count: COLD, pace }),
    );
  };
  const { most: reading, result: cold } = await call(0, PAUSE_MS);
  const { most: hurrying, result: hurried } = await call(COLD, 0);
  const own = keysOf('one_test', tests);
  const made = await play(second.url, own);
  await hammer(second.url, read(own, made), { connections: CONNECTIONS, count: tests });
  await end(second);
  const memory = Math.max(filling, reading, hurrying);
  return { memory, filled, ended, size, restart, readAtStart, hurried, ...cold };
}

try {
  const { memory, filled, ended, size, restart, readAtStart, p50, p99, hurried } = await measure();
  const figures = { memory, p50, p99, restart };
  const rows = [
    row('resident memory, at most', `${figure(memory)} MiB`, `${LIMITS.memory} MiB`),
    row(
      `a call to a world that is asleep, with ${PAUSE_MS} ms between two of a connection: median`,
      `${figure(p50, 1)} ms`,
      `${LIMITS.p50} ms`,
    ),
    row('99th percentile', `${figure(p99, 1)} ms`, `${LIMITS.p99} ms`),
    row('without a pause', `${figure(hurried.rate)} a second, p99 ${figure(hurried.p99)} ms`, ''),
    row('a start, until the first answer', `${figure(restart, 2)} s`, `${LIMITS.restart} s`),
    row('read until then', `${figure(readAtStart / 1e6, 1)} MB of ${figure(size / 1e6)} MB`, ''),
    row('making the worlds', `${figure(filled)} s`, ''),
    row('the end of the server that made them', `${figure(ended, 1)} s`, ''),
    row(
      'tests of one charge, each with a key of its own',
      `${figure(tests)} of ${figure(tests)} pass`,
      'all',
    ),
  ];
  await writeSection('worlds', `npm run bench:worlds -- ${count} ${tests}`, [
    `${figure(count)} worlds of one charge in a folder, at most 1,000 of them in memory; ${CONNECTIONS} connections. Load of the machine at the end: ${figure(loadavg()[0], 1)}.`,
    table(['measured', 'figure', 'limit'], rows),
  ]);
  const missed = Object.keys(LIMITS).filter((name) => !(figures[name] < LIMITS[name]));
  printFigures('worlds', missed.length === 0 ? 'all within their limits' : `missed: ${missed.join(', ')}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
