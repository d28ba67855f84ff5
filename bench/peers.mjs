// Compares playmoney with other stand-ins and frameworks, alternately in one run: charges and reads per second at 64 connections
// and at one, their processor time, the start, and memory. Ratios are to the bare node:http server of the same round.
// Writes its part of RESULTS.md.
//
//   npm run bench [-- ROUNDS SECONDS CHARGES]
import { printFigures } from '../test/support/figures.mjs';
import { hammer } from './hammer.mjs';
import { writeInProcess } from './peers/in-process.mjs';
import { startPeer } from './peers/program.mjs';
import { PEERS } from './peers/table.mjs';
import { row, table, writeSection } from './results.mjs';
import { CHARGE, cpuOf, figure, median, memoryOf, spread } from './support.mjs';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 2);
const charges = Number(process.argv[4] ?? 200_000);

/** The longest wait for a slow server. */
const FILL_MAX_S = 60;
/** The calls of each path before the measurement, or their time for a slow server: code is slow until it is compiled. */
const WARM_CALLS = 20_000;
const WARM_S = 3;

const POST = { path: '/charge/card', body: CHARGE };

/** The measurements of each server: the request and the number of connections. */
function loadsOn(read) {
  const get = { method: 'GET', path: read };
  return {
    post64: { request: POST, connections: 64 },
    post1: { request: POST, connections: 1 },
    get64: { request: get, connections: 64 },
    get1: { request: get, connections: 1 },
  };
}

async function measure(peer) {
  const server = await startPeer(peer);
  const figures = { start: server.startMs, first: server.mib };
  try {
    for (const request of [POST, { method: 'GET', path: server.read }])
      await hammer(server.url, request, { seconds: WARM_S, count: WARM_CALLS });
    for (const [name, { request, connections }] of Object.entries(loadsOn(server.read))) {
      const before = await cpuOf(server.pid);
      const { count, rate, p99 } = await hammer(server.url, request, { seconds, connections });
      figures[name] = rate;
      figures[`${name}p99`] = p99;
      figures[`${name}cpu`] = (1000 * ((await cpuOf(server.pid)) - before)) / count;
    }
  } finally {
    await server.stop();
  }
  return figures;
}

/** Memory after this many charges, or after as many as a slow server accepts. */
async function fill(peer) {
  const server = await startPeer(peer);
  try {
    const { count } = await hammer(server.url, POST, { seconds: FILL_MAX_S, count: charges - 1 });
    return { mib: await memoryOf(server.pid), count: count + 1 };
  } finally {
    await server.stop();
  }
}

const left = new Map();
const measured = new Map(PEERS.map((peer) => [peer, []]));

/** Runs a measurement. A tool that cannot be measured is left out, with the reason. */
async function attempt(peer, work) {
  if (left.has(peer)) return null;
  try {
    return await work(peer);
  } catch (error) {
    left.set(peer, error.message.split('\n')[0]);
    console.log(`${peer.name} is left out: ${left.get(peer)}`);
    return null;
  }
}

for (let round = 0; round < rounds; round++) {
  // The order changes, so that a machine that slows down favours none of them.
  const order = round % 2 === 0 ? PEERS : PEERS.toReversed();
  for (const peer of order) {
    const figures = await attempt(peer, measure);
    if (figures === null) continue;
    measured.get(peer).push(figures);
    console.log(
      `round ${round + 1}, ${peer.name}: ${figure(figures.post64)} charges, ${figure(figures.get64)} reads a second`,
    );
  }
}
const filled = new Map();
for (const peer of PEERS) {
  filled.set(peer, await attempt(peer, fill));
  console.log(`${peer.name}: filled`);
}

const [raw] = PEERS;
const shown = PEERS.filter((peer) => !left.has(peer));
const valuesOf = (peer, name) => measured.get(peer).map((figures) => figures[name]);
const ratio = (peer, name) => {
  const bare = valuesOf(raw, name);
  return spread(
    valuesOf(peer, name).map((value, round) => value / bare[round]),
    2,
  );
};
const ratios = (peer, ...names) => names.map((name) => ratio(peer, name));
const rate = (peer, name) => figure(median(valuesOf(peer, name)));

/** The memory of a server at the end, and the number of charges if it was not all of them. */
function memoryText({ mib, count }) {
  const short = count < charges ? ` after ${figure(count)}, all that ${FILL_MAX_S} s were enough for` : '';
  return `${figure(mib)}${short}`;
}

await writeSection('peers', `npm run bench -- ${rounds} ${seconds} ${charges}`, [
  `Median of the rounds (${rounds}, ${seconds} s each), lowest and highest in brackets; ratios are to \`raw node:http\` in the same round.`,
  table(
    ['server', 'what it does with a charge'],
    shown.map((peer) => row(peer.name, peer.does)),
  ),
  '### Requests a second, as a share of raw',
  table(
    [
      'server',
      'POST, 64 connections',
      'POST, 1',
      'GET, 64',
      'GET, 1',
      'POST a second, 64',
      'GET a second, 64',
    ],
    shown.map((peer) =>
      row(
        peer.name,
        ...ratios(peer, 'post64', 'post1', 'get64', 'get1'),
        rate(peer, 'post64'),
        rate(peer, 'get64'),
      ),
    ),
  ),
  '### 99th percentile and processor time at 64 connections, times raw',
  table(
    ['server', 'POST p99', 'GET p99', 'POST processor time', 'GET processor time'],
    shown.map((peer) => row(peer.name, ...ratios(peer, 'post64p99', 'get64p99', 'post64cpu', 'get64cpu'))),
  ),
  '### Start and memory',
  table(
    [
      'server',
      'first answer, ms',
      'times raw',
      'MiB at the first answer',
      `MiB after ${figure(charges)} charges`,
    ],
    shown.map((peer) =>
      row(
        peer.name,
        spread(valuesOf(peer, 'start'), 0),
        ratio(peer, 'start'),
        spread(valuesOf(peer, 'first')),
        memoryText(filled.get(peer)),
      ),
    ),
  ),
  ...[...left].map(([peer, reason]) => `Left out: ${peer.name}, ${reason}.`),
]);
await writeInProcess(rounds, seconds);

const ours = shown.find(({ name }) => name === 'playmoney');
if (ours === undefined) throw new Error('playmoney could not be measured');
const [posts, gets, start] = ratios(ours, 'post64', 'get64', 'start');
printFigures(
  'bench',
  `${shown.length} servers in ${rounds} rounds, playmoney of raw: charges ${posts}, reads ${gets}, first answer ${start}`,
);
