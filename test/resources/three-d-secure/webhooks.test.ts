import { describe, expect, test } from 'vitest';

import { cardOf, STEADY } from '../../support/bodies.js';
import { good } from '../../support/sandbox.js';
import { events, HOOK, settle, setup as withReceiver } from '../../webhooks/support.js';
import { CHALLENGE, NOTIFICATION_URL } from './support.js';

const SDK = { 'x-sandbox-dialect': 'sdk' };
const changed = (...statuses: readonly string[]) =>
  statuses.map((status) => `transaction.status.changed ${status}`);

/** A charge that waits for its payer, and the receiver of its webhooks. */
async function waiting(more: object = {}, headers = {}) {
  const { api, receiver } = withReceiver();
  const { body } = await good(
    api.charge(
      {
        Amount: '15.50',
        ProviderId: STEADY,
        PaymentInformation: cardOf(CHALLENGE),
        ThreeDSNotificationUrl: NOTIFICATION_URL,
        Webhook: { Url: HOOK },
        ...more,
      },
      headers,
    ),
  );
  const id = body['ChargeId'] ?? body['chargeId'];
  const Ref = body['ThreeDSServerTransID'] ?? body['threeDSServerTransID'];
  const end = (how: string) => good(api.post('/_sandbox/simulate', { Action: `challenge.${how}`, Ref }));
  return { api, receiver, end, id: String(id), transaction: Ref };
}

describe('the receiver of a charge that waits for a challenge', () => {
  test('is sent it as PENDING, then as SUCCESS with what is known of its payer', async () => {
    const { api, receiver, end, id, transaction } = await waiting();
    await settle(api);
    expect(events(receiver)).toEqual(changed('PENDING'));
    await api.advance('1m');
    await end('approve');
    await settle(api);
    expect(events(receiver)).toEqual(changed('PENDING', 'SUCCESS'));
    expect(receiver.got[1]?.message).toMatchObject({
      meta: { timestamp: '2026-01-01T00:01:00.000Z' },
      data: {
        chargeId: id,
        threeDSServerTransID: transaction,
        threeDsVerified: true,
        successDate: '2026-01-01T00:01:00.000Z',
      },
    });
    expect(receiver.got[1]?.message.data).not.toHaveProperty('threeDsRedirectUrl');
  });

  test.each(['fail', 'abandon', 'timeOut'])('is sent it as FAILED after %s', async (how) => {
    const { api, receiver, end } = await waiting();
    await end(how);
    await settle(api);
    expect(events(receiver)).toEqual(changed('PENDING', 'FAILED'));
    expect(receiver.got[1]?.message.data).toMatchObject({
      threeDsVerified: false,
      failedAttempts: [{ errorMessage: '3D Secure failed' }],
    });
  });

  test('is sent it as FAILED when its time is over', async () => {
    const { api, receiver } = await waiting();
    await api.advance('10m');
    expect(events(receiver)).toEqual(changed('PENDING', 'FAILED'));
  });

  test.each([
    ['documented', {}, 'Authorised'],
    ['sdk', SDK, 'AUTHORISE'],
  ])('reads each later status in the dialect of its request: %s', async (_, headers, authorised) => {
    const { api, receiver, end, id } = await waiting({ Capture: false }, headers);
    await end('approve');
    await good(api.post(`/charge/${id}`, { Amount: 15 }));
    await good(api.del(`/refund/${id}?Amount=5`));
    await settle(api);
    expect(events(receiver)).toEqual(changed('PENDING', authorised, 'SUCCESS', 'PARTIAL_REFUND'));
  });

  test('reads it so after a restore, too', async () => {
    const { api, receiver, end } = await waiting({ Capture: false }, SDK);
    const { text } = await good(api.get('/_sandbox/state'));
    await good(api.put('/_sandbox/state', text));
    await end('approve');
    await settle(api);
    expect(events(receiver).at(-1)).toBe('transaction.status.changed AUTHORISE');
  });
});
