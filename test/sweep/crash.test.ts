import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test, vi } from 'vitest';

import { createSandbox, sweep, type SweepContext, type SweepFlow } from '../../src/index.js';
import { requireCrashes } from '../../src/node/sweep/command/supervisor.js';
import { HOOK, order, pay } from './support.js';

const CRASHES = { crash: true, faults: [], pairs: false } as const;

/** A shop that saves on its disk whether the order is paid. */
function openShop({ disk }: SweepContext) {
  const file = join(disk, 'paid');
  return {
    isPaid: () => existsSync(file),
    save: () => writeFileSync(file, ''),
    orders: () => [order(existsSync(file))],
  };
}

/** Charges again what was not saved as paid. */
const forgetful: SweepFlow = async (context) => {
  const shop = openShop(context);
  if (!shop.isPaid() && (await pay(context)).ok) shop.save();
  return shop;
};

async function isCharged({ url, key, fetch }: SweepContext): Promise<boolean> {
  const answer = await fetch(`${url}/charge?Reference=order-1`, { headers: { 'x-secretkey': key } });
  return ((await answer.json()) as { Charges: unknown[] }).Charges.length > 0;
}

/** Searches before it charges. */
const careful: SweepFlow = async (context) => {
  const shop = openShop(context);
  if (!shop.isPaid() && ((await isCharged(context)) || (await pay(context)).ok)) shop.save();
  return shop;
};

describe('A crash', () => {
  test('before a call and after it is tried at each call, and shows a charge that was not saved', async () => {
    const { cells, findings } = await sweep(forgetful, CRASHES);
    expect(cells.map(({ point, fault, verdict }) => [point, fault, verdict])).toEqual([
      ['charge.create order-1', 'crash before', 'recovered'],
      ['charge.create order-1', 'crash after', 'charged twice'],
    ]);
    expect(findings.map(({ taken, ordered, timeline }) => [taken, ordered, timeline])).toEqual([
      [
        10,
        5,
        [
          {
            at: null,
            point: 'charge.create order-1',
            text: 'POST /charge/token → no answer',
            note: 'crash after',
          },
          {
            at: null,
            point: 'charge.create order-1 #2',
            text: 'POST /charge/token → 201 SUCCESS 5',
            note: 'charged again',
          },
        ],
      ],
    ]);
  });

  test('does no harm to a shop that searches first; a read cannot crash after it', async () => {
    const { safe, cells } = await sweep(careful, CRASHES);
    expect([safe, cells.map(({ fault, verdict }) => [fault, verdict])]).toEqual([
      true,
      [
        ['crash before', 'recovered'],
        ['crash before', 'recovered'],
        ['crash after', 'recovered'],
      ],
    ]);
  });

  test('gives the same report at every time, with several runs at once, and on a port', async () => {
    const report = (await sweep(forgetful, CRASHES)).toString();
    expect((await sweep(forgetful, { ...CRASHES, concurrency: 4 })).toString()).toBe(report);
    // Only calls by fetch have a line of code.
    const withoutLines = (text: string): string => text.replaceAll(/^ {3}In your code: .*$/gm, '');
    const onPort = (await sweep(forgetful, { ...CRASHES, listen: true })).toString();
    expect(withoutLines(onPort)).toBe(withoutLines(report));
    const byGlobal: SweepFlow = (context) =>
      forgetful({ ...context, fetch: (input, init) => globalThis.fetch(input, init) });
    expect(withoutLines((await sweep(byGlobal, CRASHES)).toString())).toBe(withoutLines(report));
  });

  test('runs no catch and no finally, and swallows what the program does later', async () => {
    const runs: string[][] = [];
    const flow: SweepFlow = async (context) => {
      const { restarted, world } = context;
      if (!restarted) runs.push([]);
      const note = (what: string) => (): void =>
        void runs.at(-1)?.push(`${restarted ? 'second' : 'first'} life: ${what}`);
      const call = (reference: string): Promise<void> =>
        pay(context, reference)
          .then(note(`${reference} answered`), note(`${reference} lost`))
          .finally(note(`${reference} over`));
      const later = new Promise((resolve) => setImmediate(resolve)).then(() =>
        Promise.all([call('order-3'), world.charges().then(note('read'))]),
      );
      // The first one hangs while the second is under way.
      await Promise.all([call('order-1'), call('order-2'), later]);
    };
    await sweep(flow, { ...CRASHES, faults: ['crash after'] });
    const whole = ['order-1', 'order-2', 'order-3'].flatMap((one) => [`${one} answered`, `${one} over`]);
    expect(runs[2]?.toSorted()).toEqual([...whole, 'read'].map((what) => `second life: ${what}`));
  });

  test('is not tried unless somebody asks for it; one that is named is the only one', async () => {
    const faultsOf = async (options: object): Promise<string[]> => [
      ...new Set((await sweep(careful, { pairs: false, ...options })).cells.map(({ fault }) => fault)),
    ];
    expect(await faultsOf({})).not.toContain('crash before');
    expect((await faultsOf({ crash: true })).slice(-3)).toEqual(['down', 'crash before', 'crash after']);
    expect(await faultsOf({ crash: true, faults: ['lost'] })).toEqual([
      'lost',
      'crash before',
      'crash after',
    ]);
    expect(await faultsOf({ crash: true, faults: ['crash after'] })).toEqual(['crash after']);
    expect(await faultsOf({ faults: ['crash after'] })).toEqual(['crash after']);
  });
});

describe('A disk', () => {
  test('is empty in each run, outlives a crash, and is removed after the run', async () => {
    const seen: [string, boolean, string[]][] = [];
    const flow: SweepFlow = async (context) => {
      const { disk, restarted } = context;
      seen.push([disk, restarted, readdirSync(disk)]);
      writeFileSync(join(disk, 'started'), '');
      await pay(context);
    };
    await sweep(flow, { ...CRASHES, faults: ['crash before'] });
    expect(seen.map(([, restarted, files]) => [restarted, files])).toEqual([
      [false, []],
      [false, []],
      [false, []],
      [true, ['started']],
    ]);
    const disks = new Set(seen.map(([disk]) => disk));
    expect([disks.size, [...disks].some((disk) => existsSync(disk))]).toEqual([3, false]);
  });
});

describe('While it handles a webhook,', () => {
  /** A shop that reads the charge of each webhook. */
  const listening =
    (settle: boolean): SweepFlow =>
    async (context) => {
      const shop = openShop(context);
      context.receive(async () => {
        if (await isCharged(context)) shop.save();
        return new Response(null, { status: 204 });
      });
      if (!context.restarted) await pay(context, 'order-1', HOOK);
      if (settle) await context.world.clock.advance('1m');
      return shop;
    };

  test.each([false, true])(
    'a program that crashes gets it again when it was restarted; the flow moves the clock: %s',
    async (settle) => {
      const { cells, findings } = await sweep(listening(settle), { ...CRASHES, faults: ['crash before'] });
      expect(findings).toEqual([]);
      expect(cells.map(({ point, verdict }) => [point, verdict])).toEqual([
        ['charge.create order-1', 'failed and said so'],
        ['charge.search order-1', 'recovered'],
      ]);
    },
  );

  test('its connection breaks, and nobody listens until it was restarted', async () => {
    let deliveries: unknown[] = [];
    await sweep(
      async (context) => {
        const shop = await listening(false)(context);
        return {
          ...shop,
          orders: async () => {
            deliveries = (await context.world.deliveries.list()).map(({ attempts }) =>
              attempts.map(({ note, status }) => note ?? status),
            );
            return [order(true)];
          },
        };
      },
      { ...CRASHES, faults: ['crash before'] },
    );
    expect(deliveries).toEqual([['the program ended', 'delivered']]);
  });
});

test('A recovery that crashes runs again.', async () => {
  let recoveries = 0;
  const flow: SweepFlow = async (context) => {
    const shop = openShop(context);
    if (!context.restarted) await pay(context).catch(() => null);
    return {
      orders: shop.orders,
      recover: async () => {
        recoveries++;
        if (await isCharged(context)) shop.save();
      },
    };
  };
  const { counts } = await sweep(flow, { ...CRASHES, faults: ['crash before'] });
  expect([recoveries, counts.recovered, counts['failed and said so']]).toEqual([5, 1, 1]);
});

test('The scenario of a crash holds the call, and the report says what to do then.', async () => {
  const report = await sweep(forgetful, { ...CRASHES, faults: ['crash after'] });
  expect(report.toString()).toMatch(
    /\n {5}When the program waits for an answer, end it with SIGKILL, and start it again\.\n/,
  );
  using sandbox = createSandbox();
  const world = sandbox.world();
  const { url, key } = world;
  const caller = {
    url,
    key,
    fetch: (input: string | URL | Request, init?: RequestInit) => world.fetch(input, init),
  };
  await world.scenario.use({ yaml: report.findings[0]?.scenario ?? '' });
  void pay(caller).catch(() => {});
  await world.journal.await({ operation: 'charge.create', status: 0 });
  expect((await pay(caller)).status).toBe(201);
  expect((await world.charges()).map(({ Status }) => Status)).toEqual(['SUCCESS', 'SUCCESS']);
});

test('Crashes are refused against a server.', async () => {
  vi.stubEnv('PLAYMONEY_URL', 'http://127.0.0.1:1');
  await expect(sweep(forgetful, CRASHES)).rejects.toThrow('sweep: PLAYMONEY_URL names a server, on which');
  vi.unstubAllEnvs();
});

test.each([
  ['group', 'win32', /^--crash ends a command with all its processes at once, which Windows cannot do/],
  ['caller', 'darwin', /^--crash-of caller looks up the process in \/proc, which darwin does not have/],
] as const)('Crashes of a %s are refused on %s.', (crashOf, platform, message) => {
  expect(() => requireCrashes(crashOf, platform)).toThrow(message);
  expect(() => requireCrashes('group', 'darwin')).not.toThrow();
  expect(() => requireCrashes('caller', 'linux')).not.toThrow();
});
