import { describe, expect } from 'vitest';
import { good, START } from '../../support/sandbox.js';
import {
  card,
  customer,
  MINUTE,
  NOTHING_ELSE,
  stateOf,
  wholeCharge,
  withLiteral,
  without,
} from './support.js';
import { AMOUNTS, NO_FUNDS, OTHER, STEADY, UNKNOWN_ID } from '../../support/bodies.js';
import { expectRefused, NOW, textIn } from '../../support/stored.js';
import { test } from '../../support/tests.js';

const charge = (CustomerId: string, more: object = {}): object => ({
  Amount: 15.5,
  ProviderId: STEADY,
  CustomerId,
  ...more,
});

describe('POST /charge/customer', () => {
  test('answers with the whole charge', async ({ api }) => {
    const { customerId, methodId } = await customer(api, {
      FirstName: 'Jo',
      LastName: 'Smith',
      Email: 'jo@example.com',
      Phone: '+61400000000',
      Reference: 'customer-1',
    });
    await api.advance(MINUTE);
    const answer = await good(api.post('/charge/customer', charge(customerId, { Reference: 'order-1' })));
    expect(answer.body).toEqual(
      wholeCharge({
        Reference: 'order-1',
        CustomerId: customerId,
        Customer: {
          CustomerId: customerId,
          Reference: 'customer-1',
          FirstName: 'Jo',
          LastName: 'Smith',
          Email: 'jo@example.com',
          Phone: '+61400000000',
          DateAdded: NOW,
        },
        PaymentInformation: {
          Type: 'CARD',
          PaymentMethodId: methodId,
          Card: {
            CardNumber: '4111********1111',
            ExpiryDate: '12/30',
            Cardholder: null,
            Type: 'VISA',
            CardType: 'CREDIT',
            CardIin: '411111',
            CcvCheck: null,
          },
          ...NOTHING_ELSE,
        },
        DateAdded: '2026-01-01T00:01:00.000Z',
        SuccessDate: '2026-01-01T00:01:00.000Z',
      }),
    );
  });

  test.for(['Amount', 'ProviderId', 'CustomerId'])('needs the field %s', async (member, { api }) => {
    const body = charge((await customer(api)).customerId);
    const before = await stateOf(api);
    expectRefused(await api.post('/charge/customer', without(body, member)), 400, 90, member);
    expectRefused(await api.post('/charge/customer', withLiteral(body, member, 'null')), 400, 90, member);
    expect(await stateOf(api)).toEqual(before);
  });

  test.for([
    ['CustomerId', 90, ''],
    ['CustomerId', 90, 5],
    ['CustomerId', 90, {}],
    ['ProviderId', 39, 'x'],
    ['ProviderId', 39, '0000000000000000000000000000dead'],
  ])('refuses a malformed %s with code %i: %j', async ([member, code, value], { api }) => {
    const { customerId } = await customer(api);
    expectRefused(
      await api.post('/charge/customer', charge(customerId, { [member]: value })),
      400,
      code,
      member,
    );
  });

  test.for([UNKNOWN_ID, 'abc', 'ä'])('does not know the customer %s', async (id, { api }) => {
    await customer(api);
    const before = await stateOf(api);
    expectRefused(await api.post('/charge/customer', charge(id)), 404, 52);
    expect(await stateOf(api)).toEqual(before);
  });

  test('refuses a customer whose default payment method was removed', async ({ api, world }) => {
    const { customerId } = await customer(api);
    const method = world.paymentMethods.at(0);
    if (!method) throw new Error('There is no payment method');
    world.paymentMethods.replace({ ...method, dateRemoved: START });
    expectRefused(await api.post('/charge/customer', charge(customerId)), 400, 64);
  });

  test('refuses a card that has expired since it was stored', async ({ api }) => {
    const { customerId } = await customer(api, { PaymentInformation: card({ ExpiryDate: '01/26' }) });
    await api.advance(31 * 24 * 60 * MINUTE);
    const before = await stateOf(api);
    expectRefused(await api.post('/charge/customer', charge(customerId)), 400, 14);
    expect(await stateOf(api)).toEqual(before);
  });

  test('stores a declined charge with its customer', async ({ api }) => {
    const made = await customer(api, { PaymentInformation: card({ CardNumber: NO_FUNDS }) });
    const answer = await api.post('/charge/customer', charge(made.customerId));
    expectRefused(answer, 400, 15);
    const { body } = await api.get(`/charge/${textIn(answer, 'ChargeId')}`);
    expect(body).toMatchObject({ Status: 'FAILED', CustomerId: made.customerId });
    expect(body).toMatchObject({ PaymentInformation: { PaymentMethodId: made.methodId } });
  });
});

describe("a provider that is not the method's", () => {
  test('is refused where the card is not in the vault', async ({ api }) => {
    const { customerId } = await customer(api);
    const before = await stateOf(api);
    expectRefused(await api.post('/charge/customer', charge(customerId, { ProviderId: OTHER })), 400, 57);
    expect(await stateOf(api)).toEqual(before);
  });

  test('charges the card from the vault', async ({ api }) => {
    const { customerId, methodId } = await customer(api, { VaultCard: true });
    const { body } = await api.post('/charge/customer', charge(customerId, { ProviderId: OTHER }));
    expect(body).toMatchObject({
      Status: 'SUCCESS',
      ProviderId: OTHER,
      Provider: { ProviderId: OTHER },
      PaymentInformation: { PaymentMethodId: methodId },
    });
  });

  test('decides on the charge as it does on others', async ({ api }) => {
    const { customerId } = await customer(api, { VaultCard: true });
    const answer = await api.post(
      '/charge/customer',
      charge(customerId, { ProviderId: AMOUNTS, Amount: 10.05 }),
    );
    expectRefused(answer, 400, 905);
  });

  test('is refused once the vault entry is deleted', async ({ api }) => {
    const { customerId, vaultId } = await customer(api, { VaultCard: true });
    await api.del(`/vault/${vaultId}`);
    expectRefused(await api.post('/charge/customer', charge(customerId, { ProviderId: OTHER })), 400, 57);
    await good(api.post('/charge/customer', charge(customerId)));
  });

  test('is refused at the instant at which the vault entry expires', async ({ api }) => {
    const { customerId } = await customer(api, { VaultCard: true, VaultExpireSeconds: 60 });
    const body = charge(customerId, { ProviderId: OTHER });
    await api.advance(MINUTE - 1);
    await good(api.post('/charge/customer', body));
    await api.advance(1);
    expectRefused(await api.post('/charge/customer', body), 400, 57);
  });

  test('is the same one in another spelling', async ({ api }) => {
    const { customerId } = await customer(api, { ProviderId: OTHER });
    const upper = charge(customerId, { ProviderId: OTHER.toUpperCase() });
    const uuid = charge(customerId, { ProviderId: 'c0ffee00-c0ff-ee00-c0ff-ee00c0ffee00' });
    await good(api.post('/charge/customer', upper));
    await good(api.post('/charge/customer', uuid));
  });
});
