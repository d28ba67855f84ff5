import { expect, test } from 'vitest';

import { batchOf, STEADY } from '../../support/bodies.js';
import { client, good, testSandbox } from '../../support/sandbox.js';
import { cardOf, storing, UNKNOWN_ID } from '../../support/stored.js';

const CARD = storing();

/** A declined charge and a mistake, an hour later an approved charge and one without an answer. */
async function setup() {
  const api = client(testSandbox());
  await api.charge({ ...CARD, Amount: 5, PaymentInformation: cardOf('4000000000009995') });
  await api.get(`/charge/${UNKNOWN_ID}`);
  await api.advance('1h');
  await api.charge({ ...CARD, Amount: 5, Reference: 'order-1' });
  await api.charge({ ...CARD, Amount: 5 }, { 'x-sandbox-fault': 'status=503' });
  return api;
}

test('GET /_sandbox/journal/facets counts calls by operation, result and trigger, and over time.', async () => {
  const api = await setup();
  expect(await api.read('/_sandbox/journal/facets?Periods=2')).toEqual({
    Count: 4,
    Operations: [
      { Name: 'charge.create', Count: 3 },
      { Name: 'charge.read', Count: 1 },
    ],
    Results: [
      { Name: 'declined', Count: 2 },
      { Name: 'done', Count: 1 },
      { Name: 'refused', Count: 1 },
    ],
    Triggers: [{ Name: 'card:4000000000009995', Count: 1 }],
    Periods: [
      { From: '2026-01-01T00:00:00.000Z', Done: 0, Declined: 1, Refused: 1, Unanswered: 0 },
      { From: '2026-01-01T00:30:00.001Z', Done: 1, Declined: 1, Refused: 0, Unanswered: 0 },
    ],
    Charges: null,
  });
});

test('With Charges it also counts all charges, those of batches among them, each declined one under one reason.', async () => {
  const api = await setup();
  const made = await api.post('/customer/card', {
    ProviderId: STEADY,
    FirstName: 'Ada',
    PaymentInformation: cardOf('4000000000000341'),
  });
  const { DefaultPaymentMethod } = made.body as { DefaultPaymentMethod: { PaymentMethodId: string } };
  const row = `${DefaultPaymentMethod.PaymentMethodId},7,AUD`;
  await good(api.post('/batch/transaction/payment_method', batchOf([`${row},row-1`, `${row},row-2`])));
  await api.advance('1h');
  const { Charges } = (await api.read('/_sandbox/journal/facets?Periods=1&Charges=true')) as {
    Charges: { Declines: { Name: string; Count: number }[]; Periods: { Done: number; Declined: number }[] };
  };
  const { Count } = (await api.read('/_sandbox/records/charges?Status=FAILED')) as { Count: number };
  const { Count: all } = (await api.read('/_sandbox/records/charges')) as { Count: number };
  expect(Charges.Declines.reduce((sum, { Count: n }) => sum + n, 0)).toBe(Count);
  expect(Charges.Declines).toContainEqual({ Name: 'Insufficient Funds', Count: 1 });
  expect(Charges.Periods).toMatchObject([{ Done: all - Count, Declined: Count }]);
});

test('It takes the filters of the journal; the journal has a filter by result.', async () => {
  const api = await setup();
  const some = await api.read(
    '/_sandbox/journal/facets?Operation=charge.create&Result=declined&Search=insufficient',
  );
  expect(some).toMatchObject({ Count: 1, Operations: [{ Name: 'charge.create', Count: 1 }] });
  expect(await api.read('/_sandbox/journal/facets?Reference=none')).toMatchObject({ Count: 0, Periods: [] });
  expect(await api.read('/_sandbox/journal?Result=refused')).toMatchObject({
    Count: 1,
    Entries: [{ Path: `/charge/${UNKNOWN_ID}`, Result: 'refused' }],
  });
  const wrong = await api.get('/_sandbox/journal?Result=good');
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('must be one of done, declined, refused, unanswered');
});
