// A table of everywhere the program runs: what each plays, how large it is, and how fast. Its rows are in test/runtimes/rows.mjs.
//
//   npm run bench:runtimes [-- ROUNDS SECONDS]
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { bundleOf } from '../test/runtimes/bundle.mjs';
import { ROWS as BROWSER_ROWS } from '../test/browser/rows.mjs';
import { ROWS as PROGRAM_ROWS } from '../test/runtimes/rows.mjs';
import { hammer } from './hammer.mjs';
import { row, table, writeSection } from './results.mjs';
import { CHARGE, figure, HEADERS, median, spread } from './support.mjs';

const ROWS = [...PROGRAM_ROWS, ...BROWSER_ROWS];
const rounds = Number(process.argv[2] ?? 11);
const seconds = Number(process.argv[3] ?? 3);
/** How many calls are under way where no socket can be hammered. */
const INSIDE = 16;

const folder = join(import.meta.dirname, '../node_modules/.cache/bench');
await mkdir(folder, { recursive: true });
const { play, PLAYS } = await import(
  pathToFileURL(await bundleOf('plays.ts', join(folder, 'plays.mjs'))).href
);

async function charge({ send, url }) {
  const request = new Request(`${url}/charge/card`, { method: 'POST', headers: HEADERS, body: CHARGE });
  const response = await send(request);
  if (response.status !== 201) throw new Error(`Refused: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** Charges a second: over 64 connections, or by calls at once where there is no socket. */
async function rateOf(stage) {
  if (stage.isInside !== true) {
    await hammer(stage.url, { path: '/charge/card', body: CHARGE }, { seconds: 1 });
    return (await hammer(stage.url, { path: '/charge/card', body: CHARGE }, { seconds })).rate;
  }
  const end = performance.now() + seconds * 1000;
  let count = 0;
  const repeat = async () => {
    for (; performance.now() < end; count++) await charge(stage);
  };
  await Promise.all(Array.from({ length: INSIDE }, repeat));
  return count / seconds;
}

/** Which version runs, and the answers of each play as a text; the text of the error where a play could not go on. */
async function playAll({ send, url }) {
  const { Node: version } = await (await send(new Request(`${url}/_sandbox/health`))).json();
  const plays = {};
  // One after the other, because two calls at once must arrive in their order.
  for (const name of PLAYS) plays[name] = JSON.stringify(await play(name, send, url).catch(String));
  return { version, plays };
}

async function measured(measure, open) {
  const stage = await open();
  if (stage === null) return null;
  try {
    return await measure(stage);
  } finally {
    await stage.close();
  }
}

const here = [];
for (const { name, open, bytes, differs } of ROWS) {
  const played = await measured(playAll, open);
  if (played === null) {
    console.log(`${name} is left out: it cannot be had here`);
    continue;
  }
  here.push({ name, open, differs, ...played, bytes: await bytes(), starts: [], rates: [] });
  console.log(`${name} has played`);
}
for (let round = 0; round < rounds; round++) {
  for (const { open, starts } of here) {
    const from = performance.now();
    await measured(async (stage) => {
      await charge(stage);
      starts.push(performance.now() - from);
    }, open);
  }
}
for (let round = 0; round < 3; round++)
  for (const { open, rates } of here) rates.push(await measured(rateOf, open));

const [reference] = here;
const rows = here.map(({ name, version, plays, bytes, starts, rates, differs }) => {
  const equal = PLAYS.filter((one) => plays[one] === reference.plays[one]);
  const others = PLAYS.filter((one) => !equal.includes(one));
  const stories = equal.filter((one) => one !== 'trace').length;
  return row(
    `${name} (${version.replace(`${name} `, '').replace(/^Mozilla.*Chrome\/(\d+).*$/, '$1')})`,
    `${stories} of ${PLAYS.length - 1}`,
    equal.includes('trace') ? 'yes' : 'no',
    `${figure(bytes / 2 ** 20, 2)} MiB`,
    `${spread(starts, 0)} ms`,
    figure(median(starts) / median(reference.starts), 2),
    spread(rates, 0),
    [...others, ...differs].join('; '),
  );
});
// Cloudflare's runtime is not a process of ours that answers at once: its tests measure it, and print a row.
const tested = await promisify(execFile)('npm', ['run', '-s', 'test:cloudflare']).catch((error) => error);
const line = tested.stdout.split('\n').find((one) => one.startsWith('{"runtime"'));
if (line !== undefined) {
  const { runtime, isTraceEqual, gzippedKb, firstChargeMs, chargesPerSecond, differs, ...others } =
    JSON.parse(line);
  rows.push(
    row(
      runtime,
      others.stories,
      isTraceEqual ? 'yes' : 'no',
      `${figure(gzippedKb / 1024, 2)} MiB`,
      `${firstChargeMs} ms`,
      '',
      String(chargesPerSecond),
      differs,
    ),
  );
}
const columns = ['runtime', 'stories equal', 'trace byte-equal', 'size, gzipped', 'first charge after start'];
const more = ['times the first row', 'charges a second', 'what differs'];
await writeSection('runtimes', `npm run bench:runtimes -- ${rounds} ${seconds}`, [
  `Each row plays the long trace and ${PLAYS.length - 1} stories; equal means the same bytes as in the first row. Starts: median of ${rounds}, in turns, lowest and highest in brackets. Charges: over 64 connections, median of 3. Sizes of Node, Bun and Deno are without the runtime.`,
  table([...columns, ...more], rows),
]);
