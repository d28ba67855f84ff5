import { expect, test } from 'vitest';

import { NODE_HOST } from '../../../src/node/machine/host.js';
import { createInnerSandbox, type InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { isObject } from '../../../src/core/text/text.js';
import { served } from '../../support/serving.js';
import { cardOf, STEADY } from '../../support/stored.js';
import { replayed, scenarioOf, type Send, sender, server } from '../replay/support.js';
import { recorded } from './support.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a changed gateway answers in place of what a sandbox would. */
interface Change {
  readonly status?: (call: string, status: number) => number;
  readonly fields?: (call: string, fields: Fields) => Fields;
}

/** The address of a gateway that answers as a sandbox does, but for a change. */
async function changedGateway({ status, fields }: Change): Promise<string> {
  const sandbox = createInnerSandbox(NODE_HOST, { clock: { mode: 'manual' } });
  const fetch = async (request: Request): Promise<Response> => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    const answer = await sandbox.app.fetch(request, {});
    const body: unknown = await answer.json();
    const shown = fields !== undefined && isObject(body) ? fields(call, body) : body;
    return Response.json(shown, { status: status?.(call, answer.status) ?? answer.status });
  };
  return (await served({ app: { fetch } })).url;
}

const REFUND = /^DELETE \/refund\//;
const SEARCH = 'GET /charge';

/** Two charges, of which one is found, refunded and read; a decline, a customer, a search. */
async function play(send: Send): Promise<void> {
  const charge = { Amount: '15.50', ProviderId: STEADY, PaymentInformation: cardOf() };
  const first = await send('POST /charge/card', { ...charge, Reference: 'order-1' });
  await send('POST /charge/card', { ...charge, Reference: 'order-2' });
  const id = String(first.body['ChargeId']);
  await send(`DELETE /refund/${id}?Amount=2.5`);
  await send(`GET /charge/${id}`);
  await send('POST /charge/token', { Amount: 5, Token: 'tok_insufficient_funds' });
  await send('POST /customer/card', { FirstName: 'Jo', ProviderId: STEADY, PaymentInformation: cardOf() });
  await send('GET /charge?SortBy=Date');
  await send('POST /charge/card', { ...charge, Amount: 0 });
}

/** What a replay against an unchanged sandbox prints of a recording of the changed one. */
async function differencesFrom(
  change: Change,
  target: InnerSandboxOptions = {},
): Promise<{ code: number; causes: string[]; end: string }> {
  const { file, code } = await recorded(await changedGateway(change), (url) => play(sender({ url })));
  expect(code).toBe(0);
  const { code: exitCode, out } = await replayed(file, await server({ seed: 'other', ...target }));
  const causes = out.split('by cause (recorded → now)\n')[1]?.split('\n').slice(0, -2) ?? [];
  return { code: exitCode, causes, end: out.split('\n').at(-2) ?? '' };
}

test('a gateway that answers as the sandbox does differs in nothing', async () => {
  const { code, end } = await differencesFrom({});
  expect(code).toBe(0);
  expect(end).toMatch(/^8 calls to the world \w+ of sk_test_again: 8 equal\.$/);
});

test('every difference that was planted is found, by its cause, and nothing else', async () => {
  const { code, causes, end } = await differencesFrom({
    status: (call, status) => (REFUND.test(call) ? 202 : status),
    fields: (call, fields) => {
      if (REFUND.test(call)) return { ...fields, Surcharge: 0.5 };
      if (call === 'POST /customer/card') return Object.fromEntries(Object.entries(fields).toReversed());
      if (call === SEARCH) return { ...fields, Charges: (fields['Charges'] as object[]).toReversed() };
      if (call === 'POST /charge/token') return { ...fields, IsRetryable: 'maybe' };
      if (!call.startsWith('GET /charge/')) return fields;
      const { Currency: _, ...rest } = fields;
      return rest;
    },
  });
  expect(code).toBe(1);
  expect(causes).toEqual([
    '    status: 1 call',
    '        status 202 → 200: DELETE /refund/{id} (3)',
    '    missing field (in the trace, but not now): 1 call',
    '        Surcharge: DELETE /refund/{id} (3)',
    '    extra field (not in the trace): 1 call',
    '        Currency: GET /charge/{id} (4)',
    '    value: 1 call',
    '        IsRetryable "maybe" → true: POST /charge/token (5)',
    '    order: 2 calls',
    expect.stringMatching(/^ {8}body fields .* → fields .*: POST \/customer\/card \(6\)$/),
    '        Charges items 1, 2, 3 → items 3, 2, 1: GET /charge (7)',
  ]);
  expect(end).toMatch(/: 3 equal, 5 different \(recorded → now\)\.$/);
});

test('a refusal in place of a success is one difference, and what follows from it has a cause of its own', async () => {
  const scenario = scenarioOf({
    name: 'closed',
    rules: [
      { when: { operation: 'charge.create', reference: 'order-1' }, then: { respond: { status: 503 } } },
    ],
  });
  const { causes } = await differencesFrom({}, { scenario });
  expect(causes.slice(0, 4)).toEqual([
    '    identifier that no earlier call returned this time: 2 calls',
    '        status 200 → 404: DELETE /refund/{id} (3), GET /charge/{id} (4)',
    '    status: 1 call',
    expect.stringMatching(/^ {8}status 20\d → 503: POST \/charge\/card \(1\)$/),
  ]);
});

test('a list in another order is compared item by item all the same', async () => {
  const { causes } = await differencesFrom({
    fields: (call, fields) => {
      if (call !== SEARCH) return fields;
      const items = (fields['Charges'] as Fields[]).map((charge) => {
        const { Currency: _, ChargeId, Status, ...rest } = charge;
        return { Status, ChargeId, Surcharge: 1, ...rest };
      });
      return { ...fields, Charges: items.toReversed() };
    },
  });
  expect(causes).toEqual([
    '    missing field (in the trace, but not now): 1 call',
    '        Charges.*.Surcharge: GET /charge (7)',
    '    extra field (not in the trace): 1 call',
    '        Charges.*.Currency: GET /charge (7)',
    '    order: 1 call',
    '        Charges items 1, 2, 3 → items 3, 2, 1: GET /charge (7)',
    expect.stringMatching(
      /^ {8}Charges\.\* fields Status, ChargeId, .* → fields ChargeId, .*: GET \/charge \(7\)$/,
    ),
  ]);
});

test('one change in the same field of many answers is one line', async () => {
  const { causes } = await differencesFrom({
    fields: (_call, fields) => ('Currency' in fields ? { ...fields, Currency: 'NZD' } : fields),
  });
  expect(causes).toEqual([
    '    value: 4 calls',
    '        Currency "NZD" → "AUD": POST /charge/card (1, 2), DELETE /refund/{id} (3), GET /charge/{id} (4)',
  ]);
});
