import { describe, expect } from 'vitest';
import { testsOf } from '../../support/tests.js';

import { client, good, testSandbox, warningOf } from '../../support/sandbox.js';
import { AMEX, AMOUNTS, cardOf, DOWN, storing, VISA, batchOf } from '../../support/bodies.js';
import { after, EMPTY, expectRefused, NOW, SHOWN_CARD, textIn, wholeMethod } from '../../support/stored.js';
import {
  CARD_REFUSALS,
  END_REFUSALS,
  METADATA_REFUSALS,
  PROVIDER_REFUSALS,
  refusesEach,
} from '../../support/refusals.js';

function setup() {
  const api = client(testSandbox());
  const create = (more: object = {}, headers?: Record<string, string>) =>
    api.post('/payment_method/card', storing(more), headers);
  return { api, create };
}

const test = testsOf(() => setup());

describe('POST /payment_method/card', () => {
  test('answers a method that belongs to no customer and is not in the vault', async ({ api, create }) => {
    const made = await create();
    expect(made.status).toBe(201);
    expect(made.body).toEqual(wholeMethod());
    expect(await api.counts()).toEqual({ ...EMPTY, PaymentMethods: 1 });
  });

  test('puts the card with its Ccv into the vault where VaultCard is true', async ({ api, create }) => {
    const made = await create({ VaultCard: true });
    const entry = await api.get(`/vault/${textIn(made, 'VaultId')}`);
    expect(entry.body).toMatchObject({ CardNumber: VISA, Ccv: '123', ExpireDate: null, CreatedDate: NOW });
    expect(await api.counts()).toEqual({ ...EMPTY, PaymentMethods: 1, VaultEntries: 1 });
  });

  test('works without a Ccv and a Cardholder', async ({ api, create }) => {
    const made = await create({
      VaultCard: true,
      PaymentInformation: { CardNumber: VISA, ExpiryDate: '10/30' },
    });
    expect(made.body['Card']).toEqual({ ...SHOWN_CARD, Cardholder: null });
    const entry = await api.get(`/vault/${textIn(made, 'VaultId')}`);
    expect(entry.body).toMatchObject({ HasCvv: false, Ccv: null });
  });

  test.for<[what: string, more: object, shown: object]>([
    ['VaultCard false', { VaultCard: false }, { VaultId: null }],
    [
      'an explicit null as an absent member',
      { VaultCard: null, Metadata: null },
      { VaultId: null, Metadata: null },
    ],
    [
      'a map of the caller with its own spelling',
      { Metadata: { myKey: 'v', N: 1.5 } },
      { Metadata: { myKey: 'v', N: '1.5' } },
    ],
    ['an Ip', { Ip: '203.0.113.7' }, { Card: SHOWN_CARD }],
    [
      'a hyphenated ProviderId, as it was given',
      { ProviderId: 'A1b2c3d4-0000-4000-8000-0123456789ab' },
      { ProviderId: 'A1b2c3d4-0000-4000-8000-0123456789ab', Provider: { Name: 'steady' } },
    ],
    [
      'an American Express with four digits',
      { PaymentInformation: cardOf(AMEX, { Ccv: '1234' }) },
      { Card: { Type: 'AMEX', CardNumber: '3782*******0005', CardIin: '378282' } },
    ],
    [
      'a debit card',
      { PaymentInformation: cardOf('4000056655665556') },
      { Card: { Type: 'VISA', CardType: 'DEBIT' } },
    ],
    ['blanks in the number', { PaymentInformation: cardOf('4111 1111 1111 1111') }, { Card: SHOWN_CARD }],
    [
      'a card that ends this month',
      { PaymentInformation: cardOf(VISA, { ExpiryDate: '01/26' }) },
      { Card: { ExpiryDate: '01/26' } },
    ],
    [
      'an expired card, if asked to',
      { PaymentInformation: cardOf(VISA, { ExpiryDate: '12/25' }), SkipExpiryDateValidation: true },
      { Card: { ExpiryDate: '12/25' } },
    ],
  ])('takes %s', async ([, more, shown], { create }) => {
    const made = await create(more);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject(shown);
    expect(warningOf(made)).toBeNull();
  });

  refusesEach(
    [
      ...PROVIDER_REFUSALS,
      ...CARD_REFUSALS,
      ...END_REFUSALS,
      ...METADATA_REFUSALS,
      [
        'an expired card with the check asked for',
        { PaymentInformation: cardOf(VISA, { ExpiryDate: '12/25' }), SkipExpiryDateValidation: false },
        400,
        14,
      ],
      ['a SkipExpiryDateValidation that is no flag', { SkipExpiryDateValidation: 1 }, 400, 90],
    ],
    (api, more) => api.post('/payment_method/card', storing(more)),
  );

  test('names the wrong fields by their paths', async ({ create }) => {
    const { body } = await create({ PaymentInformation: { CardNumber: '4000000000000000', Ccv: 'x' } });
    expect(Object.keys(body['Details'] as object).sort()).toEqual([
      'PaymentInformation.CardNumber',
      'PaymentInformation.Ccv',
      'PaymentInformation.ExpiryDate',
    ]);
    const misfit = await create({ PaymentInformation: cardOf(AMEX) });
    expect(Object.keys(misfit.body['Details'] as object)).toEqual(['PaymentInformation.Ccv']);
  });

  test('finds both ways to end the entry wrong before the card is looked at', async ({ create }) => {
    const expired = cardOf(VISA, { ExpiryDate: '12/25' });
    const answer = await create({
      PaymentInformation: expired,
      VaultExpireSeconds: 60,
      VaultExpireDate: after(1),
    });
    expectRefused(answer, 400, 85);
  });

  test.for<[what: string, expiry: object]>([
    ['VaultExpireSeconds', { VaultExpireSeconds: 60 }],
    ['VaultExpireDate', { VaultExpireDate: after(60_000) }],
  ])('ends the entry, not the method, at the instant of %s', async ([, expiry], { api, create }) => {
    const made = await create({ VaultCard: true, ...expiry });
    const path = `/vault/${textIn(made, 'VaultId')}`;
    await api.advance('59999ms');
    expect((await api.read(path))['ExpireDate']).toBe(after(60_000));
    await api.advance('1ms');
    expectRefused(await api.get(path), 404, 62);
    const method = await api.get(`/payment_method/${textIn(made, 'PaymentMethodId')}`);
    expect(method.body).toEqual(made.body);
  });

  test('stores nothing at a provider that is down', async ({ api, create }) => {
    const answer = await create({ ProviderId: DOWN, VaultCard: true });
    expectRefused(answer, 400, 34);
    expect(answer.body['IsRetryable']).toBe(true);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('lets a method be made in a world that has no room for more customers', async () => {
    const api = client(testSandbox({ recordsMax: 2 }));
    const body = storing();
    await api.post('/vault', { CardNumber: VISA });
    await api.post('/vault', { CardNumber: VISA });
    await good(api.post('/payment_method/card', body));
    expectRefused(await api.post('/payment_method/card', { ...body, VaultCard: true }), 409, 90);
    await good(api.post('/payment_method/card', body));
    expectRefused(await api.post('/payment_method/card', body), 409, 90);
  });
});

describe('GET /payment_method/{id}', () => {
  test('refuses the identifier of another kind of record', async ({ api, create }) => {
    const made = await create({ VaultCard: true });
    expectRefused(await api.get(`/payment_method/${textIn(made, 'VaultId')}`), 404, 56);
    expectRefused(await api.get(`/vault/${textIn(made, 'PaymentMethodId')}`), 404, 62);
  });
});

describe('the stored Ccv', () => {
  async function vaulted(more: object = {}) {
    const { api, create } = setup();
    const made = await create({ VaultCard: true, ...more });
    const charge = (body: object = {}, headers?: Record<string, string>) =>
      api.post(
        '/charge/payment_method',
        { Amount: 5, Currency: 'AUD', PaymentMethodId: made.body['PaymentMethodId'], ...body },
        headers,
      );
    const ccv = async () => (await api.read(`/vault/${textIn(made, 'VaultId')}`))['Ccv'];
    return { api, made, charge, ccv };
  }

  test('is used by a row of a batch', async () => {
    const { api, made, ccv } = await vaulted();
    const row = `${textIn(made, 'PaymentMethodId')},5,AUD,r`;
    await api.post('/batch/transaction/payment_method', batchOf([row]));
    expect(await ccv()).toBe('123');
    await api.advance('1m');
    expect(await ccv()).toBeNull();
  });

  test('shows as HasCvv, until it is gone', async () => {
    const { api, made, charge } = await vaulted();
    const path = `/vault/${textIn(made, 'VaultId')}`;
    expect((await api.read(path))['HasCvv']).toBe(true);
    await charge();
    expect((await api.read(path))['HasCvv']).toBe(false);
    expect((await api.del(path)).body['HasCvv']).toBe(false);
  });

  test('of a mismatching card is reported as such', async () => {
    const { charge } = await vaulted({ PaymentInformation: cardOf('4000000000000101') });
    expect((await charge()).body).toMatchObject({ PaymentInformation: { Card: { CcvCheck: false } } });
  });

  test('takes no part where the method is not in the vault', async () => {
    const { charge } = await vaulted({ VaultCard: false, ProviderId: AMOUNTS });
    expect((await charge()).body).toMatchObject({
      ProviderId: AMOUNTS,
      PaymentInformation: { Card: { CcvCheck: null } },
    });
  });
});
