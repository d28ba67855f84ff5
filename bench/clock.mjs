// An advance over many years: jobs that are due one after the other, each at its own instant, and subscriptions that charge
// daily, each charge scheduling the next. In process.
//
//   npm run build && node bench/clock.mjs [JOBS] [YEARS] [ROUNDS]
import { createSandbox } from '../dist/index.js';
import { callerOf, CHARGE, median, report, spread } from './support.mjs';

/** The longest that an advance of 10,000 jobs over ten years should take, in milliseconds. */
const GOAL_MS = 500;
const DAY_MS = 86_400_000;

const jobs = Number(process.argv[2] ?? 10_000);
const years = Number(process.argv[3] ?? 10);
const rounds = Number(process.argv[4] ?? 5);
const days = 365 * years;

/** Vault entries that expire one after the other until the end of the time. */
async function expiries(call) {
  const each = Math.floor((days * DAY_MS) / jobs / 1000);
  for (let n = 1; n <= jobs; n++)
    await call('/vault', { CardNumber: '4111111111111111', ExpireSeconds: n * each });
}

/** Daily subscriptions that charge about as often in the same time. */
async function subscriptions(call) {
  const { ProviderId, PaymentInformation: card } = JSON.parse(CHARGE);
  const { PaymentMethodId } = await call('/payment_method/card', {
    ProviderId,
    PaymentInformation: { ...card, ExpiryDate: '12/49' },
  });
  const terms = { PaymentMethodId, Amount: 9.5, Currency: 'AUD', Interval: 'Day' };
  for (let n = 0; n < jobs / days; n++) await call('/subscription/payment_method', terms);
}

async function advance(prepare) {
  const sandbox = createSandbox({ clock: { mode: 'manual' } });
  const call = callerOf(sandbox);
  await prepare(call);
  const from = performance.now();
  const { Jobs } = await call('/_sandbox/clock/advance', { By: `${days}d` });
  const ms = performance.now() - from;
  sandbox.close();
  return { ms, ran: Jobs };
}

const figures = {};
for (const prepare of [expiries, subscriptions]) {
  const done = [];
  for (let round = 0; round < rounds; round++) done.push(await advance(prepare));
  const times = done.map(({ ms }) => ms);
  const [{ ran }] = done;
  figures[prepare.name] = { ms: median(times), ran };
  console.log(
    `${prepare.name}: ${ran} jobs over ${years} years in ${spread(times, 0)} ms; goal ${GOAL_MS} ms`,
  );
}
report(figures);
