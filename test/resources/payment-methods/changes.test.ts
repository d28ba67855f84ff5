import { describe, expect } from 'vitest';
import { testsOf } from '../../support/tests.js';

import { storedAccount } from '../../support/instruments.js';
import { type Answer, client, good, testSandbox, warningOf } from '../../support/sandbox.js';
import { AMOUNTS, cardOf, STEADY, storing, VISA } from '../../support/bodies.js';
import { after, AT_AMOUNTS, expectRefused, SHOWN_CARD, textIn, wholeMethod } from '../../support/stored.js';

const UNKNOWN = '0123456789abcdef0123456789abcdef';

/** A world with a method that belongs to no customer. */
async function setup(more: object = {}) {
  const api = client(testSandbox());
  const made = await api.post('/payment_method/card', storing(more));
  const id = textIn(made, 'PaymentMethodId');
  const update = (Card: unknown): Promise<Answer> => api.put(`/payment_method/${id}`, { Card });
  const read = (): Promise<Answer> => api.get(`/payment_method/${id}`);
  const remove = (): Promise<Answer> => api.del(`/payment_method/${id}`);
  const charge = (): Promise<Answer> =>
    api.post('/charge/payment_method', { Amount: 5, Currency: 'AUD', PaymentMethodId: id });
  return { api, made, id, update, read, remove, charge };
}

const test = testsOf(() => setup());

describe('POST /payment_method/token', () => {
  test('answers a method that belongs to no customer, and spends the token', async ({ api }) => {
    const token = await api.post('/_sandbox/tokens', { ProviderId: AMOUNTS, PaymentInformation: cardOf() });
    const Token = textIn(token, 'TokenId');
    const body = { Token, SetDefault: true, Metadata: { order: '7' }, Ip: '203.0.113.7' };
    const answer = await good(api.post('/payment_method/token', body));
    expect(warningOf(answer)).toBeNull();
    expect(answer.body).toEqual(wholeMethod({ ...AT_AMOUNTS, Metadata: { order: '7' } }));
    expectRefused(await api.post('/payment_method/token', body), 400, 51);
  });

  test('puts the card into the vault where that is wished', async ({ api }) => {
    const answer = await api.post('/payment_method/token', { Token: 'tok_approve', VaultCard: true });
    expect((await api.read(`/vault/${textIn(answer, 'VaultId')}`))['CardNumber']).toBe(VISA);
  });

  test('keeps the outcome of a magic token for later charges', async ({ api }) => {
    const stored = await api.post('/payment_method/token', { Token: 'tok_insufficient_funds' });
    const { PaymentMethodId } = stored.body;
    const answer = await api.post('/charge/payment_method', { Amount: 5, Currency: 'AUD', PaymentMethodId });
    expectRefused(answer, 400, 15);
  });

  test.for<[body: object, status: number, code: number]>([
    [{}, 400, 90],
    [{ Token: '' }, 400, 90],
    [{ Token: 'tok_expired' }, 400, 51],
    [{ Token: UNKNOWN }, 400, 51],
    [{ Token: 'tok_approve', Metadata: 5 }, 400, 90],
    [{ Token: 'tok_tokenise_error' }, 400, 42],
  ])('refuses %j and stores nothing', async ([body, status, code], { api }) => {
    const before = await api.counts();
    expectRefused(await api.post('/payment_method/token', body), status, code);
    expect(await api.counts()).toEqual(before);
  });
});

describe('PUT /payment_method/{id}', () => {
  test.for<[card: object, shown: object]>([
    [
      { ExpiryDate: '11/31', Cardholder: 'Jo Jones' },
      { ExpiryDate: '11/31', Cardholder: 'Jo Jones' },
    ],
    [{ ExpiryDate: '11/31' }, { ExpiryDate: '11/31' }],
    [{ Cardholder: 'Jo Jones' }, { Cardholder: 'Jo Jones' }],
    [{ ExpiryDate: '01/26', Cardholder: null }, { ExpiryDate: '01/26' }],
  ])('changes %j and nothing else', async ([card, shown], { made, update, read }) => {
    const answer = await update(card);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...made.body, Card: { ...SHOWN_CARD, ...shown } });
    expect((await read()).body).toEqual(answer.body);
  });

  test('is what later charges show, and not those before', async ({ api, update, charge }) => {
    const before = await charge();
    await update({ ExpiryDate: '11/31' });
    const shown = (answer: Answer): unknown => textIn(answer, 'PaymentInformation', 'Card', 'ExpiryDate');
    expect(shown(await charge())).toBe('11/31');
    expect(shown(await api.get(`/charge/${textIn(before, 'ChargeId')}`))).toBe('10/30');
  });

  test('lets a card that has expired be charged again', async () => {
    const { api, update, charge } = await setup({
      PaymentInformation: cardOf(VISA, { ExpiryDate: '01/26' }),
    });
    await api.advance('31d');
    expectRefused(await charge(), 400, 14);
    await update({ ExpiryDate: '01/28' });
    expect((await charge()).status).toBe(201);
  });

  test('keeps how a magic card behaves', async () => {
    const { update, charge } = await setup({ PaymentInformation: cardOf('4000000000000341') });
    await update({ Cardholder: 'X' });
    expectRefused(await charge(), 400, 905);
  });

  test('leaves the description that others share as it is', async ({ api, update }) => {
    const other = await api.post('/payment_method/card', storing());
    await update({ Cardholder: 'Jo Jones' });
    expect(await api.read(`/payment_method/${textIn(other, 'PaymentMethodId')}`)).toEqual(other.body);
  });

  test.for<[card: unknown, status: number, code: number]>([
    [undefined, 400, 105],
    [null, 400, 105],
    [{}, 400, 105],
    [{ ExpiryDate: null }, 400, 105],
    ['x', 400, 90],
    [{ ExpiryDate: '13/30' }, 400, 9],
    [{ ExpiryDate: '2030-01' }, 400, 9],
    [{ ExpiryDate: '12/25' }, 400, 14],
    [{ Cardholder: 5 }, 400, 90],
    [{ Cardholder: 'x'.repeat(257) }, 400, 90],
  ])('refuses %j and changes nothing', async ([card, status, code], { made, update, read }) => {
    expectRefused(await update(card), status, code);
    expect((await read()).body).toEqual(made.body);
  });

  test('refuses a method that is not a card', async () => {
    const api = client(testSandbox());
    const path = `/payment_method/${await storedAccount(api, '123456789')}`;
    expectRefused(await api.put(path, { Card: { ExpiryDate: '12/25' } }), 400, 106);
    const found = async (query: string): Promise<unknown> =>
      (await api.read(`/payment_method?${query}`))['Count'];
    expect(await found('PaymentType=BANK_ACCOUNT&Search=smith')).toBe(1);
    expect(await found('Search=789')).toBe(1);
    expect(await found('PaymentType=CARD')).toBe(0);
    expect(await found('CardType=VISA')).toBe(0);
  });

  test('takes no other number, and says so without telling it', async ({ made, update }) => {
    const answer = await update({ CardNumber: '5555555555554444', ExpiryDate: '11/31' });
    expect(answer.body['Card'] as object).toMatchObject({ CardNumber: '4111********1111' });
    expect(made.body['PaymentMethodId']).toBe(answer.body['PaymentMethodId']);
    expect(warningOf(answer)).toBe('ignored unknown field "Card.CardNumber"');
  });
});

describe('DELETE /payment_method/{id}', () => {
  test('answers the method as it stays', async ({ api, made, read, remove }) => {
    await api.advance('1m');
    const answer = await remove();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...made.body, Email: 'deleted', DateRemoved: after(60_000) });
    expect((await read()).body).toEqual(answer.body);
  });

  test('leaves nothing that could be charged, changed or removed again', async () => {
    const { api, id, update, read, remove, charge } = await setup({ VaultCard: true });
    const removed = await remove();
    await api.advance('1m');
    const before = await api.counts();
    expectRefused(await charge(), 409, 73);
    expectRefused(await update({ ExpiryDate: '11/31' }), 409, 73);
    expectRefused(await remove(), 409, 73);
    const copy = { ProviderId: AMOUNTS, PaymentMethodId: id };
    expectRefused(await api.post('/payment_method/vault', copy), 409, 73);
    expect(await api.counts()).toEqual(before);
    expect((await read()).body).toEqual(removed.body);
  });

  test('leaves its vault entry to the methods that share it', async () => {
    const { api, made, id, remove } = await setup({ VaultCard: true });
    const copy = await api.post('/payment_method/vault', { ProviderId: AMOUNTS, PaymentMethodId: id });
    await remove();
    await good(api.get(`/vault/${textIn(made, 'VaultId')}`));
    const { PaymentMethodId } = copy.body;
    await good(api.post('/charge/payment_method', { Amount: 5, Currency: 'AUD', PaymentMethodId }));
  });

  test('leaves its customer without a default, if it was that', async ({ api }) => {
    const body = storing();
    const customer = await api.post('/customer/card', { ...body, Email: 'jo@example.com' });
    const id = textIn(customer, 'CustomerId');
    const first = textIn(customer, 'DefaultPaymentMethod', 'PaymentMethodId');
    const second = textIn(await api.post(`/customer/${id}/payment_method/card`, body), 'PaymentMethodId');
    const third = textIn(await api.post(`/customer/${id}/payment_method/card`, body), 'PaymentMethodId');
    await api.del(`/payment_method/${third}`);
    expect((await api.read(`/customer/${id}`))['DefaultPaymentMethod']).not.toBeNull();
    const answer = await api.del(`/payment_method/${first}`);
    expect(answer.body).toMatchObject({ Email: 'deleted', Customer: { Email: 'jo@example.com' } });
    expect(await api.read(`/customer/${id}`)).toMatchObject({
      Email: 'jo@example.com',
      DefaultPaymentMethod: null,
    });
    const charge = { Amount: 5, ProviderId: STEADY, CustomerId: id };
    expectRefused(await api.post('/charge/customer', charge), 400, 64);
    await api.put(`/customer/${id}`, { DefaultPaymentMethodId: second });
    await good(api.post('/charge/customer', charge));
  });
});
