import { expect, test } from 'vitest';

import { cardOf, STEADY } from '../../support/bodies.js';
import { client, testSandbox } from '../../support/sandbox.js';
import { expectRefused } from '../../support/stored.js';

/** What a message repeats can be seen, whatever was sent. */

const CHARGE = { Amount: 20, Currency: 'AUD', ProviderId: STEADY, PaymentInformation: cardOf() };
const BLANKS = '; remove the blanks around it';

test.each([
  ['Currency', 'A\u00adUD', String.raw`Currency is "A\u00adUD"; it must be`],
  ['Currency', '\u00a0AUD', String.raw`Currency is "\u00a0AUD"; it must be`],
  ['ProviderId', `${STEADY}\u200b`, String.raw`0001\u200b"; it must be`],
  ['Amount', '20\u202e', 'Amount '],
  ['Am\u200bount', 5, ''],
])('%j: %j is refused with what cannot be seen escaped', async (field, value, says) => {
  const api = client(testSandbox({ strict: true }));
  const { body } = await api.post('/charge/card', { ...CHARGE, [field]: value });
  const text = JSON.stringify(body);
  expect(body['Message']).toContain(says);
  expect(text).not.toMatch(/[\u00a0\u00ad\u200b\u202e]/);
});

test.each([
  [{ Currency: ' AUD' }, 'Currency'],
  [{ Currency: 'AUD ' }, 'Currency'],
  [{ Currency: '\ufeffAUD' }, 'Currency'],
  [{ Amount: ' 20' }, 'Amount'],
  [{ ProviderId: `${STEADY} ` }, 'ProviderId'],
])('the refusal of %j says that blanks are around it', async (fields, name) => {
  const { body } = await client(testSandbox()).post('/charge/card', { ...CHARGE, ...fields });
  expect((body['Details'] as Record<string, string>)[name]).toMatch(new RegExp(`${BLANKS}$`));
  expect(body['Message']).toMatch(new RegExp(`${BLANKS}\\.$`));
});

test.each(['Status=%20Success', 'SortBy=%20Amount'])('so does that of a filter: %s', async (query) => {
  const answer = await client(testSandbox()).get(`/charge?${query}`);
  expect(expectRefused(answer, 400, 90)).toContain(BLANKS);
});

test('a value without blanks around it gets no such hint', async () => {
  const { body } = await client(testSandbox()).post('/charge/card', { ...CHARGE, Currency: 'A UD' });
  expect(body['Message']).not.toContain('blanks');
});
