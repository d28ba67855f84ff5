import type { World } from '../../../src/world/world.js';
import { type Client, client, good, testSandbox, type TestSandbox } from '../../support/sandbox.js';
import { batchOf, FLAKY, SLOW, storing, textIn, VISA } from '../../support/stored.js';
import { type Call, playTrace, record, type Recorded } from '../../support/trace.js';

export const KEY = 'sk_test_a';
const LOCAL = 'http://localhost';

export interface Setup {
  readonly sandbox: TestSandbox;
  readonly api: Client;
  /** The world as it is by now: a restore puts another one into its place. */
  readonly world: () => World;
}

export function setup(): Setup {
  const sandbox = testSandbox({ seed: '42' });
  return { sandbox, api: client(sandbox), world: () => sandbox.worlds.open(KEY) };
}

/** Plays the long trace, each answer with its bytes and headers. */
export async function trace({ sandbox }: Setup, key = KEY): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  await playTrace(async (call: Call) => {
    const answer = await record(sandbox.fetch, LOCAL, key, call);
    // The journal goes on through a restore, and stays behind when a world is exported.
    recorded.push({ ...answer, text: answer.text.replace(/"JournalEntries":\d+/, '') });
    return answer;
  });
  return recorded;
}

/** A document changed at a path such as `Charges.0.Status`; undefined removes. */
export function changed(text: string, path: string, value: unknown): Record<string, unknown> {
  const document = JSON.parse(text) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() ?? '';
  let place = document;
  for (const name of names) place = place[name] as Record<string, unknown>;
  if (value === undefined) delete place[last];
  else place[last] = value;
  return document;
}

export const charge = (more: object = {}): object => storing({ Amount: 15.5, ...more });

/** Brings a world to where everything is under way: a batch half done, jobs waiting, counts and draws begun. */
export async function busy(api: Client): Promise<{ batchId: string; chargeId: string }> {
  await good(api.charge(charge({ ProviderId: FLAKY })));
  await good(api.charge(charge({ ProviderId: SLOW })));
  const authorised = await good(api.charge(charge({ Capture: false, Reference: 'held' })));
  const entry = await good(api.post('/vault', { CardNumber: VISA, ExpireSeconds: 3600 }));
  await good(api.del(`/vault/${textIn(entry, 'VaultId')}`));
  await good(api.post('/vault', { CardNumber: VISA, Ccv: '123', ExpireSeconds: 3600 }));
  await good(api.post('/_sandbox/tokens', storing()));
  const jo = { FirstName: 'Jo', Email: 'jo@example.com', Metadata: { Colour: 'red', __type: 'x' } };
  const customer = await good(api.post('/customer/card', storing({ ...jo, VaultCard: true })));
  const method = textIn(customer, 'DefaultPaymentMethod', 'PaymentMethodId');
  const rows = Array.from({ length: 20 }, (_, n) => `${n % 4 === 3 ? 'unknown' : method},5,AUD,b${n}`);
  const batch = await good(api.post('/batch/transaction/payment_method', batchOf(rows)));
  // Two seconds until it starts, then a row each 100 ms.
  await api.advance('3s');
  return { batchId: textIn(batch, 'BatchId'), chargeId: textIn(authorised, 'ChargeId') };
}

/** What a world answers from here on, with all that moves by counts, draws and time. */
export async function goOn(one: Setup, batchId: string, key = KEY): Promise<Recorded[]> {
  const send = (call: Call): Promise<Recorded> => record(one.sandbox.fetch, LOCAL, key, call);
  const before = one.sandbox.host.slept.length;
  const recorded = [
    await send({ method: 'GET', path: `/batch/${batchId}` }),
    await send({ method: 'POST', path: '/charge/card', body: charge({ ProviderId: FLAKY }) }),
    await send({ method: 'POST', path: '/charge/card', body: charge({ ProviderId: FLAKY }) }),
    await send({ method: 'POST', path: '/_sandbox/clock/advance', body: { By: '700ms' } }),
    await send({ method: 'GET', path: `/batch/${batchId}` }),
    await send({ method: 'POST', path: '/_sandbox/clock/advance', body: { By: '8d' } }),
    await send({ method: 'GET', path: `/batch/${batchId}` }),
    await send({ method: 'GET', path: '/charge?Reference=held' }),
    await send({ method: 'GET', path: '/charge?Limit=500' }),
    await send({ method: 'GET', path: '/customer?Email=jo@example.com' }),
    ...(await trace(one, key)),
    await send({ method: 'GET', path: '/_sandbox/state' }),
  ];
  const slept = JSON.stringify(one.sandbox.host.slept.slice(before));
  return [...recorded, { call: 'real sleeps', status: 200, text: slept, headers: {} }];
}
