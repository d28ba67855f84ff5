// Runs a second of a sweep in process, of a flow of two calls: a search and a charge. A run makes an empty world, gives it a
// scenario, calls, moves the clock by a day, and reads and judges what is left.
//
//   npm run build && node bench/sweep.mjs [ROUNDS] [SWEEPS]
import { sweep } from '../dist/index.js';
import { median, report, spread } from './support.mjs';

/** The fewest runs that one core should do in a second. */
const GOAL = 200;

const rounds = Number(process.argv[2] ?? 5);
const sweeps = Number(process.argv[3] ?? 10);

const payment = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ Amount: 20, Token: 'tok_approve', Reference: 'order-1' }),
};

/** It takes whatever goes wrong for unknown, so nothing is retried, and every run makes at most two calls. */
async function flow({ fetch }) {
  let paid = null;
  try {
    await (await fetch('/charge?Reference=order-1')).json();
    const answer = await fetch('/charge/token', payment);
    paid = (await answer.json()).Status === 'SUCCESS' || null;
  } catch {
    // Nobody knows.
  }
  return { orders: () => [{ reference: 'order-1', amount: 20, paid }] };
}

async function round() {
  let runs = 0;
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  for (let n = 0; n < sweeps; n++) runs += (await sweep(flow)).runs;
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: (runs / (performance.now() - wall)) * 1000,
    perCpuSecond: (runs / (user + system)) * 1e6,
  };
}

await round();
const done = [];
for (let n = 0; n < rounds; n++) done.push(await round());
const of = (name) => done.map((one) => one[name]);
console.log(
  `${spread(of('perSecond'), 0)} runs a second, ${spread(of('perCpuSecond'), 0)} a second of processor time; goal ${GOAL}`,
);
report({ sweep: { perSecond: median(of('perSecond')), perCpuSecond: median(of('perCpuSecond')) } });
