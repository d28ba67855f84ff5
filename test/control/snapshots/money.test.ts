import { describe, expect } from 'vitest';

import { moneyOfTransfers } from '../../../src/control/snapshots/state-money.js';
import { type Client, good } from '../../support/sandbox.js';
import { batchOf, expectRefused, STEADY, storing, textIn } from '../../support/stored.js';
import { test } from '../../support/tests.js';
import { changed } from './support.js';

const STATE = '/_sandbox/state';

/** A refunded and transferred charge, a captured part of an authorisation, a refunded one, a declined one, and a batch of two rows. */
async function fill(api: Client): Promise<string> {
  const id = textIn(await good(api.charge(storing({ Amount: 20 }))), 'ChargeId');
  await good(api.del(`/refund/${id}?Amount=5`));
  const Transfers = [6, 4].map((Amount) => ({ Account: 'a', Amount, Currency: 'AUD' }));
  await good(api.post('/transfer', { GroupReference: 'g', ProviderId: STEADY, ChargeId: id, Transfers }));
  const held = textIn(await good(api.charge(storing({ Amount: 20, Capture: false }))), 'ChargeId');
  await good(api.post(`/charge/${held}`, { Amount: 8 }));
  const refunded = textIn(await good(api.charge(storing({ Amount: 3 }))), 'ChargeId');
  await good(api.del(`/refund/${refunded}`));
  await api.charge(storing({ Amount: 30 }), { 'x-sandbox-outcome': 'do_not_honor' });
  const method = textIn(await good(api.post('/payment_method/card', storing())), 'PaymentMethodId');
  const rows = [`${method},7,AUD,a`, 'unknown,8,AUD,b', `${method},9.50,USD,c`];
  await good(api.post('/batch/transaction/payment_method', batchOf(rows)));
  await api.advance('10s');
  return (await good(api.get(STATE))).text;
}

/** Charges of the rows of the batch, the least byte first: their positions in Charges plus 1, or 0. */
const rowsWith = (...places: number[]): string =>
  Buffer.from(places.flatMap((place) => [place, 0, 0, 0])).toString('base64');

describe('PUT /_sandbox/state', () => {
  test('takes a world with all of these', async ({ api }) => {
    const text = await fill(api);
    expect(JSON.parse(text)).toMatchObject({ Batches: [{ Charge: rowsWith(5, 0, 6) }] });
    await good(api.put(STATE, text));
  });

  test.for<[path: string, value: unknown, place: string, reason: string]>([
    [
      'Charges.0.AmountMinor',
      1400,
      'Charges.0',
      'has refunded 5 and transferred 10, together more than its amount 14',
    ],
    ['Charges.0.AmountMinor', 499, 'Charges.0', 'has refunded more than its amount'],
    [
      'Transfers.0.AmountMinor',
      1101,
      'Charges.0',
      'has refunded 5 and transferred 15.01, together more than',
    ],
    ['Transfers.0.AmountMinor', 1100, 'Transfers.0', 'has the total 10, but its group adds up to 15'],
    ['Transfers.1.TotalMinor', 1001, 'Transfers.1', 'has the total 10.01, but its group adds up to 10'],
    ['Transfers.0.Currency', 'USD', 'Transfers.0', 'is in USD, but its charge is in AUD'],
    ['Transfers.0.Charge', 3, 'Charges.3', 'is FAILED, but has transfers'],
    ['Charges.0.RefundedMinor', 400, 'Charges.0', 'has refunded 4, but its Refunds add up to 5'],
    ['Charges.0.Status', 'SUCCESS', 'Charges.0', 'is SUCCESS, but a part of it is refunded'],
    ['Charges.2.Status', 'PARTIAL_REFUND', 'Charges.2', 'is PARTIAL_REFUND, but all of it is refunded'],
    ['Charges.1.Status', 'REFUND', 'Charges.1', 'is REFUND, but nothing of it is refunded'],
    ['Charges.1.AuthorisedMinor', 799, 'Charges.1', 'has the amount 8, more than the authorised 7.99'],
    ['Charges.1.SuccessDate', undefined, 'Charges.1', 'is SUCCESS without a SuccessDate'],
    ['Charges.3.SuccessDate', 0, 'Charges.3', 'is FAILED with a SuccessDate'],
    ['Charges.4.AmountMinor', 701, 'Batches.0', 'has the charge 4 in row 0, which is of 7.01, not of 7'],
    ['Charges.5.Currency', 'AUD', 'Batches.0', 'has the charge 5 in row 2, which is in AUD, not in USD'],
    ['Charges.5.Batch', undefined, 'Batches.0', 'has the charge 5 in row 2, which belongs to another batch'],
    ['Charges.2.Batch', 0, 'Batches.0', 'has 2 charges in its rows, but 3 in Charges'],
    [
      'Batches.0.Charge',
      rowsWith(5, 0, 5),
      'Batches.0',
      'has the charge 4 in row 2, but that of an earlier row is 4',
    ],
  ])('refuses %s as %j', async ([path, value, place, reason], { api }) => {
    const text = await fill(api);
    const message = expectRefused(await api.put(STATE, changed(text, path, value)), 400, 90, place);
    expect(message).toContain(`${place} ${reason}`);
    expect((await good(api.get(STATE))).body['Charges']).toEqual(
      (JSON.parse(text) as { Charges: unknown }).Charges,
    );
  });
});

test('the check of transfers takes linear time, also if all are in one group', () => {
  // Checking each transfer against a whole group would take minutes, and the test would time out.
  const COUNT = 300_000;
  const charge = { id: 'c', currency: 'AUD' } as const;
  const transfer = { groupReference: 'g', charge: 'c', currency: 'AUD', amountMinor: 1, totalMinor: COUNT };
  const state = { charges: [charge], transfers: Array.from({ length: COUNT }, () => transfer) };
  const reasonAgainst = moneyOfTransfers(state);
  expect(state.transfers.map(reasonAgainst).filter((reason) => reason !== undefined)).toEqual([]);
});
