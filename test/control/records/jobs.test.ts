import { expect, test } from 'vitest';

import { client, testSandbox } from '../../support/sandbox.js';
import { account, STEADY, storing, textIn } from '../../support/stored.js';
import { setup as webhookSetup } from '../../webhooks/support.js';

const HOOKS = 'http://127.0.0.1:9999/hooks/pay';

const CARD = storing();

test('GET /_sandbox/jobs lists what is due, the next first, and an advance runs it.', async () => {
  const api = client(testSandbox());
  await api.post('/vault', storing({ CardNumber: '4111111111111111', ExpireSeconds: 60 }));
  const first = textIn(await api.charge({ ...CARD, Amount: 5, Capture: false }), 'ChargeId');
  await api.advance('1h');
  const second = textIn(await api.charge({ ...CARD, Amount: 6, Capture: false }), 'ChargeId');
  const expiring = (At: string, Ref: string, About: string): object => ({
    At,
    Kind: 'authorisation.expire',
    Ref,
    About,
  });
  const jobs = [
    expiring('2026-01-08T00:00:00.000Z', first, 'AUD 5.00'),
    expiring('2026-01-08T01:00:00.000Z', second, 'AUD 6.00'),
  ];
  expect(await api.read('/_sandbox/jobs?Kind=authorisation.expire')).toEqual({
    Limit: 100,
    Skip: 0,
    Count: 2,
    Jobs: jobs,
  });
  expect(await api.read(`/_sandbox/jobs?Ref=${second}`)).toMatchObject({ Count: 1, Jobs: [jobs[1]] });
  expect(await api.read('/_sandbox/jobs?Limit=1&Skip=1')).toMatchObject({ Count: 2, Jobs: [jobs[1]] });
  expect(await api.read('/_sandbox/jobs?Kind=charge.settle')).toMatchObject({ Count: 0, Jobs: [] });
  const mistyped = await api.get('/_sandbox/jobs?Kind=nothing');
  expect(mistyped.status).toBe(400);
  expect(mistyped.body['Message']).toMatch(/Kind must be one of authorisation\.expire, .*, not "nothing"\.$/);
  const { body } = await api.post('/_sandbox/clock/advance', { To: '2026-01-08T00:00:00Z' });
  expect(body).toMatchObject({ Ran: [jobs[0]] });
  expect(await api.read('/_sandbox/jobs')).toMatchObject({ Count: 1, Jobs: [jobs[1]] });
});

test('A job says what it is about, and is found by the reference of its record.', async () => {
  const { api, receiver } = webhookSetup();
  receiver.answer = () => ({ status: 500 });
  await api.charge({ ...CARD, Amount: 5, Capture: false, Reference: 'order-7', Webhook: { Url: HOOKS } });
  await api.post('/charge/bank_account', {
    Amount: 30,
    ProviderId: STEADY,
    Reference: 'order-8',
    BankPaymentInformation: account(),
  });
  await api.post('/_sandbox/settle');
  const aboutOf = async (query: string): Promise<unknown> => {
    const { Jobs } = (await api.read(`/_sandbox/jobs${query}`)) as { Jobs: { About: string }[] };
    return Jobs.map(({ About }) => About);
  };
  expect(await aboutOf('')).toEqual([
    'to /hooks/pay, try 2 of 10, order-7',
    'AUD 30.00 of order-8',
    'AUD 5.00 of order-7',
  ]);
  expect(await aboutOf('?Ref=order-7')).toEqual([
    'to /hooks/pay, try 2 of 10, order-7',
    'AUD 5.00 of order-7',
  ]);
  expect(await aboutOf('?Ref=order-')).toEqual([]);
});

test('A job that an advance ran is named by its own try, not by those after it.', async () => {
  const { api, receiver } = webhookSetup();
  receiver.answer = () => ({ status: 500 });
  await api.charge({ ...CARD, Amount: 5, Webhook: { Url: HOOKS } });
  await api.post('/_sandbox/settle');
  const { body } = await api.post('/_sandbox/clock/advance', { By: '7d' });
  const { Ran } = body as { Ran: { About: string }[] };
  expect(Ran.map(({ About }) => About)).toEqual(
    [2, 3, 4, 5, 6, 7, 8, 9, 10].map((attempt) => `to /hooks/pay, try ${attempt} of 10`),
  );
});
