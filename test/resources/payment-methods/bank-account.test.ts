import { describe, expect } from 'vitest';

import { AMOUNTS, DOWN, RESERVED, STEADY, account } from '../../support/bodies.js';
import { SHOWN_ACCOUNT } from '../../support/instruments.js';
import { type Answer, asking, type Client, good } from '../../support/sandbox.js';
import { EMPTY, expectRefused, textIn, wholeMethod, AT_AMOUNTS } from '../../support/stored.js';
import { setup, test } from '../../support/tests.js';

const create = (api: Client, more: object = {}, headers?: Record<string, string>): Promise<Answer> =>
  api.post(
    '/payment_method/bank_account',
    { ProviderId: AMOUNTS, BankPaymentInformation: account(), ...more },
    headers,
  );

describe('POST /payment_method/bank_account', () => {
  test('answers a method of no customer, by an account of which three digits show', async ({ api }) => {
    const { status, body } = await create(api, { Metadata: { flat: '7' } });
    expect([status, body]).toEqual([
      201,
      wholeMethod({
        ...AT_AMOUNTS,
        Type: 'BANK_ACCOUNT',
        Card: null,
        BankPayment: SHOWN_ACCOUNT,
        Metadata: { flat: '7' },
      }),
    ]);
    expect(await api.counts()).toEqual({ ...EMPTY, PaymentMethods: 1 });
    expect(await api.read(`/payment_method/${String(body['PaymentMethodId'])}`)).toEqual(body);
  });

  test('takes the fields that client libraries send along, without effect', async ({ api }) => {
    const more = { FirstName: 'Jo', LastName: 'Smith', SetDefault: false };
    const { headers, body } = await good(create(api, more));
    expect(headers.get('x-sandbox-warning')).toBeNull();
    expect(body).toMatchObject({ CustomerId: null, Customer: null });
  });

  test.for<[string, object, number]>([
    ['no BankPaymentInformation', { BankPaymentInformation: undefined }, 90],
    ['a malformed AccountNumber', { BankPaymentInformation: account('12') }, 10],
    ['no ProviderId', { ProviderId: undefined }, 90],
    ['the reserved ProviderId', { ProviderId: RESERVED }, 39],
    ['Metadata that is no object', { Metadata: 'x' }, 90],
  ])('refuses %s and stores nothing', async ([, more, code], { api }) => {
    expectRefused(await create(api, more), 400, code);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('stores nothing where the provider declines', async ({ api }) => {
    expectRefused(await create(api, { ProviderId: DOWN }), 400, 34);
    expectRefused(await create(api, {}, asking('do_not_honor')), 400, 905);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('is a call of paymentMethod.create to scripts', async ({ api }) => {
    await good(api.queue('paymentMethod.create', ['lost_card']));
    expectRefused(await create(api), 400, 941);
    await good(create(api));
  });
});

describe('a stored bank account', () => {
  test('is found by its type, its holder and the end of its number', async ({ api }) => {
    const id = textIn(await good(create(api)), 'PaymentMethodId');
    for (const query of ['PaymentType=BANK_ACCOUNT', 'Search=jo+smith', 'Search=456']) {
      const { body } = await api.get(`/payment_method?${query}`);
      expect(body).toMatchObject({ Count: 1, PaymentMethods: [{ PaymentMethodId: id }] });
    }
    for (const query of ['PaymentType=CARD', 'CardType=VISA', 'Search=000123']) {
      expect(await api.read(`/payment_method?${query}`)).toMatchObject({ Count: 0 });
    }
  });
});

describe('POST /customer/bank_account', () => {
  const person = { FirstName: 'Jo', LastName: 'Smith', Reference: 'c-1', Email: 'jo@example.com' };

  const createCustomer = (
    api: Client,
    more: object = {},
    headers?: Record<string, string>,
  ): Promise<Answer> =>
    api.post(
      '/customer/bank_account',
      { ...person, ProviderId: STEADY, BankPaymentInformation: account(), ...more },
      headers,
    );

  test('answers a customer whose default method is the account', async ({ api }) => {
    const { status, body } = await createCustomer(api, {
      Phone: '+61400000000',
      Address: { Line1: '1 High St', Country: 'AU' },
      Ip: '10.0.0.1',
      Metadata: { flat: '7' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...person,
      Phone: '+61400000000',
      Address: { Line1: '1 High St', Line2: null, Country: 'AU' },
      Ip: '10.0.0.1',
      Metadata: { flat: '7' },
      DefaultPaymentMethod: {
        CustomerId: body['CustomerId'],
        Type: 'BANK_ACCOUNT',
        Card: null,
        BankPayment: SHOWN_ACCOUNT,
        ProviderType: 'dummy',
        VaultId: null,
        Email: 'jo@example.com',
        Metadata: null,
      },
    });
    expect(await api.counts()).toEqual({ ...EMPTY, Customers: 1, PaymentMethods: 1 });
  });

  test.for<[string, object, number]>([
    ['no BankPaymentInformation', { BankPaymentInformation: undefined }, 90],
    ['no ProviderId', { ProviderId: undefined }, 90],
    ['a malformed BankCode', { BankPaymentInformation: account('1234', { BankCode: '*' }) }, 10],
    ['an Address that is a text', { Address: 'High St' }, 90],
  ])('refuses %s and stores nothing', async ([, more, code], { api }) => {
    expectRefused(await createCustomer(api, more), 400, code);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('stores nothing where the provider declines, and is a call of customer.create to scripts', async ({
    api,
  }) => {
    expectRefused(await createCustomer(api, { ProviderId: DOWN }), 400, 34);
    await good(api.queue('customer.create', ['do_not_honor']));
    expectRefused(await createCustomer(api), 400, 905);
    expect(await api.counts()).toEqual(EMPTY);
  });
});

describe('POST /customer/{id}/bank_account', () => {
  async function customer(): Promise<{ api: Client; id: string; first: string }> {
    const { api } = setup();
    const body = { Email: 'jo@example.com', ProviderId: STEADY, BankPaymentInformation: account() };
    const made = await good(api.post('/customer/bank_account', body));
    return {
      api,
      id: textIn(made, 'CustomerId'),
      first: textIn(made, 'DefaultPaymentMethod', 'PaymentMethodId'),
    };
  }

  const add = (api: Client, id: string, more: object = {}): Promise<Answer> =>
    api.post(`/customer/${id}/bank_account`, {
      ProviderId: STEADY,
      BankPaymentInformation: account('987654321'),
      FirstName: 'Jo',
      LastName: 'Smith',
      ...more,
    });

  const defaultOf = async (api: Client, id: string): Promise<string> =>
    textIn(await api.get(`/customer/${id}`), 'DefaultPaymentMethod', 'PaymentMethodId');

  test('answers the new method, which leaves the default as it is', async () => {
    const { api, id, first } = await customer();
    const { body } = await good(add(api, id, { Metadata: { flat: '7' } }));
    expect(body).toMatchObject({
      CustomerId: id,
      Type: 'BANK_ACCOUNT',
      BankPayment: { AccountNumber: '******321' },
      Email: 'jo@example.com',
      Customer: { CustomerId: id },
      Metadata: { flat: '7' },
    });
    expect(await defaultOf(api, id)).toBe(first);
  });

  test('makes it the default with SetDefault', async () => {
    const { api, id, first } = await customer();
    await good(add(api, id, { SetDefault: false }));
    expect(await defaultOf(api, id)).toBe(first);
    const { body } = await good(add(api, id, { SetDefault: true }));
    expect(await defaultOf(api, id)).toBe(body['PaymentMethodId']);
  });

  test('changes nothing where it is refused or declined', async () => {
    const { api, id, first } = await customer();
    const more = { SetDefault: true };
    expectRefused(await add(api, '0'.repeat(32), more), 404, 52);
    const other = await good(
      api.post('/customer/bank_account', { ProviderId: STEADY, BankPaymentInformation: account() }),
    );
    await good(api.del(`/customer/${textIn(other, 'CustomerId')}`));
    expectRefused(await add(api, textIn(other, 'CustomerId'), more), 409, 72);
    expectRefused(await add(api, id, { ...more, BankPaymentInformation: account('12') }), 400, 10);
    expectRefused(await add(api, id, { ...more, SetDefault: 'yes' }), 400, 90);
    expectRefused(await add(api, id, { ...more, ProviderId: DOWN }), 400, 34);
    expect(await defaultOf(api, id)).toBe(first);
    expect(await api.counts()).toEqual({ ...EMPTY, Customers: 2, PaymentMethods: 2 });
  });

  test('lets a rule see whose customer it is', async () => {
    const { api, id } = await customer();
    const rules = [
      { when: { operation: 'paymentMethod.create', customer: id }, then: { outcome: 'do_not_honor' } },
    ];
    await good(api.play({ name: 'one customer', rules }));
    expectRefused(await add(api, id), 400, 905);
    await good(create(api));
  });
});
