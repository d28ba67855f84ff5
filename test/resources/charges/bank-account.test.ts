import { describe, expect } from 'vitest';

import { addWorkingDays } from '../../../src/core/time/periods.js';
import { DOWN, FLAKY, RESERVED, STEADY, account, batchOf } from '../../support/bodies.js';
import {
  bankCharge,
  chargeMethod,
  DECLINED,
  SHOWN_ACCOUNT,
  storedAccount,
  UNFUNDED,
} from '../../support/instruments.js';
import { type Answer, asking, type Client, good, START, triggerOf } from '../../support/sandbox.js';
import { EMPTY, expectRefused, NOW, textIn } from '../../support/stored.js';
import { test } from '../../support/tests.js';
import { wholeCharge } from './support.js';

/** Thursday midnight and two working days. */
const SETTLED = '2026-01-05T00:00:00.000Z';

const post = (api: Client, more: object = {}, headers?: Record<string, string>): Promise<Answer> =>
  api.post('/charge/bank_account', bankCharge(more), headers);

const read = async (api: Client, id: string): Promise<Answer['body']> => await api.read(`/charge/${id}`);

/** Charges the account with this number and returns the charge's identifier. */
async function charged(api: Client, number?: string): Promise<string> {
  const more = { BankPaymentInformation: account(number) };
  return textIn(await good(post(api, more)), 'ChargeId');
}

describe('POST /charge/bank_account', () => {
  test('answers with a charge that waits for the bank, by an account of which three digits show', async ({
    api,
  }) => {
    const { status, body } = await post(api, { Currency: 'AUD', Reference: 'rent-1' });
    expect([status, body]).toEqual([
      201,
      wholeCharge({
        Amount: 20,
        Status: 'PENDING',
        Reference: 'rent-1',
        PaymentInformation: {
          Type: 'BANK_ACCOUNT',
          PaymentMethodId: null,
          Card: null,
          BankPayment: SHOWN_ACCOUNT,
          PayTo: null,
          Email: null,
        },
        SuccessDate: null,
      }),
    ]);
  });

  test('keeps the common fields of a charge', async ({ api }) => {
    const more = { Metadata: { flat: '7' }, Initiator: 'MERCHANT', Descriptor: 'RENT' };
    expect((await post(api, more)).body).toMatchObject(more);
  });

  test.for([
    ['a bank code in small letters', { BankCode: 'abna' }, { BankCode: 'abna' }],
    ['an account in groups', { AccountNumber: '0001 234-56' }, { AccountNumber: '******456' }],
    ['an IBAN', { AccountNumber: 'DE89 3704 0044 0532 0130 00' }, { AccountNumber: `${'*'.repeat(19)}000` }],
  ])('takes %s', async ([, more, shown], { api }) => {
    const answer = await good(post(api, { BankPaymentInformation: account('000123456', more) }));
    expect(answer.body).toMatchObject({ PaymentInformation: { BankPayment: shown } });
  });

  /** A bank account with these members otherwise. */
  const otherwise = (more: object) => ({ BankPaymentInformation: { ...account(), ...more } });

  test.for<[string, object, number, string]>([
    ['no BankPaymentInformation', { BankPaymentInformation: undefined }, 90, 'BankPaymentInformation'],
    ['a text in its place', { BankPaymentInformation: '062000' }, 90, 'BankPaymentInformation'],
    ['no BankCode', otherwise({ BankCode: undefined }), 90, 'BankCode'],
    ['a malformed BankCode', otherwise({ BankCode: '06_2' }), 10, 'BankCode'],
    ['a short BankCode', otherwise({ BankCode: '06' }), 10, 'BankCode'],
    ['no AccountNumber', otherwise({ AccountNumber: null }), 90, 'AccountNumber'],
    ['a short AccountNumber', otherwise({ AccountNumber: '123' }), 10, 'AccountNumber'],
    ['a malformed AccountNumber', otherwise({ AccountNumber: '1234_5678' }), 10, 'AccountNumber'],
    ['a number as AccountNumber', otherwise({ AccountNumber: 1234567 }), 10, 'AccountNumber'],
    ['no AccountName', otherwise({ AccountName: undefined }), 90, 'AccountName'],
    ['a blank AccountName', otherwise({ AccountName: ' ' }), 90, 'AccountName'],
    ['no Amount', { Amount: undefined }, 90, 'Amount'],
    ['a malformed Amount', { Amount: '1e2' }, 2, 'Amount'],
    ['an Amount of zero', { Amount: 0 }, 74, 'Amount'],
    ['more decimals than the currency has', { Amount: '1.5', Currency: 'JPY' }, 2, 'Amount'],
    ['no ProviderId', { ProviderId: undefined }, 90, 'ProviderId'],
    ['the reserved ProviderId', { ProviderId: RESERVED }, 39, 'ProviderId'],
    ['an unknown currency', { Currency: 'XXX' }, 29, 'Currency'],
    ['Capture false', { Capture: false }, 71, 'Capture'],
  ])('refuses %s and stores nothing', async ([, more, code, member], { api }) => {
    const answer = await post(api, more);
    expectRefused(answer, 400, code);
    const names = Object.keys(answer.body['Details'] as object);
    expect(names.map((name) => name.split('.').at(-1))).toContain(member);
    expect(answer.text).not.toMatch(/1234_5678|1234567/);
    expect(await api.counts()).toEqual(EMPTY);
  });
});

describe('a decline that is known at once', () => {
  test.for<[string, object, Record<string, string>, number, number, string | null]>([
    ['a test account', { BankPaymentInformation: account(DECLINED) }, {}, 400, 905, `account:${DECLINED}`],
    ['the header', {}, asking('insufficient_funds'), 400, 15, 'header:insufficient_funds'],
    ['the provider', { ProviderId: DOWN }, {}, 400, 34, 'provider:down'],
  ])(
    'by %s is answered and stored like that of a card',
    async ([, more, headers, status, code, trigger], { api }) => {
      const answer = await post(api, more, headers);
      expectRefused(answer, status, code);
      expect(triggerOf(answer)).toBe(trigger);
      const stored = await read(api, textIn(answer, 'ChargeId'));
      expect(stored).toMatchObject({ Status: 'FAILED', FailedAttempts: [{ DateAttempted: NOW }] });
      expect(await api.counts()).toEqual({ ...EMPTY, Charges: 1 });
    },
  );

  test('by a queued outcome or a rule of charge.create, too', async ({ api }) => {
    await good(api.queue('charge.create', ['lost_card']));
    expectRefused(await post(api), 400, 941);
    const rules = [
      { when: { operation: 'charge.create', reference: 'rent-*' }, then: { outcome: 'do_not_honor' } },
    ];
    await good(api.play({ name: 'bad rent', rules }));
    expectRefused(await post(api, { Reference: 'rent-1' }), 400, 905);
    expect((await post(api)).body).toMatchObject({ Status: 'PENDING' });
  });
});

describe('the settlement', () => {
  test('comes after two working days of the world: not yet a millisecond before', async ({ api }) => {
    const id = await charged(api);
    const wait = addWorkingDays(START, 2) - START;
    await api.advance(`${wait - 1}ms`);
    expect(await read(api, id)).toMatchObject({ Status: 'PENDING', SuccessDate: null });
    const { body } = await api.advance('1ms');
    expect(body).toMatchObject({ Ran: [{ At: SETTLED, Kind: 'charge.settle', Ref: id }] });
    expect(await read(api, id)).toMatchObject({ Status: 'SUCCESS', SuccessDate: SETTLED });
    expect(await api.read('/_sandbox/clock')).toMatchObject({ NextDue: null });
  });

  test('fails for the test account that says so', async ({ api }) => {
    const id = await charged(api, UNFUNDED);
    expect(await read(api, id)).toMatchObject({ Status: 'PENDING' });
    await api.advance('7d');
    expect(await read(api, id)).toMatchObject({
      Status: 'FAILED',
      SuccessDate: null,
      FailedAttempts: [
        {
          ProviderId: STEADY,
          DateAttempted: SETTLED,
          ErrorMessage: 'Insufficient Funds',
          GatewayCode: '51',
          GatewayMessage: 'Insufficient funds',
        },
      ],
    });
  });

  test('fails where a queued outcome of charge.settle says so, and is counted by nothing else', async ({
    api,
  }) => {
    const [first, second] = [await charged(api), await charged(api)];
    await good(api.queue('charge.settle', ['do_not_honor']));
    await api.advance('7d');
    expect(await read(api, first)).toMatchObject({
      Status: 'FAILED',
      FailedAttempts: [{ ErrorMessage: 'Do not honor' }],
    });
    expect(await read(api, second)).toMatchObject({ Status: 'SUCCESS' });
  });

  test('fails where a rule of charge.settle says so', async ({ api }) => {
    const when = { operation: 'charge.settle', reference: 'rent-2', amount: { gte: 20 } };
    const rules = [{ when, then: { outcome: 'insufficient_funds' } }];
    await good(api.play({ name: 'poor tenant', rules }));
    const ids = [await post(api, { Reference: 'rent-1' }), await post(api, { Reference: 'rent-2' })];
    await api.advance('7d');
    const statuses = await Promise.all(
      ids.map(async (made) => (await read(api, textIn(made, 'ChargeId')))['Status']),
    );
    expect(statuses).toEqual(['SUCCESS', 'FAILED']);
  });

  test('asks the bank and not the provider, whose calls it does not count', async ({ api }) => {
    for (let call = 0; call < 2; call++) await good(post(api, { ProviderId: FLAKY }));
    await api.advance('7d');
    const { body } = await api.get('/charge');
    expect((body['Charges'] as { Status: string }[]).map(({ Status }) => Status)).toEqual([
      'SUCCESS',
      'SUCCESS',
    ]);
    expectRefused(await post(api, { ProviderId: FLAKY }), 400, 34);
  });
});

describe('what may follow', () => {
  const amountOf = { Amount: 5 };

  test.for<[string, (api: Client, id: string) => Promise<Answer>, string]>([
    ['a void', (api, id) => api.del(`/charge/${id}/void`), 'To void it, its status must be Authorised'],
    [
      'a capture',
      (api, id) => api.post(`/charge/${id}`, amountOf),
      'To capture it, its status must be Authorised',
    ],
    [
      'a refund',
      (api, id) => api.del(`/refund/${id}`),
      'To refund it, its status must be SUCCESS or PARTIAL_REFUND',
    ],
    [
      'an undoing',
      (api, id) => api.del(`/charge/${id}`),
      'To refund it, its status must be SUCCESS or PARTIAL_REFUND',
    ],
  ])('%s of a charge that waits is a 409', async ([, follow, needs], { api }) => {
    const id = await charged(api);
    expect(expectRefused(await follow(api, id), 409, 54)).toContain(`is PENDING. ${needs}`);
    expect(await read(api, id)).toMatchObject({ Status: 'PENDING' });
  });

  test('once it has settled, it is refunded like any other', async ({ api }) => {
    const id = await charged(api);
    await api.advance('7d');
    expect((await api.del(`/refund/${id}?Amount=5`)).body).toMatchObject({ Status: 'PARTIAL_REFUND' });
    expect((await api.del(`/refund/${id}`)).body).toMatchObject({ Status: 'REFUND', RefundedAmount: 20 });
  });
});

describe('a stored bank account', () => {
  test('gives a charge that waits, by its payment method', async ({ api }) => {
    const method = await storedAccount(api);
    const { body } = await good(chargeMethod(api, method));
    expect(body).toMatchObject({
      Status: 'PENDING',
      PaymentInformation: {
        Type: 'BANK_ACCOUNT',
        PaymentMethodId: method,
        Card: null,
        BankPayment: SHOWN_ACCOUNT,
      },
    });
    await api.advance('7d');
    expect(await read(api, String(body['ChargeId']))).toMatchObject({ Status: 'SUCCESS' });
  });

  test('and by the customer whose default it is', async ({ api }) => {
    const body = { ProviderId: STEADY, BankPaymentInformation: account() };
    const CustomerId = textIn(await good(api.post('/customer/bank_account', body)), 'CustomerId');
    const charge = { Amount: 5, ProviderId: STEADY, CustomerId };
    expect((await good(api.post('/charge/customer', charge))).body).toMatchObject({
      Status: 'PENDING',
      CustomerId,
    });
    const elsewhere = await api.post('/charge/customer', { ...charge, ProviderId: FLAKY });
    expectRefused(elsewhere, 400, 57);
    expectRefused(await api.post('/charge/customer', { ...charge, Capture: false }), 400, 71);
  });

  test('keeps the outcome of its test account', async ({ api }) => {
    expectRefused(await chargeMethod(api, await storedAccount(api, DECLINED)), 400, 905);
    const { body } = await good(chargeMethod(api, await storedAccount(api, UNFUNDED)));
    await api.advance('7d');
    expect(await read(api, String(body['ChargeId']))).toMatchObject({ Status: 'FAILED' });
  });

  test('is charged by a batch: its row succeeds once the provider took the charge', async ({ api }) => {
    const [good1, bad] = [await storedAccount(api), await storedAccount(api, DECLINED)];
    const made = await good(
      api.post('/batch/transaction/payment_method', batchOf([`${good1},5,AUD,one`, `${bad},5,AUD,two`])),
    );
    await api.advance('10s');
    const batch = await api.get(`/batch/${textIn(made, 'BatchId')}`);
    expect(batch.body).toMatchObject({ Status: 'SUCCESS', Success: 1, Failure: 1 });
    const { body } = await api.get('/charge?Reference=one');
    expect(body).toMatchObject({ Charges: [{ Status: 'PENDING' }] });
    await api.advance('7d');
    expect(await api.read('/charge?Reference=one')).toMatchObject({ Charges: [{ Status: 'SUCCESS' }] });
  });

  test('is not a card for POST /payment_method/vault', async ({ api }) => {
    const body = { ProviderId: STEADY, PaymentMethodId: await storedAccount(api) };
    expect(expectRefused(await api.post('/payment_method/vault', body), 400, 106)).toContain('BANK_ACCOUNT');
  });
});

describe('a search', () => {
  test.for([
    ['PaymentType=BANK_ACCOUNT', ['account']],
    ['PaymentType=bank_account', ['account']],
    ['PaymentType=CARD', ['card']],
    ['PaymentType=PAYTO', []],
    ['Status=PENDING', ['account']],
    ['CardNumber=4111', ['card']],
    ['CardNumber=000', []],
    ['CardType=VISA', ['card']],
    ['Cardholder=Jo Smith', ['card']],
  ])('by %s finds %j', async ([query, references], { api }) => {
    await good(post(api, { Reference: 'account' }));
    const PaymentInformation = {
      CardNumber: '4111111111111111',
      ExpiryDate: '10/30',
      Cardholder: 'Jo Smith',
    };
    await good(api.charge({ Amount: 5, ProviderId: STEADY, PaymentInformation, Reference: 'card' }));
    const { body } = await api.get(`/charge?${query}`);
    expect((body['Charges'] as { Reference: string }[]).map(({ Reference }) => Reference)).toEqual(
      references,
    );
  });
});
