// What takes the processor time of a charge, a read and a start, compared with a bare node:http server: samples of V8's profiler,
// grouped by place. A profiled program is slower, so look at the shares, not at the sums.
//
//   npm run build && node bench/profile.mjs [SECONDS]
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hammer } from './hammer.mjs';
import { CHARGE, HEADERS, SERVERS, start } from './support.mjs';

const seconds = Number(process.argv[2] ?? 6);
const STARTS = 10;
const SAMPLE_US = 200;
/** The profile is written at exit, and the bare server has no exit of its own. */
const EXIT_ON_SIGTERM = `data:text/javascript,process.on('SIGTERM',()=>process.exit(0))`;

/** The places of samples; the first match counts. The rest is Node's own JavaScript. */
const PLACES = [
  ['not at work', ({ functionName }) => functionName === '(idle)'],
  [
    'system calls that write',
    ({ functionName }) => /^writ\w*(?:String|Buffer)?$/.test(functionName) && functionName !== 'write',
  ],
  ['garbage collection', ({ functionName }) => functionName === '(garbage collector)'],
  ['the program', ({ url }) => /\/(?:dist|bench)\//.test(url)],
  ['loading and compiling modules', ({ url }) => /^node:internal\/(?:modules|vm)/.test(url)],
  [
    "Node's HTTP and streams",
    ({ url }) => /^node:(?:_http|net|internal\/(?:streams|stream_base|http)|events)/.test(url),
  ],
  ['the engine and the system', ({ url }) => url === ''],
];

function placeOf(frame) {
  return PLACES.find(([, fits]) => fits(frame))?.[0] ?? "the rest of Node's own code";
}

/** Runs a server under the profiler during `use`. Returns microseconds by place. */
async function profiled(args, use) {
  const folder = await mkdtemp(join(tmpdir(), 'profile-'));
  const options = ['--cpu-prof', `--cpu-prof-interval=${SAMPLE_US}`, `--cpu-prof-dir=${folder}`];
  try {
    const { child, url } = await start([...options, '--import', EXIT_ON_SIGTERM, ...args]);
    await use(url);
    child.kill('SIGTERM');
    await once(child, 'exit');
    const [name] = await readdir(folder);
    return timesOf(JSON.parse(await readFile(join(folder, name), 'utf8')));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function timesOf({ nodes, samples, timeDeltas }) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map();
  for (const [i, id] of samples.entries()) {
    const place = placeOf(frames.get(id));
    times.set(place, (times.get(place) ?? 0) + timeDeltas[i]);
  }
  times.delete('not at work');
  return times;
}

async function charge(url) {
  const response = await fetch(`${url}/charge/card`, { method: 'POST', headers: HEADERS, body: CHARGE });
  return (await response.json()).ChargeId;
}

/** What is done with a server, and how often. The times are for one. */
const USES = {
  'a charge over 64 connections, µs': async (url) =>
    (await hammer(url, { path: '/charge/card', body: CHARGE }, { seconds })).count,
  'a read over 64 connections, µs': async (url) => {
    const path = `/charge/${await charge(url)}`;
    return (await hammer(url, { method: 'GET', path }, { seconds })).count;
  },
};

function print(title, rows, unit) {
  console.log(`\n${title}`);
  const places = new Set(Object.values(rows).flatMap((times) => [...times.keys()]));
  for (const place of places) {
    const shown = Object.entries(rows).map(
      ([name, times]) => `${name} ${((times.get(place) ?? 0) / unit).toFixed(1).padStart(6)}`,
    );
    console.log(`  ${place.padEnd(30)} ${shown.join('   ')}`);
  }
}

for (const [title, use] of Object.entries(USES)) {
  const rows = {};
  for (const [name, args] of Object.entries(SERVERS)) {
    let count = 1;
    const times = await profiled(args, async (url) => {
      count = await use(url);
    });
    rows[name] = new Map([...times].map(([place, us]) => [place, us / count]));
  }
  print(title, rows, 1);
}

const starts = Object.fromEntries(Object.keys(SERVERS).map((name) => [name, new Map()]));
for (let round = 0; round < STARTS; round++) {
  for (const [name, args] of Object.entries(SERVERS)) {
    const times = await profiled(args, charge);
    for (const [place, us] of times) starts[name].set(place, (starts[name].get(place) ?? 0) + us / STARTS);
  }
}
print('a start with its first charge, ms', starts, 1000);
