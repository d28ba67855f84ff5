import { expect, test } from 'vitest';

import { type Client, client, testSandbox } from '../../support/sandbox.js';
import { cardOf, storing, textIn } from '../../support/stored.js';

const CARD = storing();

async function decisionsOf(api: Client, id: string): Promise<unknown> {
  const { body } = await api.get(`/_sandbox/records/charges/${id}`);
  return body['Decisions'];
}

test('A charge keeps what decided on it after its calls have left the journal.', async () => {
  const api = client(testSandbox());
  const declined = await api.charge({ ...CARD, Amount: 5, PaymentInformation: cardOf('4000000000009995') });
  await api.del('/_sandbox/journal');
  expect(await decisionsOf(api, textIn(declined, 'ChargeId'))).toEqual([
    {
      At: '2026-01-01T00:00:00.000Z',
      Operation: 'charge.create',
      Precedence: 'magic',
      Trigger: 'card:4000000000009995',
      Rule: null,
    },
  ]);
});

test('Each operation has its decision; what was simply approved has none.', async () => {
  const api = client(testSandbox());
  const rule = {
    name: 'no captures',
    when: { operation: 'charge.capture', nth: 1 },
    then: { outcome: 'provider_unavailable' },
  };
  await api.put('/_sandbox/scenario', { Definition: { name: 'captures', rules: [rule] } });
  const id = textIn(await api.charge({ ...CARD, Amount: 5, Capture: false }), 'ChargeId');
  expect(await decisionsOf(api, id)).toEqual([]);
  await api.advance('1h');
  await api.post(`/charge/${id}`, { Amount: 5 });
  await api.post(`/charge/${id}`, { Amount: 5 });
  await api.post('/_sandbox/outcomes', { Operation: 'charge.refund', Outcomes: ['unable_to_refund'] });
  await api.del(`/refund/${id}`);
  expect(await decisionsOf(api, id)).toMatchObject([
    {
      At: '2026-01-01T01:00:00.000Z',
      Operation: 'charge.capture',
      Precedence: 'rule',
      Trigger: 'rule:no captures',
      Rule: 'no captures',
    },
    { Operation: 'charge.refund', Precedence: 'queue', Rule: null },
  ]);
});

test('A charge keeps its latest ten decisions, also through a snapshot and a state document.', async () => {
  const api = client(testSandbox());
  const id = textIn(await api.charge({ ...CARD, Amount: 20 }), 'ChargeId');
  for (let n = 0; n < 12; n++) {
    await api.del(`/refund/${id}?Amount=1`, {
      'x-sandbox-outcome': n === 11 ? 'provider_unavailable' : 'unable_to_refund',
    });
  }
  const kept = await decisionsOf(api, id);
  expect(kept).toHaveLength(10);
  expect((kept as { Trigger: string }[]).at(-1)?.Trigger).toBe('header:provider_unavailable');
  const { body: state } = await api.get('/_sandbox/state');
  await api.post('/_sandbox/reset', {});
  await api.put('/_sandbox/state', state);
  expect(await decisionsOf(api, id)).toEqual(kept);
});
