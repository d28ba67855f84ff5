import { expect, test } from 'vitest';

import {
  createSandbox,
  sweep,
  type SweepFlow,
  type SweepOptions,
  type SweepReport,
} from '../../src/index.js';
import { areBeginning, haveSameWrites } from '../../src/sweep/same-calls.js';
import { BESIDE } from './shops/beside.js';
import type { Shop } from './shops/client.js';
import { blindRetry, HOOK, order, pay } from './support.js';

function findShop(name: string): Shop {
  const shops = BESIDE.flatMap(({ buggy, correct }) => [buggy, correct]);
  return shops.find((shop) => shop.name === name) as (typeof shops)[number];
}

/** Sweeps a shop of the corpus with few faults. */
function sweepShop(name: string, options: SweepOptions): Promise<SweepReport> {
  const { flow, options: own } = findShop(name);
  return sweep(flow, { pairs: false, ...own, ...options });
}

test.each([
  ['late-decline-wins', 'late decline', 'paid, not delivered at charge.create order-1'],
  ['status-moves-forward', 'late decline', null],
  ['customer-twice', 'lost', 'created twice at customer.create buyer-1'],
  ['customer-once', 'lost', null],
  ['no-time-out', 'hang', 'stuck at charge.create order-1'],
  ['time-out', 'hang', null],
  ['searches-too-early', 'in flight', 'charged twice at charge.create order-1'],
  ['searches-later', 'in flight', null],
  ['two-blind-workers', 'lost', 'charged twice at charge.create order-1'],
  ['two-workers', 'lost', null],
  ['refunds-then-throws', 'lost', 'paid, not delivered at charge.create order-1'],
  ['refunds-everything', 'lost', null],
] as const)('In the shop %s, %s shows: %s', async (shop, fault, finding) => {
  const report = await sweepShop(shop, { faults: [fault] });
  const names = report.findings.map(({ name }) => name).filter((name) => !name.includes('charge.refund'));
  expect(names).toEqual(finding === null ? [] : [finding]);
  expect(report.unproven).toEqual([]);
});

test('The steps of a call in flight repeat it by hand, and its finding names the line of the second charge.', async () => {
  const report = await sweepShop('searches-too-early', {});
  const [finding] = report.findings;
  const step = /let call (\d+), which had no answer, arrive: curl -X POST http:\/\/127\.0\.0\.1:4010(\S+) /;
  const [, n, path = ''] = step.exec(report.toString()) ?? [];
  expect(path).toBe(`/_sandbox/journal/${n}/repeat`);
  expect(finding?.source?.file).toMatch(/shops/);
  using sandbox = createSandbox();
  const world = sandbox.world();
  await world.scenario.use({ yaml: finding?.scenario ?? '' });
  await findShop('searches-too-early').flow({
    world,
    url: world.url,
    key: world.key,
    fetch: (input, init) => world.fetch(input, init),
    webhookSecret: 'whsec_sweep',
    receive: () => {},
    disk: '',
    restarted: false,
    together: () => Promise.reject(new Error('This shop does one thing at a time.')),
  });
  await world.fetch(path, { method: 'POST' });
  expect((await world.charges()).map(({ Status }) => Status)).toEqual(['SUCCESS', 'SUCCESS']);
});

test('A call that hangs ends the run at once if nothing else is awaited, and not while a timer is.', async () => {
  const ends: string[] = [];
  const flow: SweepFlow = async (context) => {
    const late = new Promise<string>((resolve) => setTimeout(() => resolve('gave up'), 30));
    const answer = pay(context).then(() => 'paid');
    ends.push(await Promise.race([answer, late]));
    return { orders: () => [order(ends.at(-1) === 'paid')] };
  };
  const { counts } = await sweep(flow, { faults: ['hang'], timeout: '60s' });
  expect([ends.at(-1), counts['failed and said so'], counts.stuck]).toEqual(['gave up', 1, 0]);
});

test('The decisive customer is named, and is right if another one was removed.', async () => {
  const [twice] = (await sweepShop('customer-twice', { faults: ['lost'] })).findings;
  expect(twice?.story).toContain(
    'There are 2 customers, and 1 without a fault. The last one is of customer.create buyer-1 #2.',
  );
});

test('What the buyer agreed to is compared with the run without faults; refunds only if they are expected.', async () => {
  const wrong = sweepShop('yen-divided', { faults: ['lost'] });
  await expect(wrong).rejects.toThrow(
    'sweep: the clean run did not take what `expect` says, without any fault:\n  order-1: agreed to 2000 JPY; taken: 20 JPY',
  );
  const expected = [{ reference: 'order-1', amount: 20 }];
  const refunding = (agreed?: SweepOptions['expect']): Promise<SweepReport> =>
    sweepShop('refunds-everything', { faults: ['lost'], ...(agreed && { expect: agreed }) });
  expect((await refunding(expected)).notTried.join()).not.toContain('amounts');
  expect((await refunding()).notTried.join()).toContain('amounts: without expect');
  const kept = refunding([{ reference: 'order-1', amount: 20, refunded: 5 }]);
  await expect(kept).rejects.toThrow('order-1: agreed to 20.00 AUD; left: 0.00 AUD');
});

test('Random references change neither a verdict nor its money.', async () => {
  const { counts } = await sweepShop('random-references', { faults: ['lost', 'late', 'broken'] });
  expect([counts.recovered, counts['failed and said so']]).toEqual([3, 0]);
});

test('A receiver that calls while the clock moves is no other program.', async () => {
  const flow: SweepFlow = async (context) => {
    context.receive(async () => {
      await context.fetch('/charge?Reference=order-1');
      return new Response(null, { status: 204 });
    });
    const held = await pay(context, 'order-1', { Capture: false, ...HOOK });
    const { ChargeId } = (await held.json()) as { ChargeId: string };
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"Amount":5}' };
    const { ok } = await context.fetch(`/charge/${ChargeId}`, init);
    return { orders: () => [order(ok)] };
  };
  const { counts, unproven } = await sweep(flow, { faults: ['expired'] });
  expect([counts['failed and said so'], unproven]).toEqual([1, []]);
});

test('One cause is one finding, with the fewest faults first.', async () => {
  const { findings, cells } = await sweep(blindRetry, {
    faults: ['declined', 'unavailable', 'refused', 'lost'],
  });
  expect(findings.map(({ name, faults }) => [name, faults])).toEqual([
    ['charged twice at charge.create order-1', ['lost']],
  ]);
  expect(cells.filter(({ finding }) => finding !== null)).toHaveLength(2);
});

test('The same bug for two orders is one finding, which names both places.', async () => {
  const flow: SweepFlow = async (context) => {
    for (const reference of ['order-1', 'order-2'])
      await pay(context, reference).catch(() => pay(context, reference));
  };
  const { findings } = await sweep(flow, { faults: ['lost'] });
  expect(findings.map(({ name }) => name)).toEqual(['charged twice at charge.create order-1']);
  expect(findings[0]?.story).toContain('The same at charge.create order-2.');
});

test('A call that is refused before any fault can reach it is listed, and proves nothing wrong.', async () => {
  const flow: SweepFlow = async (context) => {
    await context.fetch('/charge/nonsense', { method: 'POST' });
    await pay(context).catch(() => null);
  };
  const report = await sweep(flow, { faults: ['refused'], pairs: false });
  expect([report.safe, report.runs, report.unproven]).toEqual([true, 1, []]);
  expect(report.notTried).toContain('charge.capture: refused before any fault can reach it');
});

test('Two runs without faults that change different things are refused.', async () => {
  let runs = 0;
  const flow: SweepFlow = async (context) => {
    runs++;
    if (runs === 1) await pay(context);
    await context.fetch('/charge');
  };
  await expect(sweep(flow)).rejects.toThrow(
    'sweep: runs are not isolated. Without any fault, the second run made other calls or charges than the first. Each run must create everything',
  );
});

test('A green report says that no webhook was seen, and ends with what was not tried.', async () => {
  const flow =
    (more: object): SweepFlow =>
    async (context) => {
      context.receive(() => new Response(null, { status: 204 }));
      const { ok } = await pay(context, 'order-1', more);
      return { orders: () => [order(ok)] };
    };
  const [plain, hooked] = [
    await sweep(flow({}), { faults: ['declined'] }),
    await sweep(flow(HOOK), { faults: ['declined'] }),
  ];
  expect(plain.toString()).toMatch(
    /^sweep: safe\. No webhook was seen\. 1 point, 1 run: 1 failed and said so\n/,
  );
  expect(hooked.toString()).toMatch(/^sweep: safe\. 2 points, 1 run: 1 failed and said so\n/);
  expect(plain.toString()).toMatch(
    /\nNot tried: 4\n {2}faults: lost, .*hang, in flight, crash before, crash after\n[^]*\n {2}operations: charge\.capture, /,
  );
  expect((await sweep(flow(HOOK))).notTried[0]).toBe('faults: hang, in flight, crash before, crash after');
});

test('A flow of two calls takes fewer than 120 runs.', async () => {
  const { runs } = await sweep(async (context) => {
    await context.fetch('/charge?Reference=order-1');
    const paid = (await pay(context, 'order-1', HOOK).catch(() => null))?.ok ?? null;
    return { orders: () => [order(paid)] };
  });
  expect(runs).toBeLessThan(120);
});

test('Calls are compared by Reference: in any order of the workers, with reads that are repeated.', () => {
  const calls = (...names: string[]) =>
    names.map((name) => {
      const [operation = '', about = null] = name.split(' ');
      return { operation, about, isRead: operation === 'read' };
    });
  const clean = calls('token', 'create a', 'capture a', 'create b', 'read b', 'capture b');
  const isLikeClean = (...names: string[]): boolean => areBeginning(calls(...names), clean);
  expect(isLikeClean('create b', 'token', 'create a', 'read b', 'read b')).toBe(true);
  // Random references.
  expect(isLikeClean('create x', 'create y', 'capture x', 'token')).toBe(true);
  expect(isLikeClean('create a', 'create a')).toBe(false);
  expect(isLikeClean('token', 'token')).toBe(false);
  expect(isLikeClean('create a', 'create b', 'create c')).toBe(false);
  expect(haveSameWrites(calls('read a', 'create a'), calls('create b', 'read b', 'read b'))).toBe(true);
  expect(haveSameWrites(calls('create a'), calls('create a', 'create b'))).toBe(false);
});
