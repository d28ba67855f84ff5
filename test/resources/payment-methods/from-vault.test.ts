import { describe, expect, test } from 'vitest';

import { asking, client, testSandbox, triggerOf } from '../../support/sandbox.js';
import { AMEX, AMOUNTS, cardOf, DOWN, RESERVED, STEADY, storing, VISA } from '../../support/bodies.js';
import { AT_AMOUNTS, expectRefused, SHOWN_CARD, textIn, wholeMethod } from '../../support/stored.js';

/** A world with a method at the first provider whose card is in the vault, unless told otherwise. */
async function setup(more: object = {}) {
  const api = client(testSandbox());
  const source = await api.post('/payment_method/card', storing({ VaultCard: true, ...more }));
  const create = (body: object = {}, headers?: Record<string, string>) =>
    api.post(
      '/payment_method/vault',
      { ProviderId: AMOUNTS, PaymentMethodId: source.body['PaymentMethodId'], ...body },
      headers,
    );
  const charge = (PaymentMethodId: unknown, Amount: number | string = 5) =>
    api.post('/charge/payment_method', { Amount, Currency: 'AUD', PaymentMethodId });
  const ccv = async () => (await api.read(`/vault/${textIn(source, 'VaultId')}`))['Ccv'];
  return { api, source, create, charge, ccv };
}

describe('POST /payment_method/vault', () => {
  test('answers a new method at the other provider that shares the entry', async () => {
    const { api, source, create } = await setup();
    const made = await create({ Metadata: { a: 'b' } });
    expect(made.status).toBe(201);
    expect(made.body).toEqual(
      wholeMethod({ ...AT_AMOUNTS, VaultId: source.body['VaultId'], Metadata: { a: 'b' } }),
    );
    expect(made.body['PaymentMethodId']).not.toBe(source.body['PaymentMethodId']);
    expect(await api.counts()).toMatchObject({ PaymentMethods: 2, VaultEntries: 1 });
  });

  test('charges at the other provider, whose rules then hold', async () => {
    const { create, charge } = await setup();
    const made = await create();
    expect((await charge(made.body['PaymentMethodId'], '10.00')).body).toMatchObject({
      Status: 'SUCCESS',
      ProviderId: AMOUNTS,
    });
    const declined = await charge(made.body['PaymentMethodId'], '10.51');
    expectRefused(declined, 400, 15);
    expect(triggerOf(declined)).toBe('amount:10.51');
  });

  test('leaves the method it was made from at its own provider', async () => {
    const { api, source, create, charge } = await setup();
    await create();
    expect((await charge(source.body['PaymentMethodId'], '10.51')).body['ProviderId']).toBe(STEADY);
    const read = await api.get(`/payment_method/${textIn(source, 'PaymentMethodId')}`);
    expect(read.body).toEqual(source.body);
  });

  test('keeps the stored Ccv if the request has none', async () => {
    const { create, ccv } = await setup();
    await create();
    expect(await ccv()).toBe('123');
  });

  test('replaces the stored Ccv by the one it brings', async () => {
    const { create, ccv, charge } = await setup();
    const made = await create({ Ccv: '456' });
    expect(await ccv()).toBe('456');
    expect((await charge(made.body['PaymentMethodId'])).body).toMatchObject({
      PaymentInformation: { Card: { CcvCheck: true } },
    });
    expect(await ccv()).toBeNull();
  });

  test('brings a Ccv back after the first charge used it up', async () => {
    const { source, create, ccv, charge } = await setup();
    await charge(source.body['PaymentMethodId']);
    expect(await ccv()).toBeNull();
    await create({ Ccv: '789' });
    expect(await ccv()).toBe('789');
  });

  test('shares the entry so far that a charge of either method uses up the Ccv of both', async () => {
    const { source, create, charge } = await setup();
    const made = await create();
    await charge(source.body['PaymentMethodId']);
    expect((await charge(made.body['PaymentMethodId'])).body).toMatchObject({
      PaymentInformation: { Card: { CcvCheck: null } },
    });
  });

  test('can be the source of yet another method', async () => {
    const { source, create } = await setup();
    const second = await create();
    const third = await create({ PaymentMethodId: second.body['PaymentMethodId'], ProviderId: STEADY });
    expect(third.body).toMatchObject({ ProviderId: STEADY, VaultId: source.body['VaultId'] });
  });

  test.each<[what: string, more: object, code: number]>([
    ['no ProviderId', { ProviderId: undefined }, 90],
    ['a malformed ProviderId', { ProviderId: 'x' }, 39],
    ['the reserved ProviderId', { ProviderId: RESERVED }, 39],
    ['no PaymentMethodId', { PaymentMethodId: undefined }, 90],
    ['a null PaymentMethodId', { PaymentMethodId: null }, 90],
    ['a PaymentMethodId that is a number', { PaymentMethodId: 5 }, 90],
    ['a malformed Ccv', { Ccv: '12' }, 6],
    ['a Ccv that is a number', { Ccv: 123 }, 6],
    ['a Ccv of four digits for a Visa', { Ccv: '1234' }, 6],
    ['a Metadata that is no map', { Metadata: 'x' }, 90],
  ])('refuses %s, makes nothing and keeps the stored Ccv', async (_, more, code) => {
    const { api, create, ccv } = await setup();
    expectRefused(await create(more), 400, code);
    expect(await api.counts()).toMatchObject({ PaymentMethods: 1, VaultEntries: 1 });
    expect(await ccv()).toBe('123');
  });

  test('takes four digits for an American Express, and not three', async () => {
    const { create, ccv } = await setup({ PaymentInformation: cardOf(AMEX, { Ccv: '1234' }) });
    expectRefused(await create({ Ccv: '123' }), 400, 6);
    expect((await create({ Ccv: '9876' })).status).toBe(201);
    expect(await ccv()).toBe('9876');
  });

  test('refuses a method that does not exist', async () => {
    const { create } = await setup();
    expectRefused(await create({ PaymentMethodId: '0'.repeat(32) }), 404, 56);
  });

  test('refuses a method whose card is not in the vault', async () => {
    const { create } = await setup({ VaultCard: false });
    expectRefused(await create(), 400, 66);
  });

  test('refuses a method whose entry was deleted', async () => {
    const { api, source, create } = await setup();
    await api.del(`/vault/${textIn(source, 'VaultId')}`);
    expectRefused(await create(), 404, 62);
  });

  test('refuses a method from the instant on at which its entry ends', async () => {
    const { api, create } = await setup({ VaultExpireSeconds: 60 });
    await api.advance('59999ms');
    expect((await create()).status).toBe(201);
    await api.advance('1ms');
    expectRefused(await create(), 404, 62);
  });

  test('still charges where it was made, when the entry is gone', async () => {
    const { api, source, create, charge } = await setup();
    const made = await create();
    await api.del(`/vault/${textIn(source, 'VaultId')}`);
    expect((await charge(made.body['PaymentMethodId'], '10.00')).body).toMatchObject({
      Status: 'SUCCESS',
      ProviderId: AMOUNTS,
      PaymentInformation: { Card: { CcvCheck: null } },
    });
  });

  test('refuses a stored card that has expired meanwhile', async () => {
    const { api, create } = await setup({ PaymentInformation: cardOf(VISA, { ExpiryDate: '01/26' }) });
    await api.advance('31d');
    expectRefused(await create(), 400, 14);
    expect(await api.counts()).toMatchObject({ PaymentMethods: 1 });
  });

  test.each<[what: string, more: object, headers: Record<string, string>, status: number, code: number]>([
    ['a provider that is down', { ProviderId: DOWN }, {}, 400, 34],
    ['an outcome of the header', {}, asking('card_blocked'), 400, 93],
  ])(
    'makes nothing after a decline by %s, and keeps the stored Ccv',
    async (_, more, headers, status, code) => {
      const { api, create, ccv } = await setup();
      expectRefused(await create({ Ccv: '456', ...more }, headers), status, code);
      expect(await api.counts()).toMatchObject({ PaymentMethods: 1 });
      expect(await ccv()).toBe('123');
    },
  );
});

describe('what POST /payment_method/vault gets beside PaymentMethodId', () => {
  test.each([
    ['VaultId', 'f'.repeat(32)],
    ['ExpiryDate', '01/40'],
  ])('is refused if it is not that of the method: %s', async (field, value) => {
    const { create } = await setup();
    const made = await create({ [field]: value });
    expectRefused(made, 400, 90);
    expect(made.body['Details']).toEqual({ [field]: expect.stringContaining(value) });
  });

  test('may be repeated', async () => {
    const { source, create } = await setup();
    expect((await create({ VaultId: source.body['VaultId'], ExpiryDate: '10/30' })).status).toBe(201);
  });
});

describe('POST /payment_method/vault from a standalone entry', () => {
  async function standalone() {
    const api = client(testSandbox());
    const entry = await api.post('/vault', { CardNumber: VISA, Ccv: '123', ExpireSeconds: 60 });
    const create = (more: object = {}) =>
      api.post('/payment_method/vault', {
        ProviderId: AMOUNTS,
        ProviderType: 'dummy',
        VaultId: entry.body['VaultId'],
        ExpiryDate: '10/30',
        ...more,
      });
    return { api, entry, create };
  }

  test('takes VaultId and ExpiryDate in place of PaymentMethodId', async () => {
    const { api, entry, create } = await standalone();
    const made = await create();
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ProviderId: AMOUNTS,
      ProviderType: 'dummy',
      VaultId: entry.body['VaultId'],
      Card: { ...SHOWN_CARD, Cardholder: null },
    });
    const charge = await api.post('/charge/payment_method', {
      Amount: '10.00',
      Currency: 'AUD',
      PaymentMethodId: made.body['PaymentMethodId'],
    });
    expect(charge.body).toMatchObject({ PaymentInformation: { Card: { CcvCheck: true } } });
  });

  test.each<[what: string, more: object, status: number, code: number]>([
    ['a VaultId alone', { ExpiryDate: undefined }, 400, 90],
    ['an ExpiryDate alone', { VaultId: undefined }, 400, 90],
    ['a malformed ExpiryDate', { ExpiryDate: '2030-10' }, 400, 9],
    ['an ExpiryDate in the past', { ExpiryDate: '12/25' }, 400, 14],
    ['an unknown VaultId', { VaultId: 'f'.repeat(32) }, 404, 62],
    ['a VaultId that is a number', { VaultId: 7 }, 400, 90],
    ['a Ccv that does not fit the card', { Ccv: '1234' }, 400, 6],
  ])('refuses %s', async (_, more, status, code) => {
    const { api, create } = await standalone();
    expectRefused(await create(more), status, code);
    expect(await api.counts()).toMatchObject({ PaymentMethods: 0, VaultEntries: 1 });
  });

  test('refuses an entry that has ended', async () => {
    const { api, create } = await standalone();
    await api.advance('1m');
    expectRefused(await create(), 404, 62);
  });
});
