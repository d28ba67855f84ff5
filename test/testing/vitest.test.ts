import { describe, expect, expectTypeOf, type RunnerTestCase, test as plainTest } from 'vitest';

import { sweep, type SweepFlow, type World } from '../../src/index.js';
import { makeTestKey, makeWorldName } from '../../src/testing/identity.js';
import { createTest, identifyTask, test } from '../../src/testing/vitest.js';
import { charge, charging } from '../client/support.js';

const inDialect = createTest({
  dialect: 'sdk',
  scenario: { name: 'two people', seedData: { fake: '2 customers' } },
});
const signed = createTest({ webhookSecret: 'whsec_fixture' });
const withReceivers = createTest({
  deliver: ({ url }) => Promise.resolve({ status: url.endsWith('/down') ? 500 : 204 }),
});

const keys: string[] = [];

describe('the fixture', () => {
  test('is a world whose clock stands still', async ({ sandbox }) => {
    expectTypeOf(sandbox).toEqualTypeOf<World>();
    keys.push(sandbox.key);
    await charge(sandbox, 'here');
    expect(await sandbox.clock.get()).toMatchObject({ now: '2026-01-01T00:00:00.000Z', mode: 'manual' });
  });

  test('has identifiers that are the same on every run', async ({ sandbox }) => {
    expect(sandbox.key).toBe('sk_test_the_fixture_has_identifiers_that_are_the_11ff595a186603fc');
    expect(await charge(sandbox, 'same')).toMatchInlineSnapshot(`"082c3148f25e71d9356450855c01b286"`);
  });

  test('is empty for each test', async ({ sandbox }) => {
    keys.push(sandbox.key);
    expect(await sandbox.charges()).toEqual([]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('is reached at its address by the global fetch, with its key', async ({ sandbox }) => {
    const headers = { ...charging('').headers, 'x-secretkey': sandbox.key };
    const answer = await fetch(`${sandbox.url}/charge/token`, { ...charging('by address'), headers });
    expect(answer.status).toBe(201);
    await expect(sandbox).toHaveCharged({ Reference: 'by address' });
  });

  for (const nth of ['first', 'second']) {
    test('is another one for a test of the same name', async ({ sandbox }) => {
      await charge(sandbox, nth);
      expect(await sandbox.charges()).toHaveLength(1);
    });
  }

  test('is another one for each try', { retry: 2 }, async ({ sandbox, task }) => {
    expect(await sandbox.charges()).toEqual([]);
    await charge(sandbox, 'once');
    const tries = task.result?.retryCount ?? 0;
    if (tries === 0) throw new Error('Not at the first try.');
    expect(tries).toBe(1);
  });

  describe.concurrent('at the same time', () => {
    test.for(Array.from({ length: 20 }, (_, n) => n))('is its own for test %i', async (n, { sandbox }) => {
      await Promise.all(Array.from({ length: n }, () => charge(sandbox, `order-${n}`)));
      expect((await sandbox.charges({ reference: `order-${n}` })).length).toBe(n);
    });
  });
});

describe('the receiver', () => {
  signed('takes webhooks as they come, and checks their signatures', async ({ sandbox, receiver }) => {
    await charge(sandbox, 'paid', { Webhook: { Url: `${receiver.url}/hooks?a=1` } });
    const message = await receiver.next('transaction.status.changed');
    expect(message).toMatchObject({ path: '/hooks?a=1', data: { reference: 'paid', status: 'SUCCESS' } });
    expect([receiver.messages.length, receiver.refused.length]).toEqual([1, 0]);
  });
});

describe('a test with other options', () => {
  inDialect('is reached at its address, beside tests with other options', async ({ sandbox }) => {
    const headers = { 'x-secretkey': sandbox.key };
    const answer = await fetch(`${sandbox.url}/customer`, { headers });
    expect(((await answer.json()) as { count: number }).count).toBe(2);
  });

  inDialect('has their dialect and their scenario', async ({ sandbox }) => {
    const state = await sandbox.state();
    expect([state.dialect, state.scenario, state.counts['customers']]).toEqual(['sdk', 'two people', 2]);
  });
});

describe('the matchers', () => {
  const failure = async (matching: Promise<unknown>): Promise<string> =>
    matching.then(
      () => 'it passed',
      (error: unknown) => (error as Error).message,
    );

  test('find charges by any of their fields, those inside included', async ({ sandbox }) => {
    await charge(sandbox, 'order-1', { Amount: '15.50', Metadata: { cart: '7', more: 'x' } });
    await expect(sandbox).toHaveCharged({ Reference: 'order-1', Amount: 15.5 });
    await expect(sandbox).toHaveCharged({ Amount: '15.50', Metadata: { cart: '7' } });
    await expect(sandbox).toHaveCharged({ Reference: expect.stringMatching(/^order/), BatchId: null });
    await expect(sandbox).not.toHaveCharged({ Reference: 'order-2' });
    await expect(sandbox).toHaveCharged({});
  });

  test('ignore failed charges, unless a Status is expected', async ({ sandbox }) => {
    await charge(sandbox, 'declined', { Token: 'tok_do_not_honor' });
    await expect(sandbox).not.toHaveCharged({ Reference: 'declined' });
    await expect(sandbox).toHaveCharged({ Reference: 'declined', Status: 'FAILED' });
  });

  test('name the charges that come closest', async ({ sandbox }) => {
    expect(await failure(expect(sandbox).toHaveCharged({ Amount: 5 }))).toMatch(
      /; this world has no charges$/,
    );
    for (const reference of ['far', 'near', 'other', 'another']) {
      await charge(sandbox, reference, reference === 'near' ? { Amount: 7 } : {});
    }
    const lines = (await failure(expect(sandbox).toHaveCharged({ Reference: 'order-1', Amount: 7 }))).split(
      '\n',
    );
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^expected a charge like .*; this world has 4 charges$/);
    expect(lines[1]).toMatch(
      /^ {2}[\da-f]{32} \(near, 7 AUD, SUCCESS\): Reference is "near", not "order-1"$/,
    );
    expect(await failure(expect(sandbox).not.toHaveCharged({ Reference: 'near' }))).toMatch(
      /^expected no charge like \{"Reference": "near"\}, but found [\da-f]{32} \(near, 7 AUD, SUCCESS\)$/,
    );
  });

  withReceivers('find webhooks that arrived, and name those that did not', async ({ sandbox }) => {
    await charge(sandbox, 'told', { Webhook: { Url: 'http://shop.test/hook' } });
    await expect(sandbox).toHaveDelivered('transaction.status.changed');
    await expect(sandbox).toHaveDelivered('transaction.status.changed', { data: { reference: 'told' } });
    await expect(sandbox).not.toHaveDelivered('batch.status.changed');
    await charge(sandbox, 'untold', { Webhook: { Url: 'http://shop.test/down' } });
    const message = await failure(
      expect(sandbox).toHaveDelivered('transaction.status.changed', { data: { reference: 'untold' } }),
    );
    expect(message).toContain('; this world has 2 webhooks');
    expect(message).toContain('to http://shop.test/hook (delivered, answered 204): data.reference is "told"');
    expect(message).toMatch(/\/down \(pending, answered 500, next attempt at \S+\): status is "pending"/);
    expect(await failure(expect(sandbox).not.toHaveDelivered('transaction.status.changed'))).toContain(
      'reached http://shop.test/hook',
    );
  });

  test('compare orders with the charges, and list what does not agree', async ({ sandbox }) => {
    await charge(sandbox, 'order-1');
    const order = { reference: 'order-1', amount: 5, paid: true };
    await expect(sandbox).toBalance([order]);
    expect(await failure(expect(sandbox).not.toBalance([order]))).toBe(
      'expected the charges not to balance with 1 order, but they do',
    );
    await charge(sandbox, 'order-1');
    await charge(sandbox, 'line\u2028end', { Capture: false });
    await expect(sandbox).not.toBalance([order]);
    expect(await failure(expect(sandbox).toBalance([order]))).toBe(
      [
        'expected the charges to balance with 1 order, but there are 2 findings',
        '  order-1 was charged twice: 2 charges took 10 AUD; the shop expects 5 AUD.',
        '  line\\u2028end has 5 AUD authorised, but neither captured nor voided.',
      ].join('\n'),
    );
    const many = Array.from({ length: 22 }, (_, n) => ({ reference: `missing-${n}`, amount: 1, paid: true }));
    expect((await failure(expect(sandbox).toBalance([...many, order]))).split('\n')).toHaveLength(22);
    expect(await failure(expect(sandbox).toBalance([...many, order]))).toMatch(/\n {2}and 4 more$/);
  });

  plainTest('pass a report that is safe, and show one that is not', async () => {
    // It charges again when it gets no answer. That is safe only if the first call was never performed.
    const flow: SweepFlow = async ({ world }) => {
      const answer = world.fetch('/charge/token', charging('order-1'));
      await answer.catch(() => world.fetch('/charge/token', charging('order-1')));
      return { orders: () => [{ reference: 'order-1', amount: 5, paid: true }] };
    };
    expect(await sweep(flow, { faults: ['refused'], pairs: false })).toBeSafe();
    const report = await sweep(flow, { faults: ['lost'] });
    expect(report).not.toBeSafe();
    expect(() => expect(report).toBeSafe()).toThrow(report.toString());
  });

  test('take no name that is mistyped, since nothing would ever fit it', async ({ sandbox }) => {
    await charge(sandbox, 'order-1');
    const mistyped = { reference: 'order-1' } as object;
    expect(await failure(expect(sandbox).not.toHaveCharged(mistyped))).toBe(
      'toHaveCharged: a charge has no field reference. Did you mean Reference?',
    );
    const event = 'transaction.status.change' as 'transaction.status.changed';
    expect(await failure(expect(sandbox).not.toHaveDelivered(event))).toBe(
      'toHaveDelivered: there is no event "transaction.status.change". Did you mean transaction.status.changed?',
    );
  });

  plainTest('take nothing but a world', async () => {
    expect(await failure(expect(5).toHaveCharged({}))).toContain('toHaveCharged needs a world');
    expect(await failure(expect({}).toHaveDelivered('customer.created'))).toContain(
      'toHaveDelivered needs a world',
    );
    expect(await failure(expect(null).toBalance([]))).toContain('toBalance needs a world');
    expect(() => expect({ safe: true }).toBeSafe()).toThrow('toBeSafe needs a report');
  });
});

describe('the key of a test', () => {
  const taskOf = (over: object = {}, result: object = {}): RunnerTestCase => {
    const file = { name: 'test/a.test.ts', type: 'suite', tasks: [] as unknown[], ...over };
    const suite = { name: 'a suite', type: 'suite', id: '1', tasks: [] as unknown[], suite: undefined, file };
    const task = { name: 'a test: ünïcode & more', type: 'test', id: '1_0', suite, file, result };
    suite.tasks.push(task);
    file.tasks.push(suite);
    return task as unknown as RunnerTestCase;
  };

  plainTest('shows its names, and differs by file, project, try and options', () => {
    const identity = identifyTask(taskOf());
    const all = [
      makeTestKey(identity, 'sk_test', {}),
      makeTestKey(identifyTask(taskOf({ name: 'test/b.test.ts' })), 'sk_test', {}),
      makeTestKey(identifyTask(taskOf({ projectName: 'node' })), 'sk_test', {}),
      makeTestKey(identifyTask(taskOf({}, { retryCount: 1 })), 'sk_test', {}),
      makeTestKey(identifyTask(taskOf({}, { repeatCount: 1 })), 'sk_test', {}),
      makeTestKey(identity, 'sk_test_ci', {}),
      makeTestKey(identity, 'sk_test', { seed: '2' }),
    ];
    expect(all[0]).toMatch(/^sk_test_a_suite_a_test_n_code_more_[\da-f]{16}$/);
    expect(new Set(all).size).toBe(all.length);
    expect(makeTestKey(identity, 'sk_test', {})).toBe(all[0]);
  });

  plainTest('does not decide its name, which every runner, file and try has in common', () => {
    const identity = { name: 'a suite > a test', place: 'a.test.ts', sameNameIndex: 0, attempt: 0 };
    expect(makeWorldName(identity)).toBe('a suite a test');
    expect(makeWorldName({ ...identity, attempt: 1, place: 'b.test.ts' })).toBe('a suite a test');
    expect(makeWorldName({ ...identity, sameNameIndex: 1 })).toBe('a suite a test (2)');
    const [long, other] = ['x', 'y'].map((end) =>
      makeWorldName({ ...identity, name: `${'long '.repeat(60)}${end}` }),
    );
    expect(long).toHaveLength(200);
    expect(long).not.toBe(other);
  });
});
