import { describe, expect } from 'vitest';

import { type Answer, type Client, good } from '../../support/sandbox.js';
import { STEADY, storing } from '../../support/bodies.js';
import { expectRefused, textIn } from '../../support/stored.js';
import { test } from '../../support/tests.js';
import { authorised, charged } from '../charges/support.js';

/** Money leaves once: what was transferred cannot be refunded, and what was refunded cannot be transferred. */

let groups = 0;

const transfer = (api: Client, ChargeId: string, ...amounts: readonly (number | string)[]): Promise<Answer> =>
  api.post('/transfer', {
    GroupReference: `g-${++groups}`,
    ProviderId: STEADY,
    ChargeId,
    Transfers: amounts.map((Amount) => ({ Account: 'acct-1', Amount, Currency: 'AUD' })),
  });

const refund = (api: Client, id: string, query = ''): Promise<Answer> => api.del(`/refund/${id}${query}`);

const moneyOf = async (api: Client, id: string): Promise<unknown> => {
  const { Status, RefundedAmount } = await api.read(`/charge/${id}`);
  return { Status, RefundedAmount };
};

describe.each(['/refund', '/charge'])('DELETE %s/{id} of a charge with transfers', (path) => {
  const undo = (api: Client, id: string, query = ''): Promise<Answer> => api.del(`${path}/${id}${query}`);

  test('refunds nothing of what was transferred in full', async ({ api }) => {
    const id = await charged(api, { Amount: 10 });
    await good(transfer(api, id, 10));
    const all = await undo(api, id);
    expect(expectRefused(all, 400, 76, 'Amount')).toContain(
      'Amount cannot be refunded: nothing is left after transfers of 10.',
    );
    expect(expectRefused(await undo(api, id, '?Amount=0.01'), 400, 76, 'Amount')).toContain(
      'Amount cannot be refunded: nothing is left after transfers of 10.',
    );
    expect(await moneyOf(api, id)).toEqual({ Status: 'SUCCESS', RefundedAmount: null });
  });

  test('refunds by default what transfers left, which is a part of the charge', async ({ api }) => {
    const id = await charged(api, { Amount: 10 });
    await good(transfer(api, id, 3, 3));
    expectRefused(await undo(api, id, '?Amount=4.01'), 400, 76, 'Amount');
    await good(undo(api, id));
    expect(await moneyOf(api, id)).toEqual({ Status: 'PARTIAL_REFUND', RefundedAmount: 4 });
    expectRefused(await undo(api, id), 400, 76, 'Amount');
    expectRefused(await transfer(api, id, 0.01), 400, 68, 'Transfers');
  });

  test('has still nothing to refund after the transfers have arrived', async ({ api }) => {
    const id = await charged(api, { Amount: 10 });
    await good(transfer(api, id, 10));
    await api.advance('2d');
    expectRefused(await undo(api, id), 400, 76, 'Amount');
  });
});

test('refunds and transfers take turns until nothing is left', async ({ api }) => {
  const id = await charged(api, { Amount: 0.6 });
  await good(refund(api, id, '?Amount=0.1'));
  await good(transfer(api, id, 0.2));
  await good(refund(api, id, '?Amount=0.1'));
  await good(transfer(api, id, 0.1, 0.1));
  expectRefused(await refund(api, id, '?Amount=0.01'), 400, 76, 'Amount');
  expectRefused(await transfer(api, id, 0.01), 400, 68, 'Transfers');
  expect(await moneyOf(api, id)).toEqual({ Status: 'PARTIAL_REFUND', RefundedAmount: 0.2 });
});

test('a refund that its provider declines leaves everything to transfers', async ({ api }) => {
  const id = await charged(api, { Amount: 10 });
  await api.queue('charge.refund', ['unable_to_refund']);
  expectRefused(await refund(api, id), 400, 45);
  await good(transfer(api, id, 10));
});

test('a refused transfer leaves everything to refunds', async ({ api }) => {
  const id = await charged(api, { Amount: 10 });
  expectRefused(await transfer(api, id, 10, 0.01), 400, 68, 'Transfers');
  await good(refund(api, id));
  expect(await moneyOf(api, id)).toEqual({ Status: 'REFUND', RefundedAmount: 10 });
});

test('a capture in part limits refunds and transfers together', async ({ api }) => {
  const id = await authorised(api, { Amount: 20 });
  expectRefused(await transfer(api, id, 1), 409, 54);
  await good(api.post(`/charge/${id}`, { Amount: 10 }));
  await good(transfer(api, id, 6));
  expectRefused(await api.del(`/charge/${id}/void`), 409, 54);
  expectRefused(await refund(api, id, '?Amount=5'), 400, 76, 'Amount');
  await good(refund(api, id, '?Amount=4'));
});

test('of a voided, a declined and a pending charge nothing is transferred', async ({ api }) => {
  const voided = await authorised(api);
  await good(api.del(`/charge/${voided}/void`));
  expectRefused(await transfer(api, voided, 1), 409, 54);
  const authentication = { ThreeDSNotificationUrl: 'http://127.0.0.1:3000/3ds' };
  const PaymentInformation = { CardNumber: '4000000000001133', ExpiryDate: '12/30' };
  const asked = await good(api.charge(storing({ Amount: 10, PaymentInformation, ...authentication })));
  expect(asked.body['Status']).toBe('PENDING');
  expectRefused(await transfer(api, textIn(asked, 'ChargeId'), 1), 409, 54);
});

test('a refund and a transfer at the same time take no more than there is', async ({ api }) => {
  const id = await charged(api, { Amount: 10 });
  const answers = await Promise.all([
    transfer(api, id, 6),
    refund(api, id, '?Amount=6'),
    transfer(api, id, 6),
    refund(api, id, '?Amount=6'),
  ]);
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
});
