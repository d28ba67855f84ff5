import { describe, expect, test } from 'vitest';

import { client, testSandbox, warningOf } from '../../support/sandbox.js';
import { AMEX, AMOUNTS, cardOf, STEADY, VISA } from '../../support/bodies.js';
import { after, textIn } from '../../support/stored.js';
import { words } from '../../support/tables.js';
import { findsEach, pagesEach, refusesFilters, searchesIn } from '../../support/searches.js';

/** Methods a minute apart, named by their places: two of a customer, two that stand alone, one of another customer. */
async function setup() {
  const api = client(testSandbox());
  const ids: unknown[] = [];
  const keep = async (id: unknown): Promise<void> => {
    ids.push(id);
    await api.advance('1m');
  };
  const card = (number: string, Cardholder: string, more: object = {}): object => ({
    ProviderId: STEADY,
    PaymentInformation: cardOf(number, { Cardholder, Ccv: undefined }),
    ...more,
  });
  const person = { FirstName: 'Ann', LastName: 'Li', Email: 'ann@example.com', Reference: 'vip-1' };
  const ann = await api.post('/customer/card', { ...card(VISA, 'A Li'), ...person });
  const customer = textIn(ann, 'CustomerId');
  await keep(textIn(ann, 'DefaultPaymentMethod', 'PaymentMethodId'));
  const second = await api.post(`/customer/${customer}/payment_method/card`, card(AMEX, 'A Li'));
  await keep(second.body['PaymentMethodId']);
  for (const [number, ProviderId] of [
    ['5555555555554444', AMOUNTS],
    [VISA, AMOUNTS],
  ] as const) {
    const made = await api.post('/payment_method/card', card(number, 'Zoe Smith', { ProviderId }));
    await keep(made.body['PaymentMethodId']);
  }
  const other = await api.post('/customer/card', { ...card(VISA, 'Bo'), Email: 'bo@example.org' });
  await keep(textIn(other, 'DefaultPaymentMethod', 'PaymentMethodId'));
  const { found, search } = searchesIn(api, '/payment_method', 'PaymentMethods', 'PaymentMethodId', ids);
  return { api, ids, customer, found, search: (query: string) => search(query.replace('{ann}', customer)) };
}

describe('GET /payment_method', () => {
  test('answers all, newest first, with the page and the number of matches', async () => {
    const { api, ids, found, search } = await setup();
    const answer = await search('');
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['Limit', 'Skip', 'Count', 'PaymentMethods']);
    expect(answer.body).toMatchObject({ Limit: 100, Skip: 0, Count: 5 });
    expect(found(answer)).toEqual([4, 3, 2, 1, 0]);
    const [newest] = answer.body['PaymentMethods'] as unknown[];
    expect(await api.read(`/payment_method/${String(ids[4])}`)).toEqual(newest);
  });

  findsEach(setup, [
    ['?CustomerId={ann}', [1, 0]],
    ['?CustomerId={ann}&CardType=VISA', [0]],
    ['?CustomerId=0123456789abcdef0123456789abcdef', []],
    ['?CustomerId=x', []],
    [`?ProviderId=${AMOUNTS}`, [3, 2]],
    ['?ProviderId=00000000-0000-0000-0000-000000000002', [3, 2]],
    [`?ProviderId=${AMOUNTS}&CustomerId={ann}`, []],
    ['?PaymentType=CARD', [4, 3, 2, 1, 0]],
    ['?PaymentType=card', [4, 3, 2, 1, 0]],
    ['?PaymentType=PAYPAL', []],
    ['?CardType=VISA', [4, 3, 0]],
    ['?CardType=amex', [1]],
    ['?CardType=CREDIT', []],
    ['?Search=smith', [3, 2]],
    ['?Search=1111', [4, 3, 0]],
    ['?Search=ann+li', [1, 0]],
    ['?Search=EXAMPLE.ORG', [4]],
    ['?Search=vip', [1, 0]],
    ['?Search=nobody', []],
    [`?AddedAfter=${after(60_000)}`, [4, 3, 2]],
    [`?AddedBefore=${after(60_000)}`, [0]],
    [`?AddedAfter=${after(0)}&AddedBefore=${after(180_000)}`, [2, 1]],
    [`?CustomerId={ann}&AddedAfter=${after(0)}`, [1]],
    ['?SortBy=Date', [0, 1, 2, 3, 4]],
    ['?SortBy=-Date', [4, 3, 2, 1, 0]],
    ['?customerid={ann}&sortby=date', [0, 1]],
    ['?', [4, 3, 2, 1, 0]],
  ]);

  pagesEach(setup, [
    ['?Limit=2', { Limit: 2, Skip: 0, Count: 5 }, [4, 3]],
    ['?Limit=2&Skip=4', { Limit: 2, Skip: 4, Count: 5 }, [0]],
    ['?Skip=5', { Limit: 100, Skip: 5, Count: 5 }, []],
    ['?Limit=1&Skip=1&CardType=VISA', { Limit: 1, Skip: 1, Count: 3 }, [3]],
  ]);

  test('leaves out what was removed', async () => {
    const { api, ids, customer, found, search } = await setup();
    await api.del(`/payment_method/${String(ids[3])}`);
    await api.del(`/customer/${customer}`);
    expect(found(await search(''))).toEqual([4, 2]);
    expect((await search('?Limit=1')).body['Count']).toBe(2);
    expect(found(await search(`?CustomerId=${customer}`))).toEqual([]);
  });

  refusesFilters(
    setup,
    words`
    Limit=0 Limit=501 Skip=-1 ProviderId=x AddedAfter=yesterday AddedBefore=2026-02-30T00:00:00Z SortBy=Amount
    Search=a&search=b
    `,
  );

  test('warns of a filter that it does not know', async () => {
    const { search } = await setup();
    const answer = await search('?CardTyp=VISA');
    expect(answer.body['Count']).toBe(5);
    expect(warningOf(answer)).toContain('"CardTyp" (did you mean CardType?)');
  });

  test('finds nothing in an empty world', async () => {
    const answer = await client(testSandbox()).get('/payment_method?CardType=VISA');
    expect(answer.body).toEqual({ Limit: 100, Skip: 0, Count: 0, PaymentMethods: [] });
  });
});
