import { expect, test } from 'vitest';

import type { Delivery } from '../../../src/pages/dashboard/state/wire.js';
import {
  describeAttempt,
  describeResent,
  groupResent,
  isFailing,
  nameDeliveryStatus,
} from '../../../src/pages/dashboard/text/webhooks.js';
import { charge, HOOK, LOG, settle, setup } from '../../webhooks/support.js';

async function logOf(api: ReturnType<typeof setup>['api']): Promise<Delivery[]> {
  return (await api.read(LOG))['Deliveries'] as Delivery[];
}

test('A webhook is waiting, then retrying, and at last given up; each attempt says what follows.', async () => {
  const { api, receiver } = setup();
  receiver.answer = () => ({ status: 500 });
  await api.charge(charge({ Webhook: { Url: HOOK } }));
  const names: string[] = [];
  const said: string[] = [];
  const look = async (): Promise<void> => {
    const [delivery] = await logOf(api);
    if (delivery === undefined) throw new Error('There is no delivery.');
    names.push(`${nameDeliveryStatus(delivery)} ${isFailing(delivery)}`);
    const attempt = delivery.Attempts.at(-1);
    if (attempt !== undefined)
      said.push(describeAttempt(attempt, delivery.NextAttemptAt === null ? 'none' : 'due'));
  };
  await look();
  await settle(api);
  await look();
  await api.advance('30d');
  await look();
  expect(names).toEqual(['waiting false', 'retrying true', 'given up true']);
  expect(said).toEqual([
    'The receiver answered 500; it will be tried again.',
    'The receiver answered 500; it is not tried again.',
  ]);
});

test('What was sent again decides how a webhook stands, in every view.', async () => {
  const { api, receiver } = setup();
  await api.charge(charge({ Webhook: { Url: HOOK } }));
  await settle(api);
  const [first] = await logOf(api);
  receiver.answer = () => ({ status: 503 });
  await api.post(`${LOG}/${first?.DeliveryId}/resend`, {});
  await settle(api);
  const groups = groupResent(await logOf(api));
  expect(groups.map(({ id, all }) => [id, all.map(nameDeliveryStatus)])).toEqual([
    [first?.DeliveryId, ['retrying', 'delivered']],
  ]);
  const resent = 'Sent 2 webhooks again: 1 delivered, 1 retrying.';
  expect(describeResent(await logOf(api))).toBe(resent);
  expect(describeResent(await logOf(api), 20)).toBe(`${resent} Not sent again yet: 20 failing webhooks.`);
});
