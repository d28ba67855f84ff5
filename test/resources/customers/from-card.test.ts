import { describe, expect, test } from 'vitest';

import { client, good, testSandbox } from '../../support/sandbox.js';
import { cardOf, DOWN, STEADY, storing, VISA } from '../../support/bodies.js';
import { AN_ID, EMPTY, expectRefused, innerMethod, NOW, textIn } from '../../support/stored.js';
import {
  CARD_REFUSALS,
  END_REFUSALS,
  METADATA_REFUSALS,
  PERSON_REFUSALS,
  PROVIDER_REFUSALS,
  refusesEach,
} from '../../support/refusals.js';

function setup() {
  const api = client(testSandbox());
  const create = (more: object = {}, headers?: Record<string, string>) =>
    api.post('/customer/card', storing(more), headers);
  const charge = (CustomerId: unknown, more: object = {}, headers?: Record<string, string>) =>
    api.post('/charge/customer', { Amount: 5, ProviderId: STEADY, CustomerId, ...more }, headers);
  return { api, create, charge };
}

const WHOLE = {
  Reference: 'customer-1',
  FirstName: 'Jo',
  LastName: 'Smith',
  Email: 'jo@example.com',
  Phone: '+61 2 5550 1234',
  Address: {
    Line1: '1 Long Street',
    Line2: 'Flat 2',
    City: 'Sydney',
    Country: 'AU',
    PostalCode: '2000',
    State: 'NSW',
  },
  Ip: '203.0.113.7',
  Metadata: { tier: 'gold', OddCase: '1' },
};

describe('POST /customer/card', () => {
  test('answers the whole customer with its default payment method', async () => {
    const { create } = setup();
    const made = await create({ ...WHOLE, VaultCard: true, VaultExpireSeconds: 60 });
    expect(made.status).toBe(201);
    const { CustomerId } = made.body;
    expect(made.body).toEqual({
      CustomerId: AN_ID,
      ...WHOLE,
      DateAdded: NOW,
      DateRemoved: null,
      DefaultPaymentMethod: innerMethod({ CustomerId, VaultId: AN_ID, Email: 'jo@example.com' }),
    });
  });

  test('writes null for what was not said', async () => {
    const { api, create } = setup();
    const made = await create();
    expect(made.body).toMatchObject({
      Reference: null,
      FirstName: null,
      LastName: null,
      Email: null,
      Phone: null,
      Address: null,
      Ip: null,
      DateRemoved: null,
      Metadata: null,
      DefaultPaymentMethod: { VaultId: null, Email: null },
    });
    expect(await api.counts()).toEqual({ ...EMPTY, Customers: 1, PaymentMethods: 1 });
  });

  test('can be read again as it was answered, and so can its method', async () => {
    const { api, create } = setup();
    const made = await create({ ...WHOLE, VaultCard: true });
    const id = textIn(made, 'CustomerId');
    expect(await api.read(`/customer/${id}`)).toEqual(made.body);
    const method = await api.get(
      `/payment_method/${textIn(made, 'DefaultPaymentMethod', 'PaymentMethodId')}`,
    );
    expect(method.body).toEqual({
      ...(made.body['DefaultPaymentMethod'] as object),
      Provider: { ProviderId: STEADY, Type: 'dummy', Name: 'steady' },
      Customer: {
        CustomerId: id,
        Reference: 'customer-1',
        FirstName: 'Jo',
        LastName: 'Smith',
        Email: 'jo@example.com',
        Phone: '+61 2 5550 1234',
        DateAdded: NOW,
      },
    });
  });

  test('makes a second customer of the same details: nothing has to be unique', async () => {
    const { api, create } = setup();
    const [first, second] = [await create(WHOLE), await create(WHOLE)];
    expect(second.status).toBe(201);
    expect(second.body['CustomerId']).not.toBe(first.body['CustomerId']);
    expect((await api.read('/customer?Reference=customer-1'))['Count']).toBe(2);
  });

  test.each<[what: string, more: object, shown: object]>([
    ['a part of an address', { Address: { City: 'Perth' } }, { Address: { City: 'Perth', Line1: null } }],
    ['empty texts', { Reference: '', Email: '' }, { Reference: '', Email: '' }],
    [
      'explicit nulls as absent members',
      { ...WHOLE, Address: null, Email: null, Metadata: null },
      { Address: null, Email: null, Metadata: null },
    ],
    [
      'an expired card, if asked to',
      { PaymentInformation: cardOf(VISA, { ExpiryDate: '12/25' }), SkipExpiryDateValidation: true },
      { DefaultPaymentMethod: { Card: { ExpiryDate: '12/25' } } },
    ],
    [
      'an end of the entry without VaultCard, to no effect',
      { VaultExpireSeconds: 60 },
      { DefaultPaymentMethod: { VaultId: null } },
    ],
    ['texts of 1024 characters', { Reference: 'r'.repeat(1024) }, { Reference: 'r'.repeat(1024) }],
  ])('takes %s', async (_, more, shown) => {
    const { create } = setup();
    const made = await create(more);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject(shown);
  });

  refusesEach(
    [...PROVIDER_REFUSALS, ...CARD_REFUSALS, ...PERSON_REFUSALS, ...METADATA_REFUSALS, ...END_REFUSALS],
    (api, more) => api.post('/customer/card', storing(more)),
  );

  test('stores nothing at a provider that is down', async () => {
    const { api, create } = setup();
    expectRefused(await create({ ProviderId: DOWN, VaultCard: true, VaultExpireSeconds: 5 }), 400, 34);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('refuses a customer when the world has no room for one', async () => {
    const api = client(testSandbox({ recordsMax: 1 }));
    const body = storing();
    await good(api.post('/customer/card', body));
    expectRefused(await api.post('/customer/card', body), 409, 90);
  });

  test('ends the entry, and neither the customer nor the method, at its instant', async () => {
    const { api, create, charge } = setup();
    const made = await create({ VaultCard: true, VaultExpireSeconds: 60 });
    const path = `/vault/${textIn(made, 'DefaultPaymentMethod', 'VaultId')}`;
    await api.advance('59999ms');
    expect(await api.read(path)).toMatchObject({ CardNumber: VISA, Ccv: '123' });
    await api.advance('1ms');
    expectRefused(await api.get(path), 404, 62);
    expect((await charge(made.body['CustomerId'])).body).toMatchObject({
      Status: 'SUCCESS',
      CustomerId: made.body['CustomerId'],
      PaymentInformation: { Card: { CcvCheck: null } },
    });
  });
});

describe('GET /customer/{id}', () => {
  test.each(['0'.repeat(32), 'nonsense'])('refuses %s', async (id) => {
    const { api } = setup();
    const answer = await api.get(`/customer/${id}`);
    expectRefused(answer, 404, 52);
    expect(answer.body['Resource']).toBe(`/customer/${id}`);
  });
});
