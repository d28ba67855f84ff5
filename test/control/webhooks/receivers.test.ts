import { expect, test } from 'vitest';

import { charge, LOG, logOf, settle, setup } from '../../webhooks/support.js';

const BOOKS = 'http://127.0.0.1:9999/hooks/books';
const MAIL = 'http://127.0.0.1:9999/hooks/mail';
const GIVEN_UP = '30d';

async function sumsOf(api: ReturnType<typeof setup>['api']): Promise<unknown[]> {
  const { Receivers } = await api.read(`${LOG}?Status=withheld`);
  return (Receivers as Readonly<Record<string, unknown>>[]).map(
    ({ Url, Deliveries, Failing, Attempts, FailedAttempts, FailedPercent, LastError }) => [
      Url,
      Deliveries,
      Failing,
      `${String(FailedAttempts)}/${String(Attempts)}`,
      FailedPercent,
      LastError,
    ],
  );
}

test('Webhooks are summed by their address, the worst first, whatever the filter.', async () => {
  const { api, receiver } = setup();
  receiver.answer = ({ url }) => (url === BOOKS ? { failed: 'ECONNREFUSED' } : { status: 204 });
  for (const Url of [MAIL, MAIL, BOOKS]) await api.charge(charge({ Webhook: { Url } }));
  await settle(api);
  expect(await sumsOf(api)).toEqual([
    [BOOKS, 1, 1, '1/1', 100, expect.stringContaining('ECONNREFUSED')],
    [MAIL, 2, 0, '0/2', 0, null],
  ]);
  receiver.answer = () => ({ status: 503 });
  await api.advance(GIVEN_UP);
  expect(await sumsOf(api)).toEqual([
    [BOOKS, 1, 1, '10/10', 100, '503'],
    [MAIL, 2, 0, '0/2', 0, null],
  ]);
});

test('A webhook fails no longer once it was sent again and arrived.', async () => {
  const { api, receiver } = setup();
  receiver.answer = () => ({ status: 500 });
  for (const Reference of ['one', 'two']) await api.charge(charge({ Reference, Webhook: { Url: MAIL } }));
  await settle(api);
  const failing = await logOf(api, '?Status=failing');
  expect(failing).toHaveLength(2);
  receiver.answer = () => ({ status: 200 });
  await api.post(`${LOG}/${String(failing[0]?.['DeliveryId'])}/resend`, {});
  await settle(api);
  expect(await logOf(api, '?Status=failing')).toEqual([failing[1]]);
  expect(await sumsOf(api)).toEqual([[MAIL, 3, 1, '2/3', 66, '500']]);
});

test('A share that is small is 1 percent, so that 0 means that nothing failed; passwords are masked.', async () => {
  const { api, receiver } = setup();
  const Webhook = { Url: 'http://me:secret@127.0.0.1:9999/hook' };
  let sent = 0;
  receiver.answer = () => ({ status: sent++ === 0 ? 503 : 204 });
  for (let n = 0; n < 101; n++) await api.charge(charge({ Webhook }));
  await settle(api);
  expect(await sumsOf(api)).toEqual([['http://me:***@127.0.0.1:9999/hook', 101, 1, '1/101', 1, '503']]);
});
