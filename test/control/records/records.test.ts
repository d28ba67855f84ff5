import { describe, expect, test } from 'vitest';

import { client, type Client, testSandbox } from '../../support/sandbox.js';
import { STEADY } from '../../support/bodies.js';
import { bankCharge } from '../../support/instruments.js';
import { batchOf, cardOf, expectRefused, ID, storing, textIn, VISA } from '../../support/stored.js';

const CARD = storing();

interface Item {
  readonly At: string;
  readonly What: string;
  readonly Text: string;
  readonly EntryId: number | null;
  readonly DeliveryId: string | null;
}

async function timelineOf(api: Client, kind: string, id: string): Promise<readonly Item[]> {
  const { body } = await api.get(`/_sandbox/records/${kind}/${id}`);
  return body['Timeline'] as readonly Item[];
}

const brief = (items: readonly Item[]): (readonly [string, string, string])[] =>
  items.map(({ At, What, Text }) => [At.slice(8, 19), What, Text]);

/** A world with a record of each kind, by its id. */
async function setup() {
  const api = client(testSandbox());
  const vaulted = { FirstName: 'Jo', VaultCard: true, VaultExpireSeconds: 60 };
  const customer = await api.post('/customer/card', storing(vaulted));
  const method = textIn(customer, 'DefaultPaymentMethod', 'PaymentMethodId');
  const charge = await api.charge({ ...CARD, Amount: 5, Reference: 'order-1' });
  const rows = batchOf([`${method},5,AUD,a`, `${method},6,AUD,b`]);
  const batch = await api.post('/batch/transaction/payment_method', rows);
  const begun = await api.post('/3ds/preauth', { AcctNumber: VISA });
  const ids = {
    charges: textIn(charge, 'ChargeId'),
    customers: textIn(customer, 'CustomerId'),
    'payment-methods': method,
    vault: textIn(customer, 'DefaultPaymentMethod', 'VaultId'),
    batches: textIn(batch, 'BatchId'),
    authentications: textIn(begun, 'threeDSServerTransID'),
    subscriptions: textIn(
      await api.post('/subscription/payment_method', {
        PaymentMethodId: method,
        Amount: 5,
        Currency: 'AUD',
        Interval: 'Month',
        Frequency: 1,
        StartDate: '2026-02-01T00:00:00Z',
      }),
      'SubscriptionId',
    ),
    'payment-links': textIn(
      await api.post('/payment_link', { Title: 'Invoice 42', Amount: 5, Currency: 'AUD' }),
      'PaymentLinkId',
    ),
    transfers: await transferOf(api, textIn(charge, 'ChargeId')),
  };
  return { api, ids };
}

async function transferOf(api: Client, charge: string): Promise<string> {
  const Transfers = [{ Account: 'acct-1', Amount: 1, Currency: 'AUD' }];
  const body = { GroupReference: 'order-1', ProviderId: STEADY, ChargeId: charge, Transfers };
  const answer: unknown = JSON.parse((await api.post('/transfer', body)).text);
  return (answer as { TransferId: string }[])[0]?.TransferId ?? '';
}

const KINDS = [
  ['charges', 'ChargeId'],
  ['customers', 'CustomerId'],
  ['payment-methods', 'PaymentMethodId'],
  ['vault', 'VaultId'],
  ['batches', 'BatchId'],
  ['authentications', 'ThreeDSServerTransID'],
  ['subscriptions', 'SubscriptionId'],
  ['payment-links', 'PaymentLinkId'],
  ['transfers', 'TransferId'],
] as const;

describe('GET /_sandbox/records/{kind}', () => {
  test.each(KINDS)('%s are listed and read, without a full card number', async (kind, idName) => {
    const { api, ids } = await setup();
    const list = await api.get(`/_sandbox/records/${kind}`);
    expect(list.body).toMatchObject({ Limit: 100, Skip: 0, Count: 1, Records: [{ [idName]: ids[kind] }] });
    const one = await api.get(`/_sandbox/records/${kind}/${ids[kind]}`);
    expect(one.body).toMatchObject({ Record: (list.body['Records'] as object[])[0] });
    expect(list.text + one.text).not.toContain(VISA);
    expect(list.text + one.text).not.toMatch(/"Ccv":"?123/);
  });

  test('looking leaves no trace: no entry in the journal, no request counted, no rule asked', async () => {
    const [looked, other] = [await setup(), await setup()];
    for (const [kind] of KINDS) {
      await looked.api.get(`/_sandbox/records/${kind}`);
      await looked.api.get(`/_sandbox/records/${kind}/${looked.ids[kind]}`);
    }
    const [after, without] = await Promise.all([looked, other].map(({ api }) => api.get('/charge')));
    expect(after?.headers.get('x-request-id')).toBe(without?.headers.get('x-request-id'));
    expect((await looked.api.get('/_sandbox/journal')).body).toMatchObject({ Count: 8 });
  });

  test('pages go from the newest to the oldest, and are bounded', async () => {
    const api = client(testSandbox());
    for (const Amount of [1, 2, 3]) await api.charge({ ...CARD, Amount });
    const { body } = await api.get('/_sandbox/records/charges?Limit=1&Skip=1');
    expect(body).toMatchObject({ Limit: 1, Skip: 1, Count: 3, Records: [{ Amount: 2 }] });
    expectRefused(await api.get('/_sandbox/records/charges?Limit=501'), 400, 90);
    expectRefused(await api.get('/_sandbox/records/vault?Skip=-1'), 400, 90);
  });

  test('the filters of the service work, and a mistyped one is refused', async () => {
    const api = client(testSandbox());
    await api.charge({ ...CARD, Amount: 5, Reference: 'a' });
    await api.charge({ ...CARD, Amount: 6, Capture: false, Reference: 'b' });
    const { body } = await api.get('/_sandbox/records/charges?Status=Authorised');
    expect(body).toMatchObject({ Count: 1, Records: [{ Reference: 'b' }] });
    expectRefused(await api.get('/_sandbox/records/charges?State=Authorised'), 400, 90);
  });

  test('finds a part of what people call a record, in any letter case and with other filters', async () => {
    const api = client(testSandbox());
    for (const [Reference, Capture] of [
      ['Order-1001', true],
      ['order-1002', false],
      ['basket-1', true],
    ] as const)
      await api.charge(storing({ Amount: 20, Reference, Capture }));
    const find = async (list: string) => {
      const { Records, Count } = await api.read(`/_sandbox/records/${list}`);
      return [Count, ...(Records as { Reference: string }[]).map(({ Reference }) => Reference)];
    };
    expect(await find('charges?Contains=ORDER-10')).toEqual([2, 'order-1002', 'Order-1001']);
    expect(await find('charges?Contains=order&Limit=1&Skip=1')).toEqual([2, 'Order-1001']);
    expect(await find('charges?Contains=order&Status=Authorised')).toEqual([1, 'order-1002']);
    for (const list of ['customers', 'payment-methods', 'vault', 'batches', 'subscriptions', 'transfers'])
      expect(await find(`${list}?Contains=nothing`)).toEqual([0]);
    const { Records } = await api.read('/_sandbox/records/charges?Contains=basket');
    const [{ ChargeId: id } = { ChargeId: '' }] = Records as { ChargeId: string }[];
    expect(await find(`charges?Contains=${id.slice(0, 8)}`)).toEqual([1, 'basket-1']);
  });

  test('entries of the vault that have gone leave no gap', async () => {
    const api = client(testSandbox());
    const ids: string[] = [];
    for (let n = 0; n < 3; n++)
      ids.push(textIn(await api.post('/vault', { CardNumber: VISA, ExpireSeconds: 60 }), 'VaultId'));
    await api.del(`/vault/${ids[1]}`);
    const { body } = await api.get('/_sandbox/records/vault?Limit=2');
    expect(body).toMatchObject({ Count: 2, Records: [{ VaultId: ids[2] }, { VaultId: ids[0] }] });
  });

  test.each(KINDS)('an unknown one of %s is a 404, and so is a kind that is not', async (kind) => {
    const api = client(testSandbox());
    expectRefused(await api.get(`/_sandbox/records/${kind}/nobody`), 404, 90);
    expectRefused(await api.get('/_sandbox/records/cards'), 404, 90);
  });
});

describe('a timeline', () => {
  test('of a charge: authorised, captured, refunded, by the world’s clock, with the calls that did it', async () => {
    const api = client(testSandbox());
    const made = await api.charge({ ...CARD, Amount: 20, Capture: false });
    const id = textIn(made, 'ChargeId');
    expect(brief(await timelineOf(api, 'charges', id))).toEqual([
      ['01T00:00:00', 'call', 'POST /charge/card: 201'],
      ['01T00:00:00', 'added', 'Authorised AUD 20.00'],
      ['08T00:00:00', 'due', 'Authorisation expires'],
    ]);
    await api.advance('1h');
    await api.post(`/charge/${id}`, { Amount: 15 });
    await api.advance('1h');
    await api.del(`/refund/${id}?Amount=4&Comment=late`);
    const Transfers = [{ Account: 'acct-1', Amount: 6, Currency: 'AUD' }];
    await api.post('/transfer', { GroupReference: 'g', ProviderId: STEADY, ChargeId: id, Transfers });
    await api.get(`/charge/${id}`);
    const items = await timelineOf(api, 'charges', id);
    expect(brief(items)).toEqual([
      ['01T00:00:00', 'call', 'POST /charge/card: 201'],
      ['01T00:00:00', 'added', 'Authorised AUD 20.00'],
      ['01T01:00:00', 'call', `POST /charge/${id}: 200`],
      ['01T01:00:00', 'changed', 'Captured AUD 15.00'],
      ['01T02:00:00', 'call', `DELETE /refund/${id}: 200`],
      ['01T02:00:00', 'changed', 'Refunded AUD 4.00: late'],
      ['01T02:00:00', 'call', 'POST /transfer: 201'],
      ['01T02:00:00', 'changed', 'Transferred AUD 6.00 to acct-1'],
    ]);
    expect(items.map(({ EntryId }) => EntryId)).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  });

  test('of a charge whose answer was lost names the call that made it', async () => {
    const api = client(testSandbox());
    await api.charge({ ...CARD, Amount: 20 }, { 'x-sandbox-fault': 'status=503; phase=after' });
    const { Charges } = await api.read('/_sandbox/charges');
    const [{ ChargeId } = { ChargeId: '' }] = Charges as { ChargeId: string }[];
    expect(brief(await timelineOf(api, 'charges', ChargeId))).toEqual([
      ['01T00:00:00', 'call', 'POST /charge/card: 503'],
      ['01T00:00:00', 'added', 'Charged AUD 20.00'],
    ]);
  });

  test('of a charge that was declined, voided, or expired', async () => {
    const api = client(testSandbox());
    const card = cardOf('4000000000009995');
    const declined = await api.charge({ ...CARD, Amount: 20, PaymentInformation: card });
    expect(brief(await timelineOf(api, 'charges', textIn(declined, 'ChargeId'))).slice(1, 3)).toEqual([
      ['01T00:00:00', 'added', 'Tried to charge AUD 20.00'],
      ['01T00:00:00', 'failed', 'Insufficient Funds, gateway code 51'],
    ]);
    const held = textIn(await api.charge({ ...CARD, Amount: 20, Capture: false }), 'ChargeId');
    await api.advance('8d');
    const last = brief(await timelineOf(api, 'charges', held)).at(-1);
    expect(last).toEqual(['08T00:00:00', 'ended', 'Authorisation released']);
  });

  test('of a charge of a bank account: asked, then settled', async () => {
    const api = client(testSandbox());
    const made = await api.post('/charge/bank_account', bankCharge({ Amount: 20 }));
    const id = textIn(made, 'ChargeId');
    const before = brief(await timelineOf(api, 'charges', id));
    expect(before[1]).toEqual(['01T00:00:00', 'added', 'Asked the bank for AUD 20.00']);
    expect(before.at(-1)?.slice(1)).toEqual(['due', 'The bank settles']);
    await api.post('/_sandbox/simulate', { Action: 'charge.settle', Ref: id });
    const texts = (await timelineOf(api, 'charges', id)).map(({ Text }) => Text);
    expect(texts).toContain('Charged AUD 20.00');
  });

  test('of a charge of a bank account that the bank declines: it begins as before', async () => {
    const api = client(testSandbox());
    const made = await api.post('/charge/bank_account', bankCharge({ Amount: 20 }));
    await api.queue('charge.settle', ['insufficient_funds']);
    await api.post('/_sandbox/simulate', { Action: 'charge.settle', Ref: made.body['ChargeId'] });
    const [, first] = brief(await timelineOf(api, 'charges', textIn(made, 'ChargeId')));
    expect(first).toEqual(['01T00:00:00', 'added', 'Asked the bank for AUD 20.00']);
  });

  test('of a batch: rows done, and what is due', async () => {
    const { api, ids } = await setup();
    expect(brief(await timelineOf(api, 'batches', ids.batches))).toEqual([
      ['01T00:00:00', 'call', 'POST /batch/transaction/payment_method: 201'],
      ['01T00:00:00', 'added', 'Received with 2 rows'],
      ['01T00:00:01', 'due', 'Becomes CREATED'],
      ['01T00:00:02', 'due', 'Ends'],
    ]);
    await api.advance('10s');
    expect(brief(await timelineOf(api, 'batches', ids.batches)).slice(2)).toEqual([
      ['01T00:00:02', 'changed', 'Started'],
      ['01T00:00:02', 'ended', 'Ended as SUCCESS after 2 of 2 rows'],
    ]);
  });

  test('of an entry of the vault, a customer and its removal', async () => {
    const { api, ids } = await setup();
    expect(brief(await timelineOf(api, 'vault', ids.vault)).at(-1)).toEqual([
      '01T00:01:00',
      'due',
      'Expires',
    ]);
    await api.advance('1h');
    await api.del(`/customer/${ids.customers}`);
    expect(brief(await timelineOf(api, 'customers', ids.customers))).toEqual([
      ['01T00:00:00', 'call', 'POST /customer/card: 201'],
      ['01T00:00:00', 'added', 'Added'],
      ['01T01:00:00', 'call', `DELETE /customer/${ids.customers}: 200`],
      ['01T01:00:00', 'ended', 'Removed'],
    ]);
  });

  /** A charge that waits for a challenge from 00:00 on, ended after a minute. */
  async function challenged(how: string, more: object = {}) {
    const api = client(testSandbox());
    const made = await api.charge({
      ...CARD,
      Amount: 20,
      PaymentInformation: cardOf('4000000000001133'),
      ThreeDSNotificationUrl: 'https://shop.example/3ds',
      ...more,
    });
    const timeline = async (kind = 'charges', idName = 'ChargeId') =>
      brief(await timelineOf(api, kind, textIn(made, idName))).filter(([, what]) => what !== 'call');
    const before = await timeline();
    await api.advance('1m');
    const Ref = textIn(made, 'ThreeDSServerTransID');
    await api.post('/_sandbox/simulate', { Action: `challenge.${how}`, Ref });
    return { api, before, timeline, page: made.body['ThreeDsRedirectUrl'], Ref };
  }

  test('of a challenge: its page, while it waits for the payer', async () => {
    const { api, page, Ref } = await challenged('approve');
    const body = { ...CARD, Amount: 20, PaymentInformation: cardOf('4000000000001133') };
    const waits = await api.charge({ ...body, ThreeDSNotificationUrl: 'https://shop.example/3ds' });
    const read = (id: string) => api.read(`/_sandbox/records/authentications/${id}`);
    expect(page).toMatch(/^http/);
    expect(await read(Ref)).toMatchObject({ Record: { RedirectUrl: null } });
    const RedirectUrl = waits.body['ThreeDsRedirectUrl'];
    expect(await read(textIn(waits, 'ThreeDSServerTransID'))).toMatchObject({ Record: { RedirectUrl } });
  });

  test('of a charge that waits for its payer: the challenge, and what is due', async () => {
    const { before, timeline } = await challenged('approve');
    expect(before).toEqual([
      ['01T00:00:00', 'added', 'Asked the payer for AUD 20.00'],
      ['01T00:00:00', 'changed', 'Challenge demanded'],
      ['01T00:10:00', 'due', 'Challenge times out'],
    ]);
    expect(await timeline()).toEqual([
      ['01T00:00:00', 'added', 'Asked the payer for AUD 20.00'],
      ['01T00:00:00', 'changed', 'Challenge demanded'],
      ['01T00:01:00', 'changed', 'Challenge approved'],
      ['01T00:01:00', 'changed', 'Charged AUD 20.00'],
    ]);
    expect(await timeline('authentications', 'ThreeDSServerTransID')).toEqual([
      ['01T00:00:00', 'added', 'Started'],
      ['01T00:00:00', 'changed', 'Challenge demanded'],
      ['01T00:01:00', 'changed', 'Challenge approved'],
    ]);
  });

  test('of a charge that is authorised by the answer to a challenge', async () => {
    const { timeline } = await challenged('approve', { Capture: false });
    expect((await timeline()).map(([at, , text]) => `${at.slice(6)} ${text}`)).toEqual([
      '00:00 Asked the payer for AUD 20.00',
      '00:00 Challenge demanded',
      '01:00 Challenge approved',
      '01:00 Authorised AUD 20.00',
      '01:00 Authorisation expires',
    ]);
  });

  test.each([
    ['fail', 'Challenge failed'],
    ['abandon', 'The payer left the challenge'],
    ['timeOut', 'Challenge timed out'],
  ])('of a charge whose challenge ends with %s', async (how, text) => {
    const { timeline } = await challenged(how);
    expect((await timeline()).slice(1)).toEqual([
      ['01T00:00:00', 'changed', 'Challenge demanded'],
      ['01T00:01:00', 'failed', text],
      ['01T00:01:00', 'failed', '3D Secure failed'],
    ]);
  });

  test('of a charge of a token, whose payer was challenged before', async () => {
    const api = client(testSandbox());
    const body = { ProviderId: STEADY, PaymentInformation: cardOf('4000000000001133') };
    const token = textIn(await api.post('/_sandbox/tokens', body), 'TokenId');
    const declined = await api.post('/charge/token', { Amount: 5, Token: token });
    const Ref = textIn(await api.post(`/3ds/auth/token/${token}`, {}), 'acsURL').slice(-32);
    await api.post('/_sandbox/simulate', { Action: 'challenge.approve', Ref });
    const made = await api.post('/charge/token', { Amount: 5, Token: token });
    const textsOf = async (answer: typeof made) =>
      (await timelineOf(api, 'charges', textIn(answer, 'ChargeId'))).map(({ Text }) => Text).slice(0, 3);
    expect(await textsOf(declined)).toEqual([
      'POST /charge/token: 400',
      'Tried to charge AUD 5.00',
      '3-D Secure required',
    ]);
    expect(await textsOf(made)).toEqual([
      'Challenge demanded',
      'Challenge approved',
      'POST /charge/token: 201',
    ]);
    const found = await api.read(`/_sandbox/records/authentications?TokenId=${token}&Status=passed`);
    expect(found).toMatchObject({ Count: 1, Records: [{ ChargeId: textIn(made, 'ChargeId') }] });
  });

  test.each([
    ['4000000000002701', 'changed', 'Authenticated without a challenge'],
    ['4000000000002925', 'failed', 'Authentication failed'],
    ['4000000000002313', 'changed', '3-D Secure was unavailable'],
  ])('of a transaction of %s, which has no challenge', async (AcctNumber, what, text) => {
    const api = client(testSandbox());
    const id = textIn(await api.post('/3ds/preauth', { AcctNumber }), 'threeDSServerTransID');
    await api.post('/3ds/auth', { threeDSServerTransID: id });
    const items = brief(await timelineOf(api, 'authentications', id));
    expect(items.filter(([, one]) => one !== 'call')).toEqual([
      ['01T00:00:00', 'added', 'Started'],
      ['01T00:00:00', what, text],
    ]);
  });

  test('contains webhooks, the oldest first', async () => {
    const api = client(testSandbox());
    const Webhook = { Url: 'http://127.0.0.1:9/hooks' };
    const made = await api.charge({ ...CARD, Amount: 20, Capture: false, Webhook });
    const id = textIn(made, 'ChargeId');
    await api.post(`/charge/${id}`, { Amount: 20 });
    const told2 = (await timelineOf(api, 'charges', id)).filter(({ What }) => What === 'webhook');
    expect(told2).toHaveLength(2);
    for (const { Text, DeliveryId } of told2) {
      expect(Text).toMatch(/^transaction\.status\.changed to \/hooks: (?:pending|withheld)$/);
      expect(DeliveryId).toMatch(ID);
    }
  });
});
