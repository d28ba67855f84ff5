import { beforeAll, describe, expect } from 'vitest';
import { type Client, warningOf } from '../../support/sandbox.js';
import { byName, cells } from '../../support/tables.js';
import { authorised, card, charged, chargeOf, customer, found, MINUTE, stored, token } from './support.js';
import { AMEX, AMOUNTS, NO_FUNDS, OTHER, STEADY, UNKNOWN_ID } from '../../support/bodies.js';
import { expectRefused, textIn } from '../../support/stored.js';
import { setup, test } from '../../support/tests.js';

/** A world with one charge a minute from 00:00, which the tables below search; nothing changes it afterwards. */
interface Shop {
  readonly api: Client;
  readonly ids: Readonly<Record<string, string>>;
}

let shop: Shop;

async function openShop(): Promise<Shop> {
  const { api } = setup();
  const made = await customer(api, { FirstName: 'Jo', VaultCard: true });
  const methodId = await stored(api, {
    PaymentInformation: card({ CardNumber: '5555555555554444', Cardholder: 'Ann Lee' }),
  });
  const ids: Record<string, string> = { customer: made.customerId, default: made.methodId, method: methodId };
  const next = () => api.advance(MINUTE);

  ids['a'] = await charged(api, {
    Reference: 'a',
    Amount: 10,
    PaymentInformation: card({ Cardholder: 'Jo Smith' }),
  });
  await next();
  ids['b'] = await charged(api, { Reference: 'b', Amount: 20, Currency: 'USD' });
  await next();
  await api.charge(chargeOf(NO_FUNDS, { Reference: 'c', Amount: 30 }));
  await next();
  ids['d'] = await authorised(api, { Reference: 'd', Amount: 10.5 });
  await next();
  ids['e'] = await authorised(api, { Reference: 'e', Amount: 40 });
  await api.del(`/charge/${ids['e']}/void`);
  await next();
  ids['f'] = await charged(api, { Reference: 'f', Amount: 50, ProviderId: OTHER });
  await api.del(`/refund/${ids['f']}?Amount=1`);
  await next();
  ids['g'] = await charged(api, { Reference: 'g', Amount: 60, ProviderId: AMOUNTS });
  await api.del(`/refund/${ids['g']}`);
  await next();
  await api.post('/charge/customer', {
    Reference: 'h',
    Amount: 70,
    ProviderId: STEADY,
    CustomerId: made.customerId,
  });
  await next();
  const byMethod = { Reference: 'i', Amount: 500, Currency: 'JPY', PaymentMethodId: methodId };
  await api.post('/charge/payment_method', byMethod);
  await next();
  const Token = await token(api, { PaymentInformation: card({ CardNumber: AMEX, Ccv: '1234' }) });
  await api.post('/charge/token', { Reference: 'j', Amount: '0.125', Currency: 'BHD', Token });
  await next();
  ids['k'] = await charged(api, { Reference: 'a', Amount: 10, Currency: 'USD' });
  return { api, ids };
}

beforeAll(async () => {
  shop = await openShop();
});

/** The References found by a query, as one text, in the order of the answer. */
const search = async (query: string): Promise<string> => {
  const filled = query.replaceAll(/\{(\w+)\}/g, (_, name: string) => shop.ids[name] ?? UNKNOWN_ID);
  return (await found(shop.api, filled)).join('');
};

const ALL = 'ajihgfedcba';

describe('GET /charge', () => {
  test('answers with a page, what was asked for, and how many there are', async () => {
    const { body, status } = await shop.api.get('/charge?reference=d');
    expect(status).toBe(200);
    expect(body).toEqual({
      Limit: 100,
      Skip: 0,
      Count: 1,
      Charges: [(await shop.api.get(`/charge/${shop.ids['d']}`)).body],
    });
  });

  test('answers with an empty page where there is nothing', async ({ api }) => {
    expect(await api.read('/charge')).toEqual({ Limit: 100, Skip: 0, Count: 0, Charges: [] });
  });

  test.for([
    ['', ALL],
    ['?', ALL],
    ['?Reference=b', 'b'],
    ['?Reference=a', 'aa'],
    ['?Reference=A', ''],
    ['?Reference=zzz', ''],
    ['?Reference=', ''],
    [`?ProviderId=${STEADY}`, 'ajihedcba'],
    ['?ProviderId=00000000-0000-0000-0000-000000000001', 'ajihedcba'],
    [`?ProviderId=${OTHER}`, 'f'],
    [`?ProviderId=${OTHER.toUpperCase()}`, 'f'],
    ['?ProviderId=11111111111111111111111111111111', ''],
    ['?ProviderId=0000000000000000000000000000dead', ''],
    ['?CustomerId={customer}', 'h'],
    ['?CustomerId={nobody}', ''],
    ['?CustomerId=abc', ''],
    ['?PaymentMethodId={method}', 'i'],
    ['?PaymentMethodId={default}', 'h'],
    ['?PaymentMethodId={nobody}', ''],
    ['?Status=SUCCESS', 'ajihba'],
    ['?Status=success', 'ajihba'],
    ['?Status=FAILED', 'c'],
    ['?Status=Authorised', 'd'],
    ['?Status=AUTHORISED', 'd'],
    ['?Status=AUTHORISE_CANCELLED', 'e'],
    ['?Status=PARTIAL_REFUND', 'f'],
    ['?Status=REFUND', 'g'],
    ['?Status=PENDING', ''],
    ['?Currency=USD', 'ab'],
    ['?Currency=usd', 'ab'],
    ['?Currency=JPY', 'i'],
    ['?Currency=EUR', ''],
    ['?AmountGreaterThan=40', 'ihgf'],
    ['?AmountGreaterThan=39.99', 'ihgfe'],
    ['?AmountGreaterThan=500', ''],
    ['?AmountGreaterThan=0', ALL],
    ['?AmountLessThan=10', 'j'],
    ['?AmountLessThan=10.01', 'aja'],
    ['?AmountLessThan=0.125', ''],
    ['?AmountLessThan=0.1251', 'j'],
    ['?AmountGreaterThan=10&AmountLessThan=20', 'd'],
    ['?AmountGreaterThan=20&AmountLessThan=10', ''],
    ['?AddedAfter=2026-01-01T00:08:00Z', 'aj'],
    ['?AddedAfter=2026-01-01T00:07:59.999Z', 'aji'],
    ['?AddedBefore=2026-01-01T00:02:00Z', 'ba'],
    ['?AddedBefore=2026-01-01T00:02:00.001Z', 'cba'],
    ['?AddedBefore=2026-01-01T00:00:00Z', ''],
    ['?AddedAfter=2026-01-01T00:01:00Z&AddedBefore=2026-01-01T00:03:00Z', 'c'],
    ['?AddedAfter=2026-01-01T00:03:00Z&AddedBefore=2026-01-01T00:01:00Z', ''],
    ['?AddedAfter=2026-01-01T02:08:00%2B02:00', 'aj'],
    ['?AddedAfter=2026-01-01T02:08:00+02:00', 'aj'],
    ['?AddedAfter=2025-12-31T22:08:00-02:00', 'aj'],
    ['?CardNumber=4111', 'ahgfedba'],
    ['?CardNumber=411111', 'ahgfedba'],
    ['?CardNumber=5555', 'i'],
    ['?CardNumber=3782', 'j'],
    ['?CardNumber=4000 00', 'c'],
    ['?CardNumber=4111********1111', 'ahgfedba'],
    ['?CardNumber=4111111111111111', 'ahgfedba'],
    ['?CardNumber=4111111111111112', ''],
    ['?CardNumber=6', ''],
    ['?CardType=VISA', 'ahgfedcba'],
    ['?CardType=mastercard', 'i'],
    ['?CardType=AMEX', 'j'],
    ['?CardType=CREDIT', ''],
    ['?Cardholder=Jo%20Smith', 'a'],
    ['?Cardholder=jo+smith', 'a'],
    ['?Cardholder=ann lee', 'i'],
    ['?Cardholder=Jo', ''],
    ['?PaymentType=CARD', ALL],
    ['?PaymentType=card', ALL],
    ['?PaymentType=PAYTO', ''],
    ['?BatchId={nobody}', ''],
    ['?BatchId=abc', ''],
  ])('%s finds %j', async ([query, expected]) => {
    expect(await search(query)).toBe(expected);
  });

  test.for([
    ['?Reference=a&Currency=USD', 'a'],
    ['?Reference=a&Status=FAILED', ''],
    ['?Reference=h&CustomerId={customer}', 'h'],
    ['?Reference=i&CustomerId={customer}', ''],
    ['?CustomerId={customer}&PaymentMethodId={default}', 'h'],
    ['?CustomerId={customer}&PaymentMethodId={method}', ''],
    ['?Reference=i&PaymentMethodId={method}&Currency=JPY', 'i'],
    ['?Status=SUCCESS&Currency=AUD&CardType=VISA', 'ha'],
    ['?Status=SUCCESS&AmountGreaterThan=10&AmountLessThan=100', 'hb'],
    ['?Status=SUCCESS&AddedAfter=2026-01-01T00:07:00Z&CardNumber=4', 'a'],
    [`?ProviderId=${STEADY}&Status=Authorised&Cardholder=`, ''],
    ['?Reference=a&AddedAfter=2026-01-01T00:05:00Z', 'a'],
    ['?Reference=a&AddedBefore=2026-01-01T00:05:00Z&Currency=USD', ''],
  ])('%s finds %j, since all that is asked must hold', async ([query, expected]) => {
    expect(await search(query)).toBe(expected);
  });

  test.for(['reference', 'REFERENCE', 'rEfErEnCe'])('takes the name %s', async (name) => {
    const answer = await shop.api.get(`/charge?${name}=b`);
    expect(answer.body['Count']).toBe(1);
    expect(warningOf(answer)).toBeNull();
  });

  test('takes every name in small letters', async () => {
    const query = `?providerid=${STEADY}&status=success&currency=AUD`;
    const more =
      '&amountgreaterthan=1&amountlessthan=11&addedafter=2025-01-01T00:00:00Z&addedbefore=2027-01-01T00:00:00Z';
    const rest =
      '&cardnumber=4&cardtype=visa&cardholder=jo smith&paymenttype=card&limit=5&skip=0&sortby=date';
    const answer = await shop.api.get(`/charge${query}${more}${rest}`);
    expect(warningOf(answer)).toBeNull();
    expect(answer.body).toMatchObject({ Limit: 5, Skip: 0, Count: 1 });
  });
});

describe('the order of a search', () => {
  test.for([
    ['', ALL],
    ['?SortBy=-Date', ALL],
    ['?SortBy=Date', 'abcdefghija'],
    ['?sortby=date', 'abcdefghija'],
    ['?SortBy=Amount', 'jaadbcefghi'],
    ['?SortBy=-Amount', 'ihgfecbdaaj'],
    ['?SortBy=-amount&Currency=USD', 'ba'],
    ['?SortBy=Amount&Limit=3', 'jaa'],
    ['?SortBy=-Amount&Skip=1&Limit=2', 'hg'],
    ['?SortBy=Date&Skip=9', 'ja'],
    ['?SortBy=Date&AddedAfter=2026-01-01T00:06:30Z', 'hija'],
  ])('%s is %s', async ([query, expected]) => {
    expect(await search(query)).toBe(expected);
  });

  test('of charges of one instant is the order in which they were made', async ({ api }) => {
    for (const Reference of 'abc') await charged(api, { Reference });
    expect((await found(api, '')).join('')).toBe('cba');
    expect((await found(api, '?SortBy=Date')).join('')).toBe('abc');
  });
});

describe('the page of a search', () => {
  test.for([
    ['?Limit=3', 3, 0, 11, 'aji'],
    ['?Limit=1', 1, 0, 11, 'a'],
    ['?Limit=500', 500, 0, 11, ALL],
    ['?Skip=9', 100, 9, 11, 'ba'],
    ['?Skip=11', 100, 11, 11, ''],
    ['?Skip=4294967295', 100, 4_294_967_295, 11, ''],
    ['?Limit=3&Skip=3', 3, 3, 11, 'hgf'],
    ['?Status=SUCCESS&Limit=2', 2, 0, 6, 'aj'],
    ['?Status=SUCCESS&Limit=2&Skip=4', 2, 4, 6, 'ba'],
    ['?Status=SUCCESS&Limit=2&Skip=5', 2, 5, 6, 'a'],
    ['?Reference=a&Limit=1', 1, 0, 2, 'a'],
    ['?Reference=a&Skip=1', 100, 1, 2, 'a'],
    ['?SortBy=Amount&Limit=1&Skip=10', 1, 10, 11, 'i'],
    ['?AddedAfter=2026-01-01T00:05:00Z&Limit=2&Skip=1', 2, 1, 5, 'ji'],
  ])('%s has Limit %i, Skip %i, Count %i: %j', async ([query, Limit, Skip, Count, expected]) => {
    const { body } = await shop.api.get(`/charge${query}`);
    expect(body).toMatchObject({ Limit, Skip, Count });
    expect(await search(query)).toBe(expected);
  });

  test('together show every charge once', async () => {
    const pages: string[] = [];
    for (let skip = 0; skip < 12; skip += 4) pages.push(await search(`?Limit=4&Skip=${skip}`));
    expect(pages.join('')).toBe(ALL);
  });

  test('has at most 100 charges by default, and counts all', async ({ api }) => {
    for (let n = 0; n < 101; n++) await charged(api);
    const { body } = await api.get('/charge');
    expect(body['Count']).toBe(101);
    expect(body['Charges']).toHaveLength(100);
  });
});

describe('a malformed filter', () => {
  test.for(
    byName({
      Limit: cells`|0|501|-1|1.5|ten|1e1`,
      Skip: cells`|-1|1.5|x|99999999999`,
      SortBy: cells`|Reference|--Date|+Date`,
      Status: cells`|DONE`,
      AmountGreaterThan: cells`|x|-1|1e3`,
      AmountLessThan: cells`1,5|1.00001`,
      AddedAfter: cells`|2026-01-01|2026-02-30T00:00:00Z|1767225600000`,
      AddedBefore: cells`yesterday|2026-01-01 00:00:00`,
      Currency: cells`|AU|XXX`,
      ProviderId: cells`|x`,
      CardNumber: cells`|x|41111111111111111111`,
    }),
  )('%s=%s is refused with code 90', async ([name, value]) => {
    const answer = await shop.api.get(`/charge?${name}=${encodeURIComponent(value)}`);
    expectRefused(answer, 400, 90, name);
    expect(answer.body['Resource']).toBe('/charge');
  });

  test('is answered with what is accepted', async () => {
    for (const value of ['-1', '1.00001', '1000000000']) {
      const answer = await shop.api.get(`/charge?AmountGreaterThan=${value}`);
      expect(answer.body['Details']).toEqual({
        AmountGreaterThan: `must be a decimal number of 0 or more, such as 1.5, with at most 4 decimals and at most 999999999.99, not "${value}"`,
      });
    }
  });

  test('that is given twice is refused, in whatever case', async () => {
    expectRefused(await shop.api.get('/charge?Reference=a&reference=b'), 400, 90, 'Reference');
  });

  test('that is unknown is a warning, and refused in strict mode', async () => {
    const lax = await shop.api.get('/charge?Refrence=b&Zzzzzzzz=1');
    expect(lax.body['Count']).toBe(11);
    expect(warningOf(lax)).toBe('ignored unknown filters: "Refrence" (did you mean Reference?), "Zzzzzzzz"');
    const { api } = setup({ strict: true });
    const strict = await api.get('/charge?Refrence=b');
    expectRefused(strict, 400, 90, 'Refrence');
    expect(strict.body['Details']).toEqual({ Refrence: 'unknown filter; did you mean Reference?' });
  });

  test('never repeats a card number', async () => {
    const answer = await shop.api.get('/charge?CardNumber=4111-1111-1111-1111-1111-x');
    expectRefused(answer, 400, 90);
    expect(answer.text).not.toContain('1111');
  });
});

describe('GET /charge/{id}', () => {
  test('answers with the charge', async () => {
    const answer = await shop.api.get(`/charge/${shop.ids['a']}`);
    expect(answer.body).toMatchObject({ ChargeId: shop.ids['a'], Reference: 'a' });
  });

  test.for([UNKNOWN_ID, 'abc', '0'])('does not know %s', async (id) => {
    expectRefused(await shop.api.get(`/charge/${id}`), 404, 84);
  });

  test('does not know another kind of identifier', async () => {
    expectRefused(await shop.api.get(`/charge/${shop.ids['customer']}`), 404, 84);
  });

  test('shows a declined charge', async ({ api }) => {
    const id = textIn(await api.charge(chargeOf(NO_FUNDS)), 'ChargeId');
    expect(await api.read(`/charge/${id}`)).toMatchObject({ ChargeId: id, Status: 'FAILED' });
  });
});
