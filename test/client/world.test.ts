import { createServer } from 'node:http';

import { describe, expect, test } from 'vitest';

import { connect, type EntryFilter, type Order, SandboxError } from '../../src/index.js';
import { charge, charging, type Reached, WAYS } from './support.js';
import { portOf } from '../support/serving.js';

async function refusal(promise: Promise<unknown>): Promise<SandboxError> {
  const error: unknown = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SandboxError);
  return error as SandboxError;
}

const KEY = 'sk_test_handle';

/** Fills the journal of the world, whichever way leads there. */
const callVersion = async ({ sandbox }: Reached, times: number): Promise<void> => {
  for (let n = 0; n < times; n++) await sandbox.world(KEY).fetch('/version');
};

describe.each(WAYS)('a world %s', (_way, reach) => {
  /** A world of the test's own: what a test that timed out goes on to send does not reach the next one. */
  async function setup() {
    const reached = await reach();
    return { reached, world: reached.world(KEY) };
  }

  test('takes bare paths, addresses and requests, and sends its key with all', async () => {
    const { reached, world } = await setup();
    const answers = [
      await world.fetch('/charge'),
      await world.fetch(new URL(`${world.url}/charge`)),
      await world.fetch(new Request(`${world.url}/charge`, { headers: { 'x-secretkey': 'sk_test_other' } })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await world.journal.count({ path: '/charge' })).toBe(3);
    expect(await reached.world('sk_test_other').journal.count()).toBe(0);
    expect(reached.world().key).toBe('sk_test_local');
  });

  test('moves its clock by a time, to an instant, and in another mode', async () => {
    const { world } = await setup();
    expect(await world.clock.now()).toBe('2026-01-01T00:00:00.000Z');
    expect(await world.clock.advance('2h')).toMatchObject({
      now: '2026-01-01T02:00:00.000Z',
      jobs: 0,
      ran: [],
    });
    await world.clock.advance({ by: '30m' });
    await world.clock.advance({ to: new Date('2026-01-02T00:00:00Z') });
    expect(await world.clock.get()).toEqual({
      now: '2026-01-02T00:00:00.000Z',
      mode: 'manual',
      rate: 0,
      nextDue: null,
    });
    expect(await world.clock.set({ mode: 'manual', now: '2026-02-01T00:00:00Z' })).toMatchObject({
      now: '2026-02-01T00:00:00.000Z',
    });
    expect((await world.clock.set({ mode: 'scaled', rate: 10 })).rate).toBe(10);
    expect((await world.clock.set('manual')).mode).toBe('manual');
  });

  test('says what it refuses with code, status, message and details', async () => {
    const { world } = await setup();
    const back = await refusal(world.clock.advance({ to: '2000-01-01T00:00:00Z' }));
    expect([back.name, back.code, back.status, back.details]).toEqual(['SandboxError', 90, 400, null]);
    expect(back.message).toContain('2000-01-01');
    const queued = await refusal(world.outcomes.queue('charge.create', ['insuficient_funds']));
    expect(queued.details).toEqual({ Outcomes: expect.stringContaining('insufficient_funds') });
    expect(queued.answer).toMatchObject({ HttpStatus: 400, Resource: '/_sandbox/outcomes' });
  });

  test('lists what a restore undid, and counts it only if asked', async () => {
    const { world } = await setup();
    const before = await world.snapshot();
    await world.fetch('/charge');
    await world.restore(before);
    await world.fetch('/customer');
    const listed = async (filter?: EntryFilter): Promise<unknown[]> =>
      (await world.journal.entries(filter)).map(({ path, undone }) => [path, undone]);
    const [undone, present] = [
      ['/charge', true],
      ['/customer', false],
    ];
    expect(await listed()).toEqual([undone, present]);
    expect(await listed({ undone: true })).toEqual([undone]);
    expect(await listed({ undone: false })).toEqual([present]);
    expect(await world.journal.count()).toBe(1);
    expect(await world.journal.count({ path: '/charge', undone: true })).toBe(1);
    expect(await world.journal.await({})).toMatchObject([{ path: '/customer' }]);
  });

  test('queues outcomes, faults and delays, lists and clears them', async () => {
    const { world } = await setup();
    const { outcomeQueueId, left } = await world.outcomes.queue(
      'charge.create',
      [
        'issuer_unavailable',
        { fault: 'reset', phase: 'after' },
        { outcome: 'approve', delay: { min: '1ms', max: '2ms' } },
      ],
      { reference: 'order-*', amount: '5' },
    );
    expect([outcomeQueueId, left]).toEqual([1, 3]);
    expect(await world.outcomes.list()).toEqual([
      {
        outcomeQueueId: 1,
        operation: 'charge.create',
        match: { reference: 'order-*', providerId: null, cardNumber: null, amount: '5' },
        left: 3,
        outcomes: [
          'issuer_unavailable',
          { fault: 'reset', phase: 'after' },
          { outcome: 'approve', delay: { min: '1ms', max: '2ms' }, phase: 'before' },
        ],
      },
    ]);
    expect((await world.fetch('/charge/token', charging('order-1'))).status).toBe(400);
    await expect(world.fetch('/charge/token', charging('order-1'))).rejects.toThrow('fetch failed');
    expect((await world.fetch('/charge/token', charging('order-1'))).status).toBe(201);
    expect((await world.charges()).map(({ Status }) => Status)).toEqual(['FAILED', 'SUCCESS', 'SUCCESS']);
    await world.outcomes.queue('charge.create', ['do_not_honor']);
    expect(await world.outcomes.clear()).toHaveLength(1);
    expect(await world.outcomes.list()).toEqual([]);
  });

  test('compares the orders of a shop with its charges', async () => {
    const { world } = await setup();
    const chargeId = await charge(world, 'order-1');
    const order: Order = { reference: 'order-1', amount: '5.00', currency: 'aud', paid: true, refunded: 0 };
    expect(await world.reconcile([order, { amount: 7, paid: null }])).toMatchObject({
      balanced: true,
      findings: [],
      totals: [
        { reference: 'order-1', ordered: 5, expected: 5, left: 5 },
        { reference: null, ordered: 7, expected: null, left: 0 },
      ],
    });
    expect((await world.reconcile([{ ...order, paid: false }])).findings).toEqual([
      {
        kind: 'charged, not ordered',
        message:
          'order-1 was charged, but not ordered: 1 charge took 5 AUD; the shop believes that it is not paid.',
        reference: 'order-1',
        currency: 'AUD',
        ordered: 5,
        expected: 0,
        captured: 5,
        refunded: 0,
        left: 5,
        charges: [{ chargeId, status: 'SUCCESS', amount: 5, refunded: 0, entryId: 1 }],
      },
    ]);
    const mistyped = { amount: 5, paid: true, referense: 'order-1' } as Order;
    expect((await refusal(world.reconcile([mistyped]))).message).toContain('did you mean Reference?');
    expect(await world.journal.count()).toBe(1);
  });

  test('shows its journal in the order of the calls, with bodies as they were sent', async () => {
    const { world } = await setup();
    await charge(world, 'order-1', { Metadata: { anyName: 'kept' } });
    await world.fetch('/charge?Reference=order-1');
    const [first, second, ...others] = await world.journal.entries();
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      method: 'POST',
      path: '/charge/token',
      operation: 'charge.create',
      status: 201,
      trigger: 'token:tok_approve',
      at: '2026-01-01T00:00:00.000Z',
      requestBody: { Reference: 'order-1', Metadata: { anyName: 'kept' } },
      responseBody: { Status: 'SUCCESS' },
      deliveries: [],
    });
    expect(first?.requestHeaders['content-type']).toBe('application/json');
    expect(second?.query).toBe('Reference=order-1');
    expect(
      await world.journal.entries({ operation: 'charge.search', since: '2025-12-31T00:00:00Z' }),
    ).toEqual([second]);
    expect(await world.journal.entries({ search: 'TOKEN:TOK_APPROVE' })).toEqual([first]);
    expect(await world.journal.entries({ search: 'anyname', operation: 'charge.search' })).toEqual([second]);
    expect(await world.journal.count({ body: { Metadata: { anyName: 'kept' } } })).toBe(1);
    expect(await world.journal.clear()).toBe(2);
    expect(await world.journal.entries()).toEqual([]);
  });

  test('gives all entries of a journal that is longer than a page', async () => {
    const { reached, world } = await setup();
    await callVersion(reached, 501);
    const entries = await world.journal.entries();
    expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(501);
    expect(entries[0]?.entryId).toBeLessThan(entries[500]?.entryId ?? 0);
  });

  test('does not count what could have been lost', async () => {
    const { reached, world } = await setup();
    await callVersion(reached, 10_001);
    await expect(world.journal.count({ path: '/version' })).rejects.toThrow(
      'the journal has dropped older entries',
    );
  });

  test('waits for calls, and says in what the nearest differ', async () => {
    const { world } = await setup();
    const waiting = world.journal.await({ reference: 'late' }, { timeout: '60s' });
    await charge(world, 'late');
    expect((await waiting).map(({ path }) => path)).toEqual(['/charge/token']);
    const vain = await refusal(world.journal.await({ reference: 'never' }, { count: 2, timeout: '1ms' }));
    expect([vain.status, vain.code]).toEqual([408, 94]);
    expect(vain.message).toContain('POST /charge/token 201: Reference is "late", not "never"');
  });

  test('plays scenarios by name and by definition, and lists rules that never matched', async () => {
    const { world } = await setup();
    const named = await world.scenario.use('rate-limited');
    expect(named.scenario).toBe('rate-limited');
    expect(await world.scenario.use({ yaml: 'name: from a file\n' })).toMatchObject({
      scenario: 'from a file',
    });
    const state = await world.scenario.use({
      name: 'no money',
      rules: [
        {
          when: { operation: 'charge.create' },
          then: { outcome: 'insufficient_funds', state: { askedOnce: true } },
        },
        { name: 'refunds', when: { operation: 'charge.refund' }, then: { outcome: 'unable_to_refund' } },
      ],
    });
    expect(state.rules).toEqual([
      { rule: 'rule 1', matched: 0 },
      { rule: 'refunds', matched: 0 },
    ]);
    expect((await world.fetch('/charge/token', charging('order-1'))).status).toBe(400);
    expect(await world.scenario.unmatched()).toEqual(['refunds']);
    const current = await world.scenario.current();
    expect(current.state).toEqual({ askedOnce: true });
    expect(current.definition?.rules?.[1]).toMatchObject({
      name: 'refunds',
      when: { operation: ['charge.refund'] },
    });
    expect((await world.scenario.clear()).scenario).toBeNull();
    expect((await world.scenario.list()).map(({ name }) => name)).toContain('lost-answer');
    const bad = await refusal(
      world.scenario.use({ name: 'bad', rules: [{ then: { outcome: 'nonsense' } }] }),
    );
    expect(Object.keys(bad.details ?? {})).toEqual(['Definition.rules.0.then.outcome']);
  });

  test('takes snapshots under names of its own choice, compares, restores and forgets them', async () => {
    const { world } = await setup();
    await charge(world, 'kept');
    const first = await world.snapshot();
    expect([first.name, first.counts['charges']]).toEqual(['snapshot-1', 1]);
    expect((await world.snapshot()).name).toBe('snapshot-2');
    const lost = await charge(world, 'lost');
    expect(await world.diff(first)).toMatchObject({
      counts: { charges: { added: 1, changed: 0, removed: 0 } },
      changes: [{ kind: 'charge', id: lost, change: 'added' }],
    });
    expect((await world.restore(first)).counts['charges']).toBe(1);
    expect((await world.charges()).map(({ Reference }) => Reference)).toEqual(['kept']);
    await world.forget('snapshot-2');
    expect((await world.snapshots()).map(({ name }) => name)).toEqual(['snapshot-1']);
    expect((await refusal(world.restore('snapshot-2'))).status).toBe(404);
  });

  test('goes as a document into another world', async () => {
    const { reached, world } = await setup();
    await charge(world, 'moved');
    const other = reached.world('sk_test_fork');
    const state = await other.importState(await world.exportState());
    expect(state.counts['charges']).toBe(1);
    expect((await other.charges())[0]?.Reference).toBe('moved');
  });

  test('resets with another seed and scenario', async () => {
    const { world } = await setup();
    const before = await world.state();
    expect(before).toMatchObject({ seed: '1', dialect: 'auto', scenario: null });
    expect(before.clock).toEqual({ now: '2026-01-01T00:00:00.000Z', mode: 'manual', rate: 0 });
    await charge(world, 'gone');
    const fresh = await world.reset({ seed: '7', scenario: 'flaky-provider' });
    expect([fresh.seed, fresh.scenario, fresh.counts['charges']]).toEqual(['7', 'flaky-provider', 0]);
  });

  test('resets with a name, a clock and settings, so that worlds of two keys give the same', async () => {
    const { world, reached } = await setup();
    const options = {
      name: 'pays by card',
      clock: { mode: 'manual', now: new Date('2027-03-01T00:00:00Z') },
      settings: { tokenTtl: 60_000, strict: true, webhookSecret: 'whsec_own', ccvTtl: null },
    } as const;
    const seen = [];
    for (const one of [world, reached.world('sk_test_twin')]) {
      const { name, clock } = await one.reset(options);
      expect([name, clock.now]).toEqual(['pays by card', '2027-03-01T00:00:00.000Z']);
      const { TokenId, ExpiresAt } = await one.createToken({
        paymentInformation: { CardNumber: '4111111111111111', ExpiryDate: '10/30' },
      });
      expect(ExpiresAt).toBe('2027-03-01T00:01:00.000Z');
      expect((await one.fetch('/charge?Unknown=1')).status).toBe(400);
      seen.push(TokenId);
    }
    expect(seen[1]).toBe(seen[0]);
    expect((await world.reset({ clock: 'manual' })).clock.now).toBe('2026-01-01T00:00:00.000Z');
    const refused = await refusal(world.reset({ settings: { webhooks: 'public' } }));
    expect(refused.message).toContain('Settings.Webhooks is public; it must be off or private');
  });

  test('lets happen what would take long, and makes tokens', async () => {
    const { world } = await setup();
    const { TokenId } = await world.createToken({
      paymentInformation: { CardNumber: '4111111111111111', ExpiryDate: '10/30', Ccv: '123' },
    });
    const id = await charge(world, 'held', { Token: TokenId, Capture: false });
    const expired = await world.simulate('authorisation.expire', id);
    expect(expired.Status).toBe('AUTHORISE_CANCELLED');
    expect((await refusal(world.simulate('authorisation.expire', id))).code).toBe(54);
  });

  test('publishes its triggers', async () => {
    const { world } = await setup();
    const { cards, outcomes, precedence, statuses } = await world.triggers();
    expect(statuses.find(({ status }) => status === 'Authorised')?.next).toEqual([
      'SUCCESS',
      'AUTHORISE_CANCELLED',
    ]);
    expect(cards.find(({ cardNumber }) => cardNumber === '4000000000009995')?.effect).toContain(
      'insufficient_funds',
    );
    expect(outcomes[0]).toMatchObject({ outcome: 'approve', httpStatus: null });
    expect(precedence.length).toBeGreaterThan(3);
  });

  test('lists its charges without a trace in the journal, also above a page', async () => {
    const { reached, world } = await setup();
    const inProcess = reached.sandbox.world(KEY);
    for (let n = 0; n < 500; n++) await charge(inProcess, 'many');
    await charge(world, 'last');
    await world.journal.clear();
    expect(await world.charges()).toHaveLength(501);
    expect(await world.charges({ reference: 'last', status: 'SUCCESS' })).toHaveLength(1);
    expect(await world.charges({ reference: 'nobody' })).toEqual([]);
    expect(await world.journal.count()).toBe(0);
  });

  test('lets the global fetch in, with its key', async () => {
    const { world } = await setup();
    const restore = world.intercept('https://api.example.com');
    const answer = await fetch('https://api.example.com/charge/token', charging('let-in'));
    restore();
    expect(answer.status).toBe(201);
    expect((await world.charges()).map(({ Reference }) => Reference)).toEqual(['let-in']);
  });
});

describe.each(WAYS)('webhooks %s', (_way, reach) => {
  test('are listed, waited for and sent again', async () => {
    const received: string[] = [];
    const reached = await reach({
      deliver: ({ url, body }) => {
        received.push(`${url} ${(JSON.parse(body) as { data: { status: string } }).data.status}`);
        return Promise.resolve({ status: 204 });
      },
    });
    const world = reached.world('sk_test_hooks');
    await charge(world, 'told', { Webhook: { Url: 'http://shop.test/hook' } });
    const [delivery, ...others] = await world.deliveries.await('transaction.status.changed', {
      timeout: '60s',
    });
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({
      eventType: 'transaction.status.changed',
      status: 'delivered',
      responseStatus: 204,
      body: { data: { reference: 'told' } },
    });
    await world.deliveries.resend(delivery?.deliveryId ?? '');
    await world.settle({ timeout: '60s' });
    expect(received).toEqual(['http://shop.test/hook SUCCESS', 'http://shop.test/hook SUCCESS']);
    const listed = await world.deliveries.list({ status: 'delivered' });
    expect(listed.map(({ deliveryId }) => deliveryId)[0]).toBe(delivery?.deliveryId);
    const [entry] = await world.journal.entries({ operation: 'charge.create' });
    expect(entry?.deliveries[0]).toMatchObject({ status: 'delivered', url: 'http://shop.test/hook' });
    const vain = await refusal(world.deliveries.await('batch.status.changed', { timeout: '1ms' }));
    expect(vain.message).toContain('Event is "transaction.status.changed", not "batch.status.changed"');
  });
});

describe.each(WAYS)('a guarded control plane %s', (_way, reach) => {
  test('is open to those who made the sandbox, or know its token', async () => {
    const reached = await reach({ adminToken: 'open sesame' });
    expect((await reached.world().state()).seed).toBe('1');
  });
});

describe('an address where no sandbox runs', () => {
  test('is named, with the reason', async () => {
    const gone = await refusal(connect('http://127.0.0.1:9').clock.now());
    expect([gone.status, gone.code]).toEqual([0, null]);
    expect(gone.message).toBe('Nothing answers at http://127.0.0.1:9. Start a server there: playmoney start');
    expect(gone.cause).toBeInstanceOf(TypeError);
  });

  test('that answers otherwise is not playmoney', async () => {
    const port = await portOf(createServer((_, response) => response.end('hello')));
    const other = await refusal(connect(`http://127.0.0.1:${port}`).state());
    expect(other.message).toContain('without a message. Is it playmoney?');
  });
});
