import { describe, expect } from 'vitest';
import { good, warningOf } from '../../support/sandbox.js';
import {
  card,
  customer,
  NOTHING_ELSE,
  stateOf,
  stored,
  wholeCharge,
  withLiteral,
  without,
} from './support.js';
import { AMEX, AMOUNTS, NO_CAPTURE, NO_FUNDS, STEADY, VISA } from '../../support/bodies.js';
import { expectRefused, textIn } from '../../support/stored.js';
import { setup, test } from '../../support/tests.js';

const charge = (PaymentMethodId: string, more: object = {}): object => ({
  Amount: 15.5,
  PaymentMethodId,
  Currency: 'AUD',
  ...more,
});

const ccvCheck = (CcvCheck: boolean | null): object => ({ PaymentInformation: { Card: { CcvCheck } } });

describe('POST /charge/payment_method', () => {
  test('answers with the whole charge', async ({ api }) => {
    const methodId = await stored(api, { PaymentInformation: card({ CardNumber: AMEX, Ccv: '1234' }) });
    const answer = await good(api.post('/charge/payment_method', charge(methodId, { Currency: 'USD' })));
    expect(answer.body).toEqual(
      wholeCharge({
        Currency: 'USD',
        PaymentInformation: {
          Type: 'CARD',
          PaymentMethodId: methodId,
          Card: {
            CardNumber: '3782*******0005',
            ExpiryDate: '12/30',
            Cardholder: null,
            Type: 'AMEX',
            CardType: 'CREDIT',
            CardIin: '378282',
            CcvCheck: null,
          },
          ...NOTHING_ELSE,
        },
      }),
    );
  });

  test("names the method's customer", async ({ api }) => {
    const { customerId, methodId } = await customer(api, { FirstName: 'Jo' });
    const { body } = await api.post('/charge/payment_method', charge(methodId));
    expect(body).toMatchObject({
      CustomerId: customerId,
      Customer: { CustomerId: customerId, FirstName: 'Jo' },
    });
  });

  test.for(['Amount', 'PaymentMethodId', 'Currency'])('needs the field %s', async (member, { api }) => {
    const body = charge(await stored(api));
    const before = await stateOf(api);
    expectRefused(await api.post('/charge/payment_method', without(body, member)), 400, 90, member);
    expectRefused(
      await api.post('/charge/payment_method', withLiteral(body, member, 'null')),
      400,
      90,
      member,
    );
    expect(await stateOf(api)).toEqual(before);
  });

  test.for([[''], [5], [{}]])('refuses the PaymentMethodId %j as malformed', async ([id], { api }) => {
    const body = charge('x', { PaymentMethodId: id });
    expectRefused(await api.post('/charge/payment_method', body), 400, 90, 'PaymentMethodId');
  });

  test("charges through the method's own provider", async ({ api }) => {
    const amounts = await stored(api, { ProviderId: AMOUNTS });
    const noCapture = await stored(api, { ProviderId: NO_CAPTURE });
    expectRefused(await api.post('/charge/payment_method', charge(amounts, { Amount: '10.51' })), 400, 15);
    expectRefused(await api.post('/charge/payment_method', charge(noCapture, { Capture: false })), 400, 71);
  });

  test('warns of a ProviderId, which it does not take', async ({ api }) => {
    const answer = await api.post(
      '/charge/payment_method',
      charge(await stored(api), { ProviderId: AMOUNTS }),
    );
    expect(answer.body).toMatchObject({ Status: 'SUCCESS', ProviderId: STEADY });
    expect(warningOf(answer)).toContain('ProviderId');
  });
});

describe('the Ccv of a vault entry', () => {
  const vaulted = async (api: ReturnType<typeof setup>['api'], CardNumber = VISA) => {
    const made = await customer(api, { VaultCard: true, PaymentInformation: card({ CardNumber }) });
    const entry = async () => await api.read(`/vault/${made.vaultId}`);
    expect(await entry()).toMatchObject({ Ccv: '123', HasCvv: true });
    return { ...made, entry };
  };

  test('is used by the first charge and gone afterwards', async ({ api }) => {
    const { methodId, entry } = await vaulted(api);
    const first = await api.post('/charge/payment_method', charge(methodId));
    expect(first.body).toMatchObject(ccvCheck(true));
    expect(await entry()).toMatchObject({ CardNumber: VISA, Ccv: null, HasCvv: false });
    const second = await api.post('/charge/payment_method', charge(methodId));
    expect(second.body).toMatchObject({ Status: 'SUCCESS', ...ccvCheck(null) });
  });

  test('is gone after a declined charge too', async ({ api }) => {
    const { methodId, entry } = await vaulted(api, NO_FUNDS);
    const declined = await api.post('/charge/payment_method', charge(methodId));
    expectRefused(declined, 400, 15);
    expect(await entry()).toMatchObject({ Ccv: null, HasCvv: false });
    const { body } = await api.get(`/charge/${textIn(declined, 'ChargeId')}`);
    expect(body).toMatchObject(ccvCheck(true));
  });

  test('is gone after an authorisation and after a charge of the customer', async () => {
    for (const path of ['/charge/payment_method', '/charge/customer']) {
      const { api } = setup();
      const { methodId, customerId, entry } = await vaulted(api);
      const body = charge(methodId, { CustomerId: customerId, ProviderId: STEADY, Capture: false });
      expect((await api.post(path, body)).body).toMatchObject({ Status: 'Authorised', ...ccvCheck(true) });
      expect(await entry()).toMatchObject({ Ccv: null });
    }
  });

  test.for([
    ['a malformed Amount', { Amount: 'x' }],
    ['too many decimals', { Amount: '1.555' }],
    ['an unknown Currency', { Currency: 'ABC' }],
  ])('stays when the request is refused for %s', async ([, more], { api }) => {
    const { methodId, entry } = await vaulted(api);
    expect((await api.post('/charge/payment_method', charge(methodId, more))).status).toBe(400);
    expect(await entry()).toMatchObject({ Ccv: '123' });
  });

  test('is not needed: a method whose entry is gone still charges', async ({ api }) => {
    const { methodId, vaultId } = await vaulted(api);
    await api.del(`/vault/${vaultId}`);
    const { body } = await api.post('/charge/payment_method', charge(methodId));
    expect(body).toMatchObject({ Status: 'SUCCESS', ...ccvCheck(null) });
  });
});
