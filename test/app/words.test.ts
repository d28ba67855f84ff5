import { describe, expect, test } from 'vitest';

import { OPERATION_ROWS } from '../../src/app/sections.js';
import { ApiError } from '../../src/core/errors.js';
import { type AnyRow, isControl } from '../../src/http/route.js';
import { RESERVED, UNKNOWN_ID } from '../support/bodies.js';
import { client, testSandbox } from '../support/sandbox.js';

/** A word in the place of an identifier. */

const ROWS = OPERATION_ROWS.filter((row) => !isControl(row) && row.path.includes('{'));
const KEY = 'sk_test_a';

async function setup() {
  const sandbox = testSandbox();
  await client(sandbox).get('/charge');
  const world = sandbox.worlds.find(KEY);
  if (world === undefined) throw new Error('The first call makes the world.');
  return { sandbox, world };
}

/** The refusal of a well-formed identifier that no record has. */
async function refusalOfUnknown(row: AnyRow): Promise<ApiError> {
  const { world } = await setup();
  try {
    // Only the reserved provider is unknown: all others can be charged.
    row.find?.(world, row.path === '/info/providers/{id}' ? RESERVED : UNKNOWN_ID);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error(`${row.id} finds a record that does not exist.`);
}

describe.each(['documented', 'sdk'])('in the %s dialect', (dialect) => {
  test.each(ROWS.map((row) => [row.method.toUpperCase(), row.path, row] as const))(
    '%s %s is refused like an unknown record, before its body',
    async (method, path, row) => {
      const unknown = await refusalOfUnknown(row);
      const { sandbox } = await setup();
      const url = `http://localhost${path.replace(/\{\w+\}/, 'all')}`;
      const headers = {
        'x-secretkey': KEY,
        'x-sandbox-dialect': dialect,
        'content-type': 'application/json',
      };
      const broken = method === 'GET' ? {} : { body: '{ broken' };
      const answer = await sandbox.fetch(new Request(url, { method, headers, ...broken }));
      const sent = (await answer.json()) as Record<string, unknown>;
      expect([answer.status, sent['Code'] ?? sent['code']]).toEqual([
        unknown.httpStatus,
        unknown.refusal.code,
      ]);
      // The sdk dialect has no field for the longer text.
      expect(sent['Message'] ?? answer.headers.get('x-sandbox-warning')).toMatch(
        /"all" is not a \w+Id \(32 hexadecimal digits\)/,
      );
    },
  );
});

test.each([
  ['POST /charge/cards', '; did you mean POST /charge/card?'],
  ['POST /charge/Tokens', '; did you mean POST /charge/token?'],
  ['POST /charge/paymentmethod', '; did you mean POST /charge/payment_method?'],
  ['GET /info/providers/tokens', ').'],
  // No path that takes this method is near.
  ['GET /charge/cards', ').'],
  ['POST /charge/all', ').'],
  ['DELETE /charge/cards/void', ').'],
])('%s: the refusal ends with %j', async (call, end) => {
  const [method = '', path = ''] = call.split(' ');
  const headers = { 'x-secretkey': KEY };
  const answer = await testSandbox().fetch(new Request(`http://localhost${path}`, { method, headers }));
  const { Message } = (await answer.json()) as { Message: string };
  expect(Message).toContain('is not a ');
  expect(Message.endsWith(end), Message).toBe(true);
});

test('an identifier that no record has is named as what it is, in quotes', async () => {
  const { body } = await client(testSandbox()).get(`/charge/${UNKNOWN_ID}`);
  expect(body['Message']).toBe(
    `Invalid ChargeId: No charge with the id "${UNKNOWN_ID}" exists for this key.`,
  );
});

test('a card number in the place of an identifier is masked', async () => {
  const { body } = await client(testSandbox()).get('/vault/4111111111111111');
  expect(body['Message']).toBe(
    'Invalid VaultId: "4111********1111" is not a VaultId (32 hexadecimal digits).',
  );
});
