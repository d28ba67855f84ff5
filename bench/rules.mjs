// Charges per second with a scenario of 20 rules, measured alternately with the same program without a scenario. The journal is on in
// both. No rule matches the charge, so each call checks all twenty: the highest cost that rules can have.
//
//   npm run build && node bench/rules.mjs [ROUNDS] [SECONDS]
import { hammer } from './hammer.mjs';
import { CHARGE, HEADERS, median, SERVERS, spread, start } from './support.mjs';

/** The rate with rules must be at least this share of the rate without. */
const GATE = 0.85;

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 4);

/** Five kinds of conditions. The charge matches none of them, but each has to look at it. */
const KINDS = [
  (n) => ({ operation: 'charge.create', reference: `order-${n}-*` }),
  (n) => ({ operation: 'charge.create', amount: { gte: 1000 * (n + 1) } }),
  (n) => ({ operation: 'charge.*', card: `4000*${1000 + n}`, currency: 'AUD' }),
  (n) => ({
    operation: ['charge.create', 'charge.capture'],
    provider: 'down',
    header: { 'user-agent': `app-${n}/*` },
  }),
  (n) => ({ operation: 'charge.create', currency: 'AUD', after: 1_000_000_000 - n }),
];
const SCENARIO = {
  name: 'twenty rules',
  rules: Array.from({ length: 20 }, (_, n) => ({
    name: `rule ${n}`,
    when: KINDS[n % KINDS.length](n),
    // As in a scenario file; none of it is a function.
    // oxlint-disable-next-line unicorn/no-thenable
    then: { outcome: 'do_not_honor' },
  })),
};

async function play(url) {
  const body = JSON.stringify({ Definition: SCENARIO });
  const response = await fetch(`${url}/_sandbox/scenario`, { method: 'PUT', headers: HEADERS, body });
  const { Rules } = await response.json();
  if (Rules?.length !== SCENARIO.rules.length)
    throw new Error(`The server refused the scenario: ${response.status}`);
}

const servers = {
  plain: { ...(await start(SERVERS.playmoney)), rates: [] },
  rules: { ...(await start(SERVERS.playmoney)), rates: [] },
};
await play(servers.rules.url);
const charge = { path: '/charge/card', body: CHARGE };
for (const { url } of Object.values(servers)) await hammer(url, charge, { seconds: 2 });
const ratios = [];
for (let round = 0; round < rounds; round++) {
  // Each goes first in every other round, so that a machine that slows down favours neither.
  const pair = round % 2 === 0 ? ['plain', 'rules'] : ['rules', 'plain'];
  for (const name of pair)
    servers[name].rates.push((await hammer(servers[name].url, charge, { seconds })).rate);
  ratios.push(servers.rules.rates.at(-1) / servers.plain.rates.at(-1));
}
const { plain, rules } = servers;
for (const { child } of [plain, rules]) child.kill('SIGKILL');
console.log(`without rules: ${spread(plain.rates, 0)} charges a second`);
console.log(`20 rules: ${spread(rules.rates, 0)} charges a second`);
const met = median(ratios) >= GATE;
console.log(`under rules: ${spread(ratios, 2)} of the rate without; gate ${GATE}: ${met ? 'met' : 'missed'}`);
if (!met) process.exitCode = 1;
