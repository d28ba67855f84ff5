import { expect, test } from 'vitest';

import { CHARGE_STATUSES } from '../../../src/records/charge.js';
import {
  type Explanation,
  explainAnswer,
  explainDelivery,
  explainStatus,
} from '../../../src/pages/dashboard/text/explain.js';
import { toPlainText } from '../../../src/pages/dashboard/text/sentence.js';
import { type Client, client, testSandbox } from '../../support/sandbox.js';
import { cardOf, storing } from '../../support/stored.js';
import { callOf, knownOf } from './look.js';

const linesOf = (about: Explanation | null): string[] => about?.lines.map(toPlainText) ?? [];

async function explained(api: Client, more: object, headers: Record<string, string> = {}) {
  await api.post('/charge/card', { ...storing(), Amount: '5.00', ...more }, headers).catch(() => null);
  return explainAnswer(await callOf(api, 1), await knownOf(api));
}

test('An outcome is explained by its codes, whether to retry, and the cards that give it.', async () => {
  const card = { PaymentInformation: cardOf('4000000000009995') };
  const about = await explained(client(testSandbox()), card);
  expect(about?.word).toBe('insufficient_funds');
  expect(linesOf(about)).toEqual([
    'Insufficient funds, code 15, gateway code 51.',
    'The same call may succeed later.',
    'To get it here: card 4000000000009995, account 000009995, provider 00000000000000000000000000000002, or the header x-sandbox-outcome: insufficient_funds.',
  ]);
});

test.each([
  [
    { ProviderId: '0000000000000000000000000000dead' },
    'code 39',
    'provider 0000000000000000000000000000dead',
  ],
  [{ Amount: '-1' }, 'code 74', 'a call with the same mistake'],
])('A refusal of %j is explained by its code.', async (more, word, way) => {
  const about = await explained(client(testSandbox()), more);
  expect(about?.word).toBe(word);
  const [meaning, retry, how] = linesOf(about);
  expect(meaning).toMatch(new RegExp(`^Invalid \\w+, ${word}\\.$`));
  expect([retry, how]).toEqual(['The same call will fail again.', `To get it here: ${way}.`]);
});

test('A lost answer is explained by its fault, and a call that only reads is not.', async () => {
  const api = client(testSandbox());
  const about = await explained(api, {}, { 'x-sandbox-fault': 'reset; phase=after' });
  expect([about?.word, linesOf(about)[0]]).toEqual(['fault reset', 'The caller got a cut connection.']);
  await api.get('/charge');
  expect(explainAnswer(await callOf(api, 2), await knownOf(api))).toBeNull();
});

test('Each status of a charge says what it means, what can follow, and how to get it.', async () => {
  const known = await knownOf(client(testSandbox()));
  for (const status of CHARGE_STATUSES) expect(linesOf(explainStatus(status, known))).toHaveLength(3);
  expect(linesOf(explainStatus('Authorised', known))).toEqual([
    'The money is held, but not taken yet.',
    'It can become SUCCESS or AUTHORISE_CANCELLED.',
    'To get it here: a charge with "Capture": false.',
  ]);
  expect(linesOf(explainStatus('REFUND', known))[1]).toBe('This is final.');
});

test('A webhook is explained by the word that is shown for its status.', () => {
  expect(explainDelivery({ Status: 'pending', Attempt: 2 })?.word).toBe('retrying');
  expect(linesOf(explainDelivery({ Status: 'failed', Attempt: 10 }))).toEqual([
    'Every attempt failed. “Send again” tries once more.',
    'To get it here: a receiver that answers 500 each time.',
  ]);
});
