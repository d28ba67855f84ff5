// How the number of records affects playmoney: 1,000 to 1,000,000 charges in a world, batches of as many rows, and an advance over
// ten years. Each size is measured in its own process. Writes its part of RESULTS.md.
//
//   npm run bench:scale [-- MOST ROUNDS]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { printFigures } from '../test/support/figures.mjs';
import { row, table, writeSection } from './results.mjs';
import { figure } from './support.mjs';

const most = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 3);

const CLOCK_JOBS = 10_000;
const CLOCK_YEARS = 10;

/** A time, without decimals that mean nothing. */
const inMs = (ms) => `${figure(ms, ms < 100 ? 1 : 0)} ms`;

const sizes = [1000, 10_000, 100_000, 1_000_000].filter((size) => size <= most);

/** The figures of the last line: those of the largest size. */
const largest = new Map();

/** Runs a script of this folder and returns the figures that it reports. */
async function figuresOf(script, ...args) {
  console.log(`${script} ${args.join(' ')}`);
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args.map(String), {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    execArgv: ['--expose-gc'],
  });
  let figures = null;
  child.on('message', (reported) => {
    figures = reported;
  });
  const [[code]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  // A script that misses its limit reports figures too, but ends with another exit code.
  if (figures === null) throw new Error(`${script} ${args.join(' ')} ended with ${code} and no figures`);
  return figures;
}

async function storeRows() {
  const rows = [];
  for (const size of sizes) {
    const { bytes, inStore, through, save, restore } = await figuresOf('store.mjs', size);
    largest.set('store', `${figure(bytes)} bytes each, found in ${figure(inStore, 2)} µs`);
    const searches = [`${figure(inStore, 2)} µs`, `${figure(through)} µs`];
    rows.push(row(figure(size), figure(bytes), ...searches, inMs(save), inMs(restore)));
  }
  return rows;
}

async function batchRows() {
  const rows = [];
  for (const size of sizes) {
    const { accept, process: processed, read, upload } = await figuresOf('batch.mjs', size);
    const { longest } = await figuresOf('pause.mjs', size, rounds);
    const times = [accept, processed, read].map(({ seconds }) => `${figure(seconds, 2)} s`);
    largest.set('batch', `as a batch accepted in ${times[0]}, longest pause ${inMs(longest)}`);
    rows.push(
      row(
        figure(size),
        ...times,
        figure(upload, 1),
        figure(Math.max(0, accept.grown - upload)),
        inMs(longest),
      ),
    );
  }
  return rows;
}

async function clockRows() {
  const figures = await figuresOf('clock.mjs', CLOCK_JOBS, CLOCK_YEARS, rounds);
  const names = { expiries: 'vault entries that end', subscriptions: 'charges of daily subscriptions' };
  return Object.entries(figures).map(([name, { ran, ms }]) => row(figure(ran), names[name], inMs(ms)));
}

const [store, batches, clock] = [await storeRows(), await batchRows(), await clockRows()];

await writeSection('scale', `npm run bench:scale -- ${most} ${rounds}`, [
  '### Charges in a world',
  table(
    [
      'charges',
      'bytes each',
      'search by reference, in the store',
      'through the whole app',
      'snapshot',
      'restore',
    ],
    store,
  ),
  '### Batches over HTTP',
  table(
    [
      'rows',
      'accept',
      'process',
      'Results',
      'upload, MiB',
      'memory above the upload while accepting, MiB',
      'longest pause of the loop',
    ],
    batches,
  ),
  `The longest pause is of accepting and processing, in process, the median of ${rounds} runs.`,
  `### An advance over ${CLOCK_YEARS} years`,
  table(['jobs', 'what they are', 'time'], clock),
]);

printFigures('scale', `${figure(sizes.at(-1))} charges: ${[...largest.values()].join('; ')}`);
