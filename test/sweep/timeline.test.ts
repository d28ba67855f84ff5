import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { sweep, type SweepContext, type SweepFinding, type SweepFlow } from '../../src/index.js';
import { HOOK, order, pay } from './support.js';
import type { FaultName } from '../../src/sweep/choose-faults.js';
import type { Verdict } from '../../src/sweep/verdicts.js';

const linesOf = ({ timeline }: SweepFinding): string[] =>
  timeline.map(({ at, point, text, note }) =>
    [at, point, text, note && `← ${note}`].filter(Boolean).join(' '),
  );

async function findFirst(flow: SweepFlow, fault: FaultName, verdict?: Verdict): Promise<SweepFinding> {
  const { findings } = await sweep(flow, { faults: [fault], pairs: false });
  const finding = findings.find((one) => verdict === undefined || one.verdict === verdict);
  if (finding === undefined) throw new Error('Failed to find anything.');
  return finding;
}

const search = ({ fetch, key }: SweepContext, query = 'Reference=order-1'): Promise<Response> =>
  fetch(`/charge?${query}`, { headers: { 'x-secretkey': key } });

describe('The timeline', () => {
  test('has a late webhook where it arrived, before the calls that it caused, and what a search found', async () => {
    const finding = await findFirst(async (context) => {
      let paid = false;
      context.receive(async () => {
        paid = !(await context.world.clock.now()).startsWith('2026-01-01T00:10');
        await search(context);
        return new Response(null, { status: 204 });
      });
      await pay(context, 'order-1', HOOK);
      return { orders: () => [order(paid)], recover: () => search(context, 'Reference=order-2') };
    }, 'late webhook');
    expect(linesOf(finding)).toEqual([
      'charge.create order-1 POST /charge/token → 201 SUCCESS 5',
      '+10m webhook transaction.status.changed order-1 SUCCESS 5 → answered 204 ← late webhook',
      '+10m charge.search order-1 GET /charge?Reference=order-1 → 1 found: SUCCESS 5',
      '+1h charge.search order-2 GET /charge?Reference=order-2 → 0 found',
    ]);
    expect(finding.risk).toBe('A customer can pay and receive nothing if a webhook arrives late.');
    expect(finding.advice).toContain('A status may only move forward');
  });

  test('has each attempt of a webhook that is sent again', async () => {
    const finding = await findFirst(async (context) => {
      let received = 0;
      context.receive(() => new Response(null, { status: ++received % 2 === 1 ? 503 : 204 }));
      await pay(context, 'order-1', HOOK);
      return { orders: () => [order(received === 2)] };
    }, 'twice');
    const sent = linesOf(finding).slice(1);
    expect(sent.filter((line) => line.endsWith('answered 503 ← twice'))).toHaveLength(2);
    expect(sent.some((line) => /^\+\d+\w webhook .*answered 204 ← twice$/.test(line))).toBe(true);
  });

  test('has a webhook that was swapped after the next one', async () => {
    const finding = await findFirst(async (context) => {
      let last = '';
      context.receive(async (request) => {
        ({ reference: last } = ((await request.json()) as { data: { reference: string } }).data);
        return new Response(null, { status: 204 });
      });
      await pay(context, 'order-1', HOOK);
      await pay(context, 'order-2', HOOK);
      return { orders: () => [order(), order(last === 'order-2', 'order-2')] };
    }, 'swapped');
    expect(linesOf(finding)).toEqual([
      'charge.create order-1 POST /charge/token → 201 SUCCESS 5',
      'charge.create order-2 POST /charge/token → 201 SUCCESS 5',
      'webhook transaction.status.changed order-2 SUCCESS 5 → answered 204',
      'webhook transaction.status.changed order-1 SUCCESS 5 → answered 204 ← swapped',
    ]);
  });

  test('marks the charge that a new Reference made once more', async () => {
    let charges = 0;
    const finding = await findFirst(async (context) => {
      const reference = (): string => `order-1-${++charges}`;
      await pay(context, reference()).catch(() => pay(context, reference()));
      return { orders: () => [order(true, `order-1-${charges}`)] };
    }, 'lost');
    expect(linesOf(finding).at(-1)).toMatch(/→ 201 SUCCESS 5 ← charged again$/);
  });

  test('marks the second authorisation, and names the line that made it', async () => {
    const finding = await findFirst(
      async (context) => {
        const authorise = () => pay(context, 'order-1', { Capture: false });
        const answer = await authorise().catch(authorise);
        const { ChargeId } = (await answer.json()) as { ChargeId: string };
        await context.fetch(`/charge/${ChargeId}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ Amount: 5 }),
        });
        return { orders: () => [order()] };
      },
      'lost',
      'left open',
    );
    expect(linesOf(finding).slice(0, 2)).toEqual([
      'charge.create order-1 POST /charge/token → no answer ← lost',
      'charge.create order-1 #2 POST /charge/token → 201 Authorised 5 ← authorised again',
    ]);
    expect(finding.risk).toBe("A customer's money can stay blocked if an answer is lost.");
    expect(finding.source?.file).toBe('test/sweep/support.ts');
  });

  test('names the line of the call that decided, whichever of the two it was', async () => {
    const finding = await findFirst(async (context) => {
      const { url, key } = context;
      const headers = { 'content-type': 'application/json', 'x-secretkey': key };
      const body = JSON.stringify({ Amount: 5, Token: 'tok_approve', Reference: 'order-1' });
      const first = (): Promise<Response> => fetch(`${url}/charge/token`, { method: 'POST', headers, body });
      const second = (): Promise<Response> =>
        fetch(new Request(`${url}/charge/token`, { method: 'POST', headers, body }));
      await first().catch(second);
      return { orders: () => [order()] };
    }, 'lost');
    const lines = readFileSync(import.meta.filename, 'utf8').split('\n');
    const line = lines.findIndex((text) => text.includes('fetch(new Request(')) + 1;
    expect(finding.source).toEqual({ file: 'test/sweep/timeline.test.ts', line });
  });
});
