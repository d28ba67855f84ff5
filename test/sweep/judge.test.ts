import { describe, expect, test } from 'vitest';

import { createSandbox, type Order, type World } from '../../src/index.js';
import { judgeRun } from '../../src/sweep/judge.js';
import type { Trial } from '../../src/sweep/trial.js';
import { charge } from '../client/support.js';
import { order } from './support.js';
import { type SweepRun, observeWorld } from '../../src/sweep/observed.js';

/** What a program did in its world, and what it believes. */
interface Did {
  readonly calls?: (world: World) => unknown;
  readonly orders?: readonly Order[] | null;
  readonly acted?: readonly string[];
  readonly isStuck?: boolean;
}

/** A run without faults: an order that was charged once. */
const PAID: Did = { calls: (world) => charge(world, 'order-1'), orders: [order()] };

const TRIAL: Trial = [
  {
    point: {
      kind: 'call',
      operation: 'charge.create',
      reference: 'order-1',
      about: 'order-1',
      nth: 1,
      name: 'charge.create order-1',
      isRead: false,
      inFlow: true,
      isHit: false,
      takenBy: null,
      needsPayer: false,
      usesToken: false,
      usesAuthorisation: false,
      hasWebhook: false,
      isAfterWebhook: false,
      isLast: true,
      shape: '',
    },
    fault: { name: 'lost', about: '', then: { fault: 'reset', phase: 'after' }, acts: () => true },
  },
];

async function runOf({ calls, orders = null, acted = ['sweep 1'], isStuck = false }: Did): Promise<SweepRun> {
  using sandbox = createSandbox({ clock: 'manual' });
  const world = sandbox.world();
  await calls?.(world);
  const at = { orders, flowEnd: Infinity, expected: null };
  const observed = await observeWorld(world, '', at, { hasReferences: true });
  return { worlds: [{ ...observed, acted: new Set(acted) }], failure: null, isStuck };
}

async function judged(run: Did, clean: Did = PAID): Promise<ReturnType<typeof judgeRun>> {
  return judgeRun(await runOf(run), await runOf(clean), TRIAL);
}

async function refund(world: World, id: string, amount: number): Promise<void> {
  await world.fetch(`/refund/${id}?Amount=${amount}`, { method: 'DELETE' });
}

const once = (world: World): unknown => charge(world, 'order-1');
const twice = async (world: World): Promise<void> => {
  await charge(world, 'order-1');
  await charge(world, 'order-1');
};
const underTwoReferences = async (world: World): Promise<void> => {
  await charge(world, 'order-1');
  await charge(world, 'order-1-again');
};
const refunding =
  (...amounts: number[]) =>
  async (world: World): Promise<void> => {
    const id = await charge(world, 'order-1');
    for (const amount of amounts) await refund(world, id, amount);
  };
const authorised = (world: World): unknown => charge(world, 'order-1', { Capture: false });
const post = async (world: World, path: string, body: object): Promise<Record<string, string>> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await world.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, string>;
};
/** Creates a customer or a vault entry each time, and then deletes some: those at the places, or one that there is not. */
const creating =
  (path: '/customer/card' | '/vault', times: number, ...deleted: (number | 'other')[]) =>
  async (world: World): Promise<void> => {
    const card = { CardNumber: '4242424242424242', ExpiryDate: '12/30', Ccv: '123', Cardholder: 'Ada Ng' };
    const body =
      path === '/vault'
        ? { CardNumber: card.CardNumber }
        : {
            Email: 'ada@example.com',
            ProviderId: '00000000000000000000000000000001',
            PaymentInformation: card,
          };
    const ids: (string | undefined)[] = [];
    for (let time = 0; time < times; time++) {
      const { CustomerId, VaultId = CustomerId } = await post(world, path, body);
      ids.push(VaultId);
    }
    for (const at of deleted) {
      const id = at === 'other' ? '0'.repeat(32) : ids[at];
      await world.fetch(`${path.replace('/card', '')}/${id}`, { method: 'DELETE' });
    }
  };
const customers = (times: number, ...deleted: (number | 'other')[]) =>
  creating('/customer/card', times, ...deleted);
const entries = (times: number, ...deleted: number[]) => creating('/vault', times, ...deleted);
const nothing = (): void => {};
const REFUNDED: Did = { calls: refunding(2), orders: [{ ...order(), refunded: 2 }] };

describe('The verdict on', () => {
  test.each<[what: string, verdict: string, run: Did, clean?: Did]>([
    ['the same charge and the same belief', 'recovered', { calls: once, orders: [order()] }],
    ['no charge, and the program says so', 'failed and said so', { calls: nothing, orders: [order(false)] }],
    ['no charge, and the program has no order', 'failed and said so', { calls: nothing, orders: [] }],
    ['a program that does not know', 'handed over', { calls: once, orders: [order(null)] }],
    ['two charges for one order', 'charged twice', { calls: twice, orders: [order()] }],
    ['two charges for an order that is unpaid', 'charged twice', { calls: twice, orders: [order(false)] }],
    [
      'two charges for an order that nobody knows about',
      'charged twice',
      { calls: twice, orders: [order(null)] },
    ],
    ['a second Reference', 'charged twice', { calls: underTwoReferences, orders: [order()] }],
    [
      'a second Reference that has an order',
      'charged twice',
      { calls: underTwoReferences, orders: [order(), order(true, 'order-1-again')] },
    ],
    ['a charge for an unpaid order', 'paid, not delivered', { calls: once, orders: [order(false)] }],
    ['a charge without an order', 'paid, not delivered', { calls: once, orders: [] }],
    ['no charge for a paid order', 'delivered, not paid', { calls: nothing, orders: [order()] }],
    [
      'a declined charge for a paid order',
      'delivered, not paid',
      { calls: (world) => charge(world, 'order-1', { Token: 'tok_stolen_card' }), orders: [order()] },
    ],
    [
      'a refund that was made twice',
      'refunded too much',
      { calls: refunding(2, 2), orders: [{ ...order(), refunded: 2 }] },
      REFUNDED,
    ],
    [
      'a refund that was not made',
      'refunded too little',
      { calls: once, orders: [{ ...order(), refunded: 2 }] },
      REFUNDED,
    ],
    [
      'a refund that the program does not know of',
      'delivered, not paid',
      { calls: refunding(2), orders: [order()] },
      REFUNDED,
    ],
    [
      'an authorisation that nobody captured or voided',
      'left open',
      { calls: authorised, orders: [order(false)] },
    ],
    ['a run that did not end', 'stuck', { calls: once, isStuck: true }],
    ['a run that did not end and charged twice', 'charged twice', { calls: twice, isStuck: true }],
    ['a fault that did not act', 'not reached', { calls: once, orders: [order()], acted: [] }],
    ['two charges without the fault', 'charged twice', { calls: twice, orders: [order()], acted: [] }],
    ['two charges, without orders', 'charged twice', { calls: twice }, { calls: once }],
    [
      'a second refund, without orders',
      'refunded too much',
      { calls: refunding(2, 2) },
      { calls: refunding(2) },
    ],
    ['an open authorisation, without orders', 'left open', { calls: authorised }, { calls: once }],
    ['a second customer', 'created twice', { calls: customers(2) }, { calls: customers(1) }],
    ['a second customer that was removed', 'recovered', { calls: customers(2, 0) }, { calls: customers(1) }],
    [
      'a second customer instead of which another was to be removed',
      'created twice',
      { calls: customers(2, 'other') },
      { calls: customers(1) },
    ],
    [
      'two more customers, of which one was removed twice',
      'created twice',
      { calls: customers(3, 0, 0) },
      { calls: customers(1) },
    ],
    [
      'two more vault entries, of which one was deleted',
      'created twice',
      { calls: entries(3, 0) },
      { calls: entries(1) },
    ],
    ['a charge, without orders', 'recovered', { calls: once }, { calls: once }],
  ])('%s: %s', async (_, verdict, run, clean) => {
    expect((await judged(run, clean)).verdict).toBe(verdict);
  });
});

test('What is wrong has the order, what was taken, and what the program believes.', async () => {
  const { disagreements: wrongs } = await judged({ calls: twice, orders: [order(), order(true, 'order-2')] });
  expect(
    wrongs.map(({ verdict, reference, ordered, taken, believed }) => [
      verdict,
      reference,
      ordered,
      taken,
      believed,
    ]),
  ).toEqual([
    ['charged twice', 'order-1', 5, 10, 'paid'],
    ['delivered, not paid', 'order-2', 5, 0, 'paid'],
  ]);
});

/** A shop with a call that the clean run does not make, and then a fault. */
const otherwise = (believed: Order): Did => ({
  calls: async (world) => {
    await world.fetch('/customer');
    await world.scenario.use({
      name: 'sweep',
      rules: [{ name: 'sweep 1', when: { operation: 'charge.create' }, then: { fault: 'reset' } }],
    });
    await charge(world, 'order-1').catch(() => {});
  },
  orders: [believed],
});

test('Other calls before the fault prove nothing, but money that is wrong is reported.', async () => {
  expect((await judged(otherwise(order(false)))).verdict).toBe('not deterministic');
  expect((await judged(otherwise(order()))).verdict).toBe('delivered, not paid');
});

test('Of several worlds, the worst names the verdict; one in which the fault did not act counts only if its money is wrong.', async () => {
  const [clean, bad, same] = [await runOf(PAID), await runOf({ ...PAID, calls: twice }), await runOf(PAID)];
  const named = (run: SweepRun, name: string): SweepRun['worlds'] =>
    run.worlds.map((world) => ({ ...world, name }));
  const unreached = (run: SweepRun): SweepRun['worlds'] =>
    named(run, 'c').map((world) => ({ ...world, acted: new Set<string>() }));
  const before = { ...clean, worlds: ['a', 'b', 'c'].flatMap((name) => named(clean, name)) };
  const verdictOf = (...worlds: SweepRun['worlds'][]): string =>
    judgeRun({ ...bad, worlds: worlds.flat() }, before, TRIAL).verdict;
  expect(verdictOf(named(same, 'a'), named(bad, 'b'))).toBe('charged twice');
  expect(verdictOf(named(same, 'a'), unreached(same))).toBe('recovered');
  expect(verdictOf(named(same, 'a'), unreached(bad))).toBe('charged twice');
  expect(verdictOf(unreached(same))).toBe('not reached');
});
