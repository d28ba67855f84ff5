// Calls per second without a socket: the sandbox's fetch, a Hono app's, and a global fetch that msw intercepts. Each runs in its own
// process, alternately.
//
//   cd bench && npm ci && npm run inside [-- ROUNDS SECONDS]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { answerFor, idOf } from '../answer.mjs';
import { row, table, writeSection } from '../results.mjs';
import { CHARGE, HEADERS, spread } from '../support.mjs';

const WARM_CALLS = 3000;
const URL_OF_CHARGES = 'http://localhost/charge/card';

const INIT = { method: 'POST', headers: HEADERS, body: CHARGE };

/** Each returns a function that is called like `fetch`. */
const CALLED = {
  'hono, app.request': async () => {
    const { createApp } = await import('./hono-app.mjs');
    const app = createApp();
    return (url, init) => app.request(url, init);
  },
  'playmoney, sandbox.fetch': async () => {
    const { createSandbox } = await import('../../dist/index.js');
    const sandbox = createSandbox({ clock: 'manual' });
    return (url, init) => sandbox.fetch(url, init);
  },
  'msw, an intercepted fetch': async () => {
    const [{ http, HttpResponse }, { setupServer }] = await Promise.all([import('msw'), import('msw/node')]);
    const { isCardNumber } = await import('./card-number.mjs');
    const charges = new Map();
    const handler = http.post(URL_OF_CHARGES, async ({ request }) => {
      const charge = await request.json();
      if (!(charge.Amount > 0 && isCardNumber(charge.PaymentInformation.CardNumber))) {
        return HttpResponse.json({ Message: 'Refused' }, { status: 400 });
      }
      const id = idOf(charges.size + 1);
      charges.set(id, charge);
      return HttpResponse.json(answerFor(id, charge));
    });
    setupServer(handler).listen({ onUnhandledRequest: 'error' });
    return (url, init) => fetch(url, init);
  },
};

/** Makes calls for this many seconds, one after the other. Returns calls per second. */
async function measure(name, seconds) {
  const answer = await CALLED[name]();
  const call = async () => {
    const response = await answer(URL_OF_CHARGES, INIT);
    const { Status } = await response.json();
    if (Status !== 'SUCCESS') throw new Error(`${name} answered ${response.status}`);
  };
  for (let n = 0; n < WARM_CALLS; n++) await call();
  let calls = 0;
  const from = performance.now();
  while (performance.now() - from < seconds * 1000) {
    await call();
    calls++;
  }
  return calls / ((performance.now() - from) / 1000);
}

const THIS = fileURLToPath(import.meta.url);
/** The argument of a process that measures one of them and prints its figure. */
const ALONE = '--alone';

/** Measures one in its own process. Returns null if it fails, and prints a line that says so. */
async function measureApart(name, seconds) {
  const child = spawn(process.execPath, [THIS, ALONE, name, String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = await Promise.all([child.stdout.toArray().then(String), once(child, 'exit')]);
  if (child.exitCode !== 0) console.log(`${name} could not be measured`);
  return child.exitCode === 0 ? Number(text) : null;
}

/** Writes the calls per second of each, with ratios to the Hono app, into RESULTS.md. */
export async function writeInProcess(rounds, seconds) {
  const rates = Object.fromEntries(Object.keys(CALLED).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measured] of Object.entries(rates)) {
      const rate = await measureApart(name, seconds);
      if (rate !== null) measured.push(rate);
    }
  }
  const [bare] = Object.values(rates);
  const good = Object.entries(rates).filter(([, measured]) => measured.length === rounds);
  const rows = good.map(([name, measured]) =>
    row(
      name,
      spread(measured, 0),
      spread(
        measured.map((rate, round) => rate / bare[round]),
        2,
      ),
    ),
  );
  await writeSection('in process', `cd bench && npm run inside -- ${rounds} ${seconds}`, [
    `Median of the rounds (${rounds}, ${seconds} s each), lowest and highest in brackets.`,
    table(['called', 'charges a second', 'of hono'], rows),
  ]);
}

if (process.argv[1] === THIS) {
  if (process.argv[2] === ALONE) {
    console.log(await measure(process.argv[3], Number(process.argv[4])));
    process.exit();
  }
  await writeInProcess(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 2));
}
