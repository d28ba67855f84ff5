import { describe, expect, test } from 'vitest';

import { type Answer, asking, client, good, testSandbox, warningOf } from '../../support/sandbox.js';
import { AMOUNTS, cardOf, storing, VISA } from '../../support/bodies.js';
import { expectRefused, NOW, SHOWN_CARD, textIn, wholeMethod } from '../../support/stored.js';
import {
  CARD_REFUSALS,
  END_REFUSALS,
  METADATA_REFUSALS,
  PROVIDER_REFUSALS,
  refusesEach,
} from '../../support/refusals.js';

const UNKNOWN = '0123456789abcdef0123456789abcdef';
const PERSON = { FirstName: 'Jo', LastName: 'Smith', Reference: 'r-1', Email: 'jo@example.com' };

/** A world with one customer, whose default is `first`. */
async function setup() {
  const sandbox = testSandbox();
  const api = client(sandbox);
  const made = await api.post('/customer/card', storing({ ...PERSON }));
  const id = textIn(made, 'CustomerId');
  const first = textIn(made, 'DefaultPaymentMethod', 'PaymentMethodId');
  const path = `/customer/${id}/payment_method`;
  const add = (more: object = {}, headers?: Record<string, string>): Promise<Answer> =>
    api.post(`${path}/card`, storing(more), headers);
  const addToken = (more: object = {}): Promise<Answer> =>
    api.post(`${path}/token`, { Token: 'tok_approve', ...more });
  const defaultId = async (): Promise<unknown> =>
    ((await api.read(`/customer/${id}`))['DefaultPaymentMethod'] as Record<string, unknown> | null)?.[
      'PaymentMethodId'
    ] ?? null;
  const list = async (): Promise<unknown[]> =>
    ((await api.read(path)) as unknown as { PaymentMethodId: string }[]).map((one) => one.PaymentMethodId);
  return { sandbox, api, id, first, path, add, addToken, defaultId, list };
}

describe('POST /customer/{id}/payment_method/card', () => {
  test('answers a method of the customer, which is not its default', async () => {
    const { api, id, first, add, defaultId } = await setup();
    const answer = await add({ Metadata: { order: '7' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual(
      wholeMethod({
        CustomerId: id,
        Email: 'jo@example.com',
        Metadata: { order: '7' },
        Customer: { CustomerId: id, ...PERSON, Phone: null, DateAdded: NOW },
      }),
    );
    expect(await api.read(`/payment_method/${textIn(answer, 'PaymentMethodId')}`)).toEqual(answer.body);
    expect(await defaultId()).toBe(first);
  });

  test.each<[SetDefault: boolean | null | undefined, becomes: boolean]>([
    [true, true],
    [false, false],
    [null, false],
    [undefined, false],
  ])('becomes the default with SetDefault %s: %s', async (SetDefault, becomes) => {
    const { add, first, defaultId } = await setup();
    const answer = await add({ SetDefault });
    expect(warningOf(answer)).toBeNull();
    expect(await defaultId()).toBe(becomes ? textIn(answer, 'PaymentMethodId') : first);
  });

  test('is what the customer is charged with once it is the default', async () => {
    const { api, id, add } = await setup();
    const method = textIn(await add({ ProviderId: AMOUNTS, SetDefault: true }), 'PaymentMethodId');
    const charge = await api.post('/charge/customer', { Amount: 5, ProviderId: AMOUNTS, CustomerId: id });
    expect(textIn(charge, 'PaymentInformation', 'PaymentMethodId')).toBe(method);
  });

  test('becomes the default when the customer has no other', async () => {
    const { api, id, first, add, defaultId } = await setup();
    await api.del(`/payment_method/${first}`);
    expect(await defaultId()).toBeNull();
    const second = textIn(await add(), 'PaymentMethodId');
    expect(await defaultId()).toBe(second);
    const third = textIn(await add(), 'PaymentMethodId');
    expect(await defaultId()).toBe(second);
    // Another one is there, so the next is not the first.
    await api.del(`/payment_method/${second}`);
    await add();
    expect(await defaultId()).toBeNull();
    await api.put(`/customer/${id}`, { DefaultPaymentMethodId: third });
    expect(await defaultId()).toBe(third);
  });

  test('puts the card into the vault where that is wished', async () => {
    const { api, add } = await setup();
    const answer = await add({ VaultCard: true, VaultExpireSeconds: 60 });
    const entry = await api.get(`/vault/${textIn(answer, 'VaultId')}`);
    expect(entry.body).toMatchObject({ CardNumber: VISA, ExpireDate: '2026-01-01T00:01:00.000Z' });
  });

  refusesEach(
    [
      ...PROVIDER_REFUSALS,
      ...CARD_REFUSALS,
      ...END_REFUSALS,
      ...METADATA_REFUSALS,
      ['a SetDefault that is no flag', { SetDefault: 'yes' }, 400, 90],
    ],
    async (api, more) => {
      const [{ CustomerId = '' } = {}] = (await api.read('/customer'))['Customers'] as Record<
        string,
        string
      >[];
      return api.post(`/customer/${CustomerId}/payment_method/card`, storing({ SetDefault: true, ...more }));
    },
    async (api) => void (await good(api.post('/customer/card', storing()))),
  );

  test('stores nothing when the provider declines, and leaves the default', async () => {
    const { api, first, add, defaultId } = await setup();
    const before = await api.counts();
    expectRefused(await add({ SetDefault: true }, asking('do_not_honor')), 400, 905);
    expectRefused(
      await add({ SetDefault: true, PaymentInformation: cardOf('4000000000000424', { Ccv: undefined }) }),
      400,
      42,
    );
    expect(await api.counts()).toEqual(before);
    expect(await defaultId()).toBe(first);
  });

  test('checks fields before it looks for the customer', async () => {
    const { api } = await setup();
    const body = storing();
    const path = `/customer/${UNKNOWN}/payment_method/card`;
    expectRefused(await api.post(path, { ...body, ProviderId: 'x' }), 400, 39);
    const ends = { VaultExpireSeconds: 5, VaultExpireDate: '2031-01-01T00:00:00Z' };
    expectRefused(await api.post(path, { ...body, ...ends }), 400, 85);
    expectRefused(await api.post(path, body), 404, 52);
  });
});

describe('POST /customer/{id}/payment_method/token', () => {
  test('adds the card behind a token, and spends the token', async () => {
    const { api, id, first, addToken, defaultId } = await setup();
    const made = await api.post('/_sandbox/tokens', { ProviderId: AMOUNTS, PaymentInformation: cardOf() });
    const Token = textIn(made, 'TokenId');
    const answer = await addToken({ Token, Metadata: { a: 'b' }, Ip: '203.0.113.7' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      CustomerId: id,
      Card: SHOWN_CARD,
      ProviderId: AMOUNTS,
      Metadata: { a: 'b' },
    });
    expect(warningOf(answer)).toBeNull();
    expect(await defaultId()).toBe(first);
    expectRefused(await addToken({ Token }), 400, 51);
  });

  test('makes it the default with SetDefault', async () => {
    const { addToken, defaultId } = await setup();
    const method = textIn(await addToken({ SetDefault: true }), 'PaymentMethodId');
    expect(await defaultId()).toBe(method);
  });

  test.each<[body: object, status: number, code: number]>([
    [{ Token: undefined }, 400, 90],
    [{ Token: ' ' }, 400, 90],
    [{ Token: 'tok_used' }, 400, 51],
    [{ Token: UNKNOWN }, 400, 51],
    [{ VaultExpireSeconds: 0 }, 400, 86],
    [{ Token: 'tok_tokenise_error' }, 400, 42],
  ])('refuses %j and stores nothing', async (body, status, code) => {
    const { api, addToken } = await setup();
    const before = await api.counts();
    expectRefused(await addToken(body), status, code);
    expect(await api.counts()).toEqual(before);
  });

  test('does not spend a token on a customer that is not there', async () => {
    const { api, addToken } = await setup();
    const made = await api.post('/_sandbox/tokens', storing());
    const Token = textIn(made, 'TokenId');
    expectRefused(await api.post(`/customer/${UNKNOWN}/payment_method/token`, { Token }), 404, 52);
    expect((await addToken({ Token })).status).toBe(201);
  });
});

describe('GET /customer/{id}/payment_method', () => {
  test('answers a bare array of the methods, newest first', async () => {
    const { api, first, path, add, addToken, list } = await setup();
    const [second, third] = [await add(), await addToken()];
    const answer = await good(api.get(path));
    expect(answer.body).toEqual([third.body, second.body, await api.read(`/payment_method/${first}`)]);
    await api.del(`/payment_method/${textIn(second, 'PaymentMethodId')}`);
    expect(await list()).toEqual([textIn(third, 'PaymentMethodId'), first]);
  });

  test('shows none of another customer, and none without a customer', async () => {
    const { api, first, list } = await setup();
    await api.post('/customer/card', storing());
    await api.post('/payment_method/card', storing());
    expect(await list()).toEqual([first]);
  });

  test('is found by an identifier that was encoded twice', async () => {
    const { api, id } = await setup();
    await good(api.get(`/customer/${encodeURIComponent(encodeURIComponent(id))}/payment_method`));
  });

  test('ends after the newest 500, and says so', async () => {
    const { api, path, add, list } = await setup();
    for (let i = 0; i < 500; i++) await add();
    const shown = await list();
    expect(shown).toHaveLength(500);
    const warning = (await api.get(path)).headers.get('x-sandbox-warning');
    expect(warning).toBe(
      'the customer has 501 payment methods, and only the newest 500 are returned; use GET /payment_method to page through all of them',
    );
  });
});
