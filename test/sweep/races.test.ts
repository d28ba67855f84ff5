import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import {
  createSandbox,
  type Operation,
  type Order,
  type RaceStep,
  sweep,
  type SweepContext,
  type SweepFlow,
  type SweepReport,
  type World,
} from '../../src/index.js';
import { RACES } from './shops/races.js';
import { HOOK, order, pay } from './support.js';

/** Only the orders of calls. */
const NO_FAULTS = { faults: [] } as const;

/** What two presses of a button share. */
interface Shared {
  isPaid: boolean;
  isBusy: boolean;
  under: Promise<void> | null;
  last: Promise<void>;
}

type Press = (context: SweepContext, shared: Shared) => Promise<void>;

/** A shop in which one order is paid by two presses of its button. */
function doubleClick(press: Press): SweepFlow {
  return async (context) => {
    const shared: Shared = { isPaid: false, isBusy: false, under: null, last: Promise.resolve() };
    await context.together(
      () => press(context, shared),
      () => press(context, shared),
    );
    return { orders: () => [order(shared.isPaid)] };
  };
}

async function search({ fetch }: SweepContext): Promise<boolean> {
  const answer = await fetch('/charge?Reference=order-1');
  const { Charges } = (await answer.json()) as { Charges: { Status: string }[] };
  return Charges.some(({ Status }) => Status === 'SUCCESS');
}

const charge: Press = async (context, shared) => {
  shared.isPaid = (await pay(context)).ok;
};
const lookThenCharge: Press = async (context, shared) => {
  if (!shared.isPaid) await charge(context, shared);
};
const searchThenCharge: Press = async (context, shared) => {
  if (await search(context)) shared.isPaid = true;
  else await charge(context, shared);
};

const names = ({ findings }: SweepReport): string[] => findings.map(({ name }) => name);

test('A double click that charges twice is found, and each call says whose it is.', async () => {
  const report = await sweep(doubleClick(lookThenCharge), NO_FAULTS);
  const [finding] = report.findings;
  expect(names(report)).toEqual(['charged twice at together']);
  // Each party starts, calls, and gets its answer: 6! / (3! · 3!) orders.
  expect(report.runs).toBe(20);
  expect(report.leftOut).toEqual([]);
  expect(finding).toMatchObject({
    faults: ['order 1 2', 'order 1×2 2', 'order 2 1', '15 more orders'],
    ordered: 5,
    taken: 10,
    timeline: [
      { point: 'charge.create order-1, second', note: null },
      { point: 'charge.create order-1 #2, first', note: 'charged again' },
    ],
  });
  expect(finding?.scenario).toContain('charge.create order-1, second; charge.create order-1 #2, first');
  expect(report.toString()).toContain('Claim the order before the call');
});

describe('A double click is safe', () => {
  test.each<[string, Press]>([
    [
      'if the first press claims the order',
      async (context, shared) => {
        if (shared.isBusy) return;
        shared.isBusy = true;
        await charge(context, shared);
      },
    ],
    ['if both wait for one payment', (context, shared) => (shared.under ??= charge(context, shared))],
    [
      'if the second waits until the first has ended',
      (context, shared) => (shared.last = shared.last.then(() => searchThenCharge(context, shared))),
    ],
    [
      'if the second asks again and again whether the first has ended',
      async (context, shared) => {
        while (shared.isBusy) await sleep(5);
        shared.isBusy = true;
        await searchThenCharge(context, shared);
        shared.isBusy = false;
      },
    ],
  ])('%s', async (_, press) => {
    const report = await sweep(doubleClick(press), { faults: [], races: 12 });
    expect(report.safe, report.toString()).toBe(true);
    expect(report.runs).toBeGreaterThan(5);
  });
});

test('The order of calls is the same each time, also with timers between them, and with several runs at a time.', async () => {
  const logs: string[][] = [];
  const flow: SweepFlow = async (context) => {
    const log: string[] = [];
    const press = (name: string, pause: number) => async () => {
      await sleep(pause);
      const isFound = await search(context);
      log.push(`${name} searched: ${isFound}`);
      await new Promise((resolve) => setTimeout(resolve, 3 - pause));
      await new Promise((resolve) => setImmediate(resolve));
      if (!isFound) await pay(context);
      log.push(`${name} ended`);
    };
    await context.together(press('a', 1), press('b', 2));
    logs.at(-1)?.push(log.join());
  };
  for (const concurrency of [1, 2, 3]) {
    logs.push([]);
    await sweep(flow, { faults: [], races: 16, concurrency });
  }
  const [one, two, three] = logs.map((log) => log.toSorted());
  expect(two).toEqual(one);
  expect(three).toEqual(one);
  expect(new Set(one).size).toBeGreaterThan(3);
});

test('The orders with the fewest switches come first, and the report says how many were left out.', async () => {
  const report = await sweep(doubleClick(searchThenCharge), { faults: [], races: 5 });
  expect(report.cells.map(({ fault }) => fault)).toEqual([
    'order 1',
    'order 2',
    'order 1 2',
    'order 1×2 2',
    'order 1×3 2',
  ]);
  expect(report.leftOut).toEqual([
    expect.stringMatching(/^together: at least \d+ more orders of its calls \(races: 5\)$/),
  ]);
  expect(report.safe).toBe(false);
  expect((await sweep(doubleClick(lookThenCharge), { faults: ['refused'], races: 0 })).runs).toBe(1);
});

test('A call whose answer comes after steps of the other party is marked, and the advice is to read the order again.', async () => {
  const flow: SweepFlow = async (context) => {
    let paid = false;
    await context.together(
      async () => void (paid = await search(context)),
      async () => void (paid = (await pay(context)).ok),
    );
    return { orders: () => [order(paid)] };
  };
  const { findings } = await sweep(flow, NO_FAULTS);
  expect(findings).toMatchObject([
    {
      verdict: 'paid, not delivered',
      advice: expect.stringContaining('read it again before you change it'),
      timeline: [
        { point: 'charge.search order-1, first', note: 'answered later' },
        { point: 'charge.create order-1, second', note: null },
      ],
    },
  ]);
});

test('Orders beyond the limit are listed, and leave a report safe.', async () => {
  const flow = doubleClick((context, shared) => (shared.under ??= charge(context, shared)));
  const report = await sweep(flow, { faults: [], races: 2 });
  expect([report.safe, report.leftOut.length]).toEqual([true, 1]);
});

test('The report is the same with several runs at a time.', async () => {
  const flow = doubleClick(searchThenCharge);
  const options = { faults: ['lost'], races: 12, pairs: false } as const;
  const [one, four] = [await sweep(flow, options), await sweep(flow, { ...options, concurrency: 4 })];
  expect(four.cells).toEqual(one.cells);
  expect(four.toString()).toBe(one.toString());
});

test('The report of a race with a webhook is the same each time, however long a signature takes.', async () => {
  const { subtle } = globalThis.crypto;
  const signSoon = subtle.sign.bind(subtle);
  let signed = 0;
  const slow = vi.spyOn(subtle, 'sign').mockImplementation(async (...given) => {
    const turns = (signed++ * 7) % 40;
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    return signSoon(...given);
  });
  onTestFinished(() => slow.mockRestore());
  const flow: SweepFlow = async (context) => {
    const shop = { ...order(), paid: false };
    context.receive(async (request) => {
      const { data } = (await request.json()) as { data: { status: string } };
      if (data.status === 'SUCCESS') shop.paid = true;
      return new Response('ok');
    });
    await context.together(
      async () => void (shop.paid = (await pay(context, 'order-1', HOOK)).ok),
      async () => void (shop.paid = await search(context)),
    );
    return { orders: () => [shop] };
  };
  const reports = new Set<string>();
  for (let time = 0; time < 4; time++) reports.add((await sweep(flow, { faults: [], races: 24 })).toString());
  expect([...reports]).toEqual([expect.stringContaining('paid, not delivered')]);
});

test('In runs with a fault, the parties go one after the other.', async () => {
  const log: string[] = [];
  const flow: SweepFlow = async (context) => {
    const party = (name: string) => async () => {
      log.push(`${name} begins`);
      await pay(context, name).catch(() => {});
      log.push(`${name} ends`);
    };
    await context.together(party('a'), party('b'));
  };
  await sweep(flow, { faults: ['refused'], races: 0 });
  expect(log).toEqual(Array.from({ length: 4 }, () => ['a begins', 'a ends', 'b begins', 'b ends']).flat());
});

describe('together', () => {
  test('resolves with the results in order, and rejects as the first that throws, when all have ended', async () => {
    const seen: unknown[] = [];
    const flow: SweepFlow = async (context) => {
      const answer = await context.together(
        async () => (await pay(context, 'a')).status,
        () => 'b',
      );
      const ended: string[] = [];
      const failing = (name: string) => async () => {
        await pay(context, name);
        ended.push(name);
        throw new Error(name);
      };
      const failed = await context
        .together(failing('c'), failing('d'))
        .catch(({ message }: Error) => message);
      seen.push([answer, failed, ended.toSorted()]);
    };
    const { cells } = await sweep(flow, { faults: [], races: 3 });
    expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify([[201, 'b'], 'c', ['c', 'd']])]),
    );
    expect(cells.map(({ point }) => point)).toEqual([
      ...Array<string>(3).fill('together'),
      ...Array<string>(3).fill('together #2'),
    ]);
  });

  test('within a party does its parts one after the other', async () => {
    const flow: SweepFlow = async (context) => {
      await context.together(() =>
        context.together(
          () => pay(context),
          () => pay(context, 'order-2'),
        ),
      );
    };
    expect((await sweep(flow, NO_FAULTS)).cells.map(({ fault, verdict }) => [fault, verdict])).toEqual([
      ['order 1', 'recovered'],
    ]);
  });

  test('has each webhook that arrives as a party of its own', async () => {
    const flow: SweepFlow = async (context) => {
      let credit = 0;
      const look = async (): Promise<void> => {
        const isOpen = credit === 0;
        if ((await search(context)) && isOpen) credit += 5;
      };
      context.receive(async () => {
        await look();
        return new Response(null, { status: 204 });
      });
      const buy = async (): Promise<void> => {
        await pay(context, 'order-1', HOOK);
        await context.world.settle();
      };
      await context.together(buy, look);
      return { orders: () => [{ ...order(), amount: credit }] };
    };
    const { findings } = await sweep(flow, { faults: [], races: 24 });
    expect(findings.map(({ name }) => name)).toEqual(['delivered, not paid at together']);
    const calls = findings[0]?.timeline.map(({ point }) => point.replace(/ #\d/, ''));
    expect(calls).toEqual(
      expect.arrayContaining([
        'charge.create order-1, first',
        'charge.search order-1, second',
        'charge.search order-1, webhook',
      ]),
    );
  });

  test('is stuck if a party waits for ever', async () => {
    const flow: SweepFlow = async (context) => {
      let isSecond = false;
      await context.together(
        async () => {
          await pay(context);
          if (isSecond) await new Promise(() => {});
        },
        () => void (isSecond = true),
      );
    };
    const { cells } = await sweep(flow, { faults: [], races: 4, timeout: '100ms' });
    expect(new Set(cells.map(({ verdict }) => verdict))).toEqual(new Set(['recovered', 'stuck']));
  });
});

test('A flow of two calls without together has no races, and fewer than 120 runs.', async () => {
  const { cells, runs } = await sweep(
    async (context) => {
      context.receive(() => new Response(null, { status: 204 }));
      await pay(context, 'order-1', HOOK).catch(() => null);
      await search(context).catch(() => null);
    },
    { pairs: false },
  );
  expect(cells.filter(({ point, fault }) => point === 'together' || fault.startsWith('order'))).toEqual([]);
  expect(cells.filter(({ fault }) => fault === 'meanwhile').map(({ point }) => point)).toEqual([
    'charge.search order-1',
  ]);
  expect(runs).toBeLessThan(120);
});

test.each([
  [{ races: -1 }, 'sweep: races is -1; it must be a whole number from 0 to 10000.'],
  [{ races: 0.5 }, 'sweep: races is 0.5; it must be a whole number from 0 to 10000.'],
])('The options %j are refused.', async (options, message) => {
  await expect(sweep(() => {}, options)).rejects.toThrow(message);
});

/** The parties of `together` by the steps of a report, on a world that holds their calls. */
function repeatByHand(world: World, race: readonly RaceStep[]): SweepContext['together'] {
  return async (...parties) => {
    const operations = race.flatMap(({ operation }) => operation ?? []) as Operation[];
    for (const operation of new Set(operations))
      await world.holds.add(operation, { count: operations.filter((one) => one === operation).length });
    const running: unknown[] = [];
    for (const { party, act, holdId } of race) {
      if (holdId === null) running.push(parties[['first', 'second'].indexOf(party)]?.());
      else {
        while (!(await world.holds.list()).waiting.some((call) => call.holdId === holdId));
        await world.holds.release(holdId, act === 'perform' ? { phase: 'after' } : {});
      }
      // A person is slower than the program.
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    return (await Promise.all(running)) as never;
  };
}

test.each(RACES.filter(({ name }) => name !== 'credited-by-both'))(
  'The race in the shop $name is repeated by its steps, on a server that holds its calls.',
  async ({ flow }) => {
    const [finding] = (await sweep(flow, NO_FAULTS)).findings;
    using sandbox = createSandbox({ clock: 'manual' });
    const world = sandbox.world();
    const shop = await flow({
      world,
      url: world.url,
      key: world.key,
      fetch: (input, init) => world.fetch(input, init),
      webhookSecret: 'whsec_sweep',
      receive: () => {},
      disk: '',
      restarted: false,
      together: repeatByHand(world, finding?.race ?? []),
    });
    expect(await world.reconcile(shop.orders() as Order[])).toMatchObject({ balanced: false });
  },
);
