import { expect, test } from 'vitest';

import { cardOf, STEADY } from '../support/bodies.js';
import { client, testSandbox, warningOf } from '../support/sandbox.js';

/** Headers that nothing reads. */

const CHARGE = { Amount: 20, Currency: 'AUD', ProviderId: STEADY, PaymentInformation: cardOf() };
const NO_KEYS = 'the service has no such keys, so a repeated call is another call';

test.each([
  ['x-sandbox-outcom', '"x-sandbox-outcom" (did you mean x-sandbox-outcome?)'],
  ['X-Sandbox-Fualt', '"x-sandbox-fualt" (did you mean x-sandbox-fault?)'],
  ['x-sandbox-dialects', '"x-sandbox-dialects" (did you mean x-sandbox-dialect?)'],
  ['sandbox-outcome', '"sandbox-outcome" (did you mean x-sandbox-outcome?)'],
  ['x_sandbox_outcome', '"x_sandbox_outcome" (did you mean x-sandbox-outcome?)'],
  // A header of answers, and one that no other is near.
  ['x-sandbox-trigger', '"x-sandbox-trigger"'],
  ['x-sandbox-4111111111111111', '"x-sandbox-4111********1111"'],
  ['idempotency-key', `"idempotency-key": ${NO_KEYS}`],
  ['X-Idempotency-Key', `"x-idempotency-key": ${NO_KEYS}`],
  ['idempotent-key', `"idempotent-key": ${NO_KEYS}`],
  ['PayPal-Request-Id', `"paypal-request-id": ${NO_KEYS}`],
])('a charge with %s is made, with a warning', async (name, warning) => {
  const { status, headers } = await client(testSandbox()).post('/charge/card', CHARGE, { [name]: 'decline' });
  expect(status).toBe(201);
  expect(headers.get('x-sandbox-warning')).toBe(`ignored unknown header ${warning}`);
});

test('reads warn of unknown control headers, and not of keys, which they do not need', async () => {
  const { get } = client(testSandbox());
  const headers = { 'idempotency-key': 'a', 'x-sandbox-worlds': 'b', 'x-request-id': 'c' };
  const warning = 'ignored unknown header "x-sandbox-worlds" (did you mean x-sandbox-world?)';
  expect(warningOf(await get('/charge', headers))).toBe(warning);
  expect(warningOf(await get('/_sandbox/world', headers))).toBe(warning);
});

test('several warnings come in the order of the names, in the sdk dialect as well', async () => {
  const { get } = client(testSandbox());
  const headers = { 'x-sandbox-b': '1', 'x-sandbox-a': '1', 'x-sandbox-dialect': 'sdk' };
  expect(warningOf(await get('/charge', headers))).toBe(
    'ignored unknown header "x-sandbox-a"; ignored unknown header "x-sandbox-b"',
  );
});
