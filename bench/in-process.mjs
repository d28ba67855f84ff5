// Charges per second of a sandbox in process, with everything on (journal, clock, strict reading), compared with a bare Hono
// route that reads the same JSON and returns an answer of the same size. Both are called through `Request` and `Response`, which are most of the
// cost of the bare route. Measured alternately; medians.
//
//   npm run build && node bench/in-process.mjs [SECONDS] [RUNS]
import { Hono } from 'hono';

import { createSandbox } from '../dist/index.js';
import { CHARGE, HEADERS, median, spread } from './support.mjs';

const [seconds = 2, runs = 5] = process.argv.slice(2).map(Number);
const INIT = { method: 'POST', headers: HEADERS, body: CHARGE };

const sandbox = createSandbox({ recordsMax: 50_000_000 });
const sample = await (await sandbox.fetch('/charge/card', INIT)).json();
const bare = new Hono().post('/charge/card', async (c) =>
  c.json({ ...sample, ...(await c.req.json()) }, 201),
);

const CALLS = {
  'bare Hono route': () => bare.request('http://localhost/charge/card', INIT),
  playmoney: () => sandbox.fetch('http://localhost/charge/card', INIT),
};

/** Calls per second, one after the other. Each answer is read. */
async function measure(call) {
  const begun = performance.now();
  const end = begun + seconds * 1000;
  let calls = 0;
  while (performance.now() < end) {
    for (let n = 0; n < 100; n++) {
      const answer = await call();
      if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
      await answer.text();
    }
    calls += 100;
  }
  return (calls * 1000) / (performance.now() - begun);
}

const rates = Object.fromEntries(Object.keys(CALLS).map((name) => [name, []]));
for (const call of Object.values(CALLS)) await measure(call);
for (let run = 0; run < runs; run++) {
  for (const [name, call] of Object.entries(CALLS)) rates[name].push(await measure(call));
}

for (const [name, measured] of Object.entries(rates)) {
  console.log(`${name.padEnd(16)} ${spread(measured, 0)} calls/s`);
}
const ratios = rates.playmoney.map((rate, run) => rate / rates['bare Hono route'][run]);
console.log(`ratio            ${spread(ratios, 2)}`);
console.log(`a charge costs   ${(1e6 / median(rates.playmoney)).toFixed(1)} µs`);
sandbox.close();
