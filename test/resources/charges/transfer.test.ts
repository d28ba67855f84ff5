import { describe, expect } from 'vitest';

import { type Answer, type Client, good } from '../../support/sandbox.js';
import { STEADY } from '../../support/bodies.js';
import { expectRefused, ID, textIn } from '../../support/stored.js';
import { test } from '../../support/tests.js';
import { configured } from '../providers/support.js';
import { stateOf, token } from './support.js';

const SDK = { 'x-sandbox-dialect': 'sdk' };
const PART = { Account: 'acct-1', Amount: '4.50' };

const charge = (api: Client, more: object = {}, headers = {}): Promise<Answer> =>
  api.post('/charge/token', { Amount: 10, Token: 'tok_approve', Transfer: PART, ...more }, headers);

const transfers = async (api: Client): Promise<unknown> => (await api.read('/transfer'))['Transfers'];

describe('Transfer of POST /charge/token', () => {
  test('transfers a part of the charge, in its currency', async ({ api }) => {
    const made = await good(charge(api, { Currency: 'USD', Reference: 'order-1' }));
    const ChargeId = textIn(made, 'ChargeId');
    const part = {
      TransferId: expect.stringMatching(ID),
      Status: 'PENDING',
      Account: 'acct-1',
      Amount: 4.5,
      TotalAmount: 4.5,
      Currency: 'USD',
      ChargeId,
      GroupReference: ChargeId,
      ProviderId: STEADY,
      Reference: null,
    };
    expect(await transfers(api)).toMatchObject([part]);
    await api.advance(86_400_000);
    expect(await transfers(api)).toMatchObject([{ ...part, Status: 'SUCCESS' }]);
    expectRefused(await api.del(`/refund/${ChargeId}?Amount=6`), 400, 76);
    await good(api.del(`/refund/${ChargeId}?Amount=5.5`));
  });

  test.for<[library: string, body: object]>([
    [
      'Java',
      { amount: '10.00', token: 'tok_approve', checkoutTransfer: { account: 'acct-1', amount: '4.50' } },
    ],
    ['.NET', { Amount: 10, Token: 'tok_approve', Transfer: { Account: 'acct-1', Amount: 4.5 } }],
  ])('is made as the library for %s sends it', async ([, body], { api }) => {
    await good(api.post('/charge/token', body, SDK));
    expect(await transfers(api)).toMatchObject([{ Account: 'acct-1', Amount: 4.5 }]);
  });

  test.for<[what: string, code: number, field: string, transfer: object, more?: object]>([
    ['a larger one than the charge', 68, 'Transfer.Amount', { Amount: '10.01' }],
    ['an amount of nothing', 60, 'Transfer.Amount', { Amount: 0 }],
    ['more decimals than the currency has', 60, 'Transfer.Amount', { Amount: '1.5' }, { Currency: 'JPY' }],
    ['an amount that is none', 60, 'Transfer.Amount', { Amount: 'much' }],
    ['none to an account', 90, 'Transfer.Account', { Account: undefined }],
    ['one without an amount', 90, 'Transfer.Amount', { Amount: undefined }],
    ['one of an authorisation', 90, 'Transfer', {}, { Capture: false }],
  ])('refuses %s, and charges nothing', async ([, code, field, transfer, more], { api }) => {
    const Token = await token(api);
    const before = await stateOf(api);
    const body = { Token, Transfer: { ...PART, ...transfer }, ...more };
    expectRefused(await charge(api, body), 400, code, field);
    expect(await stateOf(api)).toEqual(before);
    await good(charge(api, { Token, Transfer: null }));
    expect(await transfers(api)).toEqual([]);
  });

  test('is not made if the charge is declined', async ({ api }) => {
    expectRefused(await charge(api, { Token: 'tok_insufficient_funds' }), 400, 15);
    expect(await transfers(api)).toEqual([]);
  });

  test.for([
    ['approve', [{ Amount: 4.5, Status: 'PENDING' }]],
    ['fail', []],
  ] as const)('waits for the payer of a challenge, who chooses to %s', async ([how, made], { api }) => {
    const Token = await token(api, {
      PaymentInformation: { CardNumber: '4000000000001133', ExpiryDate: '12/30' },
    });
    const answer = await good(charge(api, { Token, ThreeDSNotificationUrl: 'https://shop.example/3ds' }));
    expect(answer.body).toMatchObject({ Status: 'PENDING' });
    expect(await transfers(api)).toEqual([]);
    const Ref = textIn(answer, 'ThreeDSServerTransID');
    await good(api.post('/_sandbox/simulate', { Action: `challenge.${how}`, Ref }));
    expect(await transfers(api)).toMatchObject(made);
  });

  test('is at the provider that took the charge', async ({ api }) => {
    const backup = await configured(api);
    const first = await configured(api, { FallbackProviderId: backup });
    const Token = await token(api, { ProviderId: first });
    await good(charge(api, { Token }, { 'x-sandbox-outcome': 'retry_later' }));
    expect(await transfers(api)).toMatchObject([{ ProviderId: backup }]);
  });
});
