import { describe, expect, test } from 'vitest';

import { sweep, type SweepContext, type SweepFlow, type SweepProgress } from '../../src/index.js';
import { BUGGY } from './shops/index.js';
import { blindRetry, HOOK, order, pay } from './support.js';

/** A shop that searches, and then charges once. Its recovery searches again. */
const careful: SweepFlow = async (context) => {
  const search = async (): Promise<boolean> => {
    const answer = await context.fetch('/charge?Reference=order-1');
    const { Charges } = (await answer.json()) as { Charges: { Status: string }[] };
    return Charges.some(({ Status }) => Status === 'SUCCESS');
  };
  let paid: boolean | null = null;
  const buy = async (): Promise<boolean | null> => {
    if (await search()) return true;
    return (await pay(context)).status === 201 || null;
  };
  paid = await buy().catch(() => null);
  return {
    orders: () => [order(paid)],
    recover: async () => void (paid ??= await search()),
  };
};

describe('A clean run that shows nothing is an error:', () => {
  const failing = async (context: SweepContext): Promise<void> => {
    await pay(context);
    throw new Error('no stock');
  };
  const authorising = async (context: SweepContext): Promise<void> =>
    void (await pay(context, 'order-1', { Capture: false }));
  test.each<[what: string, flow: SweepFlow, message: string]>([
    ['no call', () => {}, 'made no call. Your program must use the url and the key that the flow receives.'],
    [
      'only paths that do not exist',
      async ({ fetch }) => {
        await fetch('/charges/token', { method: 'POST' });
        for (const path of '12') await fetch(`/pay?id=${path}`);
      },
      'made no call that the service has. Not found: POST /charges/token, GET /pay. The paths are in docs/reference/operations.md.',
    ],
    ['an exception', failing, 'failed: no stock'],
    [
      'orders that are no function',
      async (context) => {
        await pay(context);
        return { orders: [order()] as never };
      },
      'failed: the flow must return orders as a function, not an array',
    ],
    ['no end', () => new Promise(() => {}), 'did not end in its time.'],
    [
      'an open authorisation',
      authorising,
      'is not in balance, without any fault:\n  order-1 has 5 AUD authorised',
    ],
    [
      'an order that nobody charged',
      async (context) => {
        await pay(context);
        return { orders: () => [order(), order(true, 'order-2')] };
      },
      'is not in balance, without any fault:\n  order-2',
    ],
  ])('%s', async (_, flow, message) => {
    const swept = sweep(flow, { timeout: '200ms' });
    await expect(swept).rejects.toThrow(`sweep: the clean run ${message}`);
    await expect(swept).rejects.toMatchObject({ name: 'CleanRunError' });
  });
});

describe('A program whose calls depend on chance', () => {
  /** Something that is different in each run. */
  const changing = (): (() => number) => {
    let n = 0;
    return () => n++;
  };

  test('is swept by operation and number if only its References differ,', async () => {
    const next = changing();
    const flow: SweepFlow = async (context) => {
      const reference = `order-${next()}`;
      await pay(context, reference).catch(() => pay(context, reference));
      return { orders: () => [order(true, reference)] };
    };
    const { findings } = await sweep(flow, { faults: ['lost'] });
    expect(findings.map(({ name, reference }) => [name, reference])).toEqual([
      ['charged twice at charge.create', 'order-2'],
    ]);
  });

  test('or if rules could not tell its References apart', async () => {
    const flow: SweepFlow = async (context) => {
      await pay(context, 'order-1');
      await pay(context, '*').catch(() => pay(context, '*'));
    };
    const { findings } = await sweep(flow, { faults: ['lost'] });
    expect(findings.map(({ name }) => name)).toEqual(['charged twice at charge.create #2']);
  });

  test('is told so, if each run makes other calls before the fault', async () => {
    const next = changing();
    const flow: SweepFlow = async (context) => {
      if (next() > 1) await context.fetch('/customer');
      await pay(context);
    };
    await expect(sweep(flow, { faults: ['declined'] })).rejects.toThrow(
      'sweep: every run makes other calls than the clean run. Does the program depend on chance, on real time, or on an earlier run?',
    );
  });

  test('is not safe, if some runs make other calls', async () => {
    const next = changing();
    const flow: SweepFlow = async (context) => {
      if (next() === 3) await context.fetch('/customer');
      await pay(context);
    };
    const report = await sweep(flow, { faults: ['declined', 'broken'] });
    expect([report.safe, report.findings, report.unproven]).toEqual([
      false,
      [],
      ['charge.create order-1: broken: not deterministic'],
    ]);
    expect(report.toString()).toMatch(
      /^sweep: not proved\. [^]*Not proved: 1\n {2}charge\.create order-1: broken: not/,
    );
  });

  test('is not safe, if a fault never acts; if none does, that is an error', async () => {
    const next = changing();
    const sometimes =
      (isBought: (n: number) => boolean): SweepFlow =>
      async (context) => {
        await context.fetch('/customer');
        if (isBought(next())) await pay(context);
      };
    const report = await sweep(
      sometimes((n) => n !== 4),
      { faults: ['declined', 'broken'], pairs: false },
    );
    expect([report.safe, report.unproven]).toEqual([false, ['charge.create order-1: broken: not reached']]);
    const never = sweep(
      sometimes((n) => n < 7),
      { faults: ['declined'] },
    );
    await expect(never).rejects.toThrow('sweep: no fault was ever injected.');
  });
});

test('A Reference that rules cannot test is no part of the name of a call or a webhook.', async () => {
  const flow: SweepFlow = async ({ fetch }) => {
    for (const path of ['subscription', 'token', 'charge', 'subscription'])
      await fetch(`/${path}?Reference=gym-1`);
  };
  const { cells } = await sweep(flow, { faults: ['broken'] });
  expect(cells.map(({ point, verdict }) => [point, verdict])).toEqual([
    ['subscription.search', 'recovered'],
    ['token.search', 'recovered'],
    ['charge.search gym-1', 'recovered'],
    ['subscription.search #2', 'recovered'],
  ]);
});

describe('A run that does not end', () => {
  test('is stuck when its time is over', async () => {
    const flow: SweepFlow = async (context) => {
      const answer = await pay(context).catch(() => new Promise<Response>(() => {}));
      return { orders: () => [order(answer.ok)] };
    };
    const { findings } = await sweep(flow, { faults: ['refused', 'limited'], timeout: '50ms' });
    expect(findings.map(({ name, faults }) => [name, faults])).toEqual([
      ['stuck at charge.create order-1', ['refused']],
    ]);
  });

  test('is stuck when it only repeats its calls, and what it has taken counts more', async () => {
    const polling = BUGGY.find(({ name }) => name === 'waits-for-ever')?.flow;
    const polled = await sweep(polling as SweepFlow, { faults: ['unavailable'], timeout: '60s' });
    expect(polled.findings.map(({ verdict }) => verdict)).toEqual(['stuck']);
    const flow: SweepFlow = async (context) => {
      for (;;) {
        const answer = await pay(context).catch(() => null);
        if (answer?.ok) return;
        if (answer === null) await pay(context);
      }
    };
    const { findings } = await sweep(flow, { faults: ['lost'], timeout: '60s' });
    expect(findings.map(({ verdict, taken }) => [verdict, taken])).toEqual([['charged twice', 15]]);
  });
});

test('A recovery that got a fault itself runs once more, an hour later.', async () => {
  const runs: string[][] = [];
  const flow: SweepFlow = async (context) => {
    const run: string[] = [];
    runs.push(run);
    const shop = await careful(context);
    const recover = async (): Promise<void> => {
      const { now } = await context.world.clock.get();
      run.push(now.slice(11, 13));
      await shop?.recover?.();
    };
    return { ...shop, recover };
  };
  await sweep(flow, { faults: ['lost'] });
  expect(runs.map((run) => run.join())).toEqual(['01', '01', '01', '01,02']);
});

test('Calls that only the recovery makes get a second fault, unless pairs is false.', async () => {
  const { cells } = await sweep(careful, { faults: ['lost'] });
  expect(cells.map(({ point, fault, verdict }) => [point, fault, verdict])).toEqual([
    ['charge.create order-1', 'lost', 'recovered'],
    ['charge.create order-1', 'lost, then charge.search order-1 #2: unavailable', 'recovered'],
  ]);
  expect((await sweep(careful, { faults: ['lost'], pairs: false })).runs).toBe(1);
});

test('When the time is over, the later faults are left out, and the report names them.', async () => {
  const report = await sweep(careful, { time: '1ms' });
  expect(report.safe).toBe(false);
  expect(report.leftOut.slice(-2)).toEqual(['charge.search order-1: down', 'charge.create order-1: down']);
  expect(report.toString()).toMatch(
    /^sweep: not proved\.[^]*\nLeft out: \d+\n[^]*\n {2}and \d+ more\n\nNot tried: \d+\n/,
  );
  const whole = await sweep(careful, { time: '1h' });
  expect([whole.safe, whole.leftOut]).toEqual([true, []]);
});

test('Progress is reported after each run, with the second faults that became known.', async () => {
  const progress: SweepProgress[] = [];
  await sweep(careful, { faults: ['lost', 'refused'], each: (one) => progress.push(one) });
  expect(progress.map(({ done }) => done)).toEqual(progress.map((_, i) => i + 1));
  expect(progress[0]).toEqual({ done: 1, planned: 4, found: 0 });
  expect(progress.at(-1)?.planned).toBe(progress.length);
  const found: number[] = [];
  await sweep(blindRetry, {
    faults: ['refused', 'lost'],
    pairs: false,
    each: (one) => found.push(one.found),
  });
  expect(found).toEqual([0, 1]);
});

test('Several runs at a time give the same report.', async () => {
  const flow: SweepFlow = (context) => {
    context.receive(() => new Response(null, { status: 204 }));
    return blindRetry(context, HOOK);
  };
  const [one, four] = [await sweep(flow), await sweep(flow, { concurrency: 4 })];
  expect(four.toString()).toBe(one.toString());
  expect(four.cells).toEqual(one.cells);
});

test('A run whose orders cannot be read or compared is named.', async () => {
  const flow: SweepFlow = async (context) => {
    const answer = await pay(context).catch(() => null);
    return {
      orders: () => {
        if (answer === null) throw new Error('the database is locked');
        return [order()];
      },
    };
  };
  await expect(sweep(flow, { faults: ['refused'] })).rejects.toThrow(
    'sweep: the run "charge.create order-1: refused" cannot be judged. Error: the database is locked',
  );
});

test.each([
  [{ concurrency: 0 }, 'sweep: concurrency is 0; it must be a whole number from 1 to 64.'],
  [{ concurrency: 1.5 }, 'sweep: concurrency is 1.5; it must be a whole number from 1 to 64.'],
  [{ timeout: 'soon' as '1s' }, 'sweep: timeout is "soon"; it must be a duration, such as 30s.'],
  [{ time: '0s' as '1s' }, 'sweep: time is "0s"; it must be a duration, such as 30s.'],
])('The options %j are refused.', async (options, message) => {
  await expect(sweep(blindRetry, options)).rejects.toThrow(message);
});

test('A call that the program undid by restoring a snapshot is no point of the sweep.', async () => {
  const flow =
    (isUndone: boolean): SweepFlow =>
    async (context) => {
      const before = await context.world.snapshot();
      if (isUndone) await pay(context);
      await context.world.restore(before);
      const paid = (await pay(context)).status === 201;
      return { orders: () => [order(paid)] };
    };
  const [plain, undone] = await Promise.all(
    [false, true].map((one) => sweep(flow(one), { faults: ['lost'] })),
  );
  expect(undone?.points).toBe(plain?.points);
});
