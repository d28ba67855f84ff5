import { expect } from 'vitest';

import type { World } from '../../../src/world.js';
import { type Answer, type Client, client, testSandbox, type TestSandbox } from '../../support/sandbox.js';
import { cardOf, FLAKY, STEADY, storing, batchOf } from '../../support/stored.js';
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

/** An answer that must be good. */
export async function good(answer: Promise<Answer>): Promise<Answer> {
  const given = await answer;
  expect(given.status, given.text).toBe(200);
  return given;
}

export function idOf(answer: Answer, member: string): string {
  const id = answer.body[member];
  if (typeof id !== 'string') throw new Error(`No ${member} in ${answer.text}`);
  return id;
}

export const charge = (more: object = {}): object => ({
  Amount: 15.5,
  ProviderId: STEADY,
  PaymentInformation: cardOf(),
  ...more,
});

/** Brings a world to where everything is under way: a batch half done, jobs waiting, counts and draws begun. */
export async function busy(api: Client): Promise<{ batchId: string; chargeId: string }> {
  await good(api.charge(charge({ ProviderId: FLAKY })));
  await good(api.charge(charge({ ProviderId: '00000000000000000000000000000003' })));
  const authorised = await good(api.charge(charge({ Capture: false, Reference: 'held' })));
  const entry = await good(api.post('/vault', { CardNumber: '4111111111111111', ExpireSeconds: 3600 }));
  await good(api.del(`/vault/${idOf(entry, 'VaultId')}`));
  await good(api.post('/vault', { CardNumber: '4111111111111111', Ccv: '123', ExpireSeconds: 3600 }));
  await good(api.post('/_sandbox/tokens', storing()));
  const customer = await good(
    api.post('/customer/card', {
      FirstName: 'Jo',
      Email: 'jo@example.com',
      Metadata: { Colour: 'red', __type: 'x' },
      ProviderId: STEADY,
      PaymentInformation: cardOf(),
      VaultCard: true,
    }),
  );
  const { PaymentMethodId } = customer.body['DefaultPaymentMethod'] as { PaymentMethodId: string };
  const rows = Array.from(
    { length: 20 },
    (_, n) => `${n % 4 === 3 ? 'unknown' : PaymentMethodId},5,AUD,b${n}`,
  );
  const batch = await good(api.post('/batch/transaction/payment_method', batchOf(rows)));
  // Two seconds until it starts, then a row each 100 ms.
  await api.advance('3s');
  return { batchId: idOf(batch, 'BatchId'), chargeId: idOf(authorised, 'ChargeId') };
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
