import { expect, test } from 'vitest';

import { sweep } from '../../src/index.js';
import { HOOK, order, pay } from './support.js';

test('A setup runs before each run, without faults; its calls and webhooks are no points, and its result is given.', async () => {
  const given: number[] = [];
  let setups = 0;
  const report = await sweep<number>(
    async (context) => {
      given.push(context.given);
      const charge = (): Promise<Response> => pay(context, 'order-2');
      await charge().catch(charge);
      return { orders: () => [order(), order(true, 'order-2')] };
    },
    {
      faults: ['lost', 'lost webhook'],
      pairs: false,
      setup: async (context) => {
        context.receive(() => new Response(null, { status: 204 }));
        expect((await pay(context, 'order-1', HOOK)).status).toBe(201);
        return ++setups;
      },
    },
  );
  expect(report.cells.map(({ point, fault }) => `${point}: ${fault}`)).toEqual([
    'charge.create order-2: lost',
  ]);
  expect(report.findings.map(({ name, timeline }) => [name, timeline.length])).toEqual([
    ['charged twice at charge.create order-2', 2],
  ]);
  expect(report.findings[0]?.source).toEqual({ file: 'test/sweep/support.ts', line: 17 });
  // Two clean runs, and one with a fault.
  expect(given).toEqual([1, 2, 3]);
});

test.each([
  [undefined, '2026-01-02T01:00:00.000Z'],
  ['4d' as const, '2026-01-05T01:00:00.000Z'],
])('With settle %s, a run ends at %s.', async (settle, end) => {
  const ends: string[] = [];
  await sweep(
    async (context) => {
      await pay(context);
      return {
        orders: async () => {
          ends.push(await context.world.clock.now());
          return [order()];
        },
      };
    },
    { faults: ['unavailable'], pairs: false, ...(settle === undefined ? {} : { settle }) },
  ).catch(() => {});
  expect(ends[0]).toBe(end);
});

test('Refuses a time to settle that is no duration.', async () => {
  await expect(sweep(async () => {}, { settle: 'soon' as '1d' })).rejects.toThrow(
    'sweep: settle is "soon"; it must be a duration, such as 30s.',
  );
});
