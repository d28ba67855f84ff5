import { describe, expect, test } from 'vitest';

import { client, good, testSandbox, warningOf } from '../../support/sandbox.js';
import { storing } from '../../support/bodies.js';
import { after, expectRefused } from '../../support/stored.js';
import { words } from '../../support/tables.js';
import { findsEach, pagesEach, refusesFilters, searchesIn } from '../../support/searches.js';

const PEOPLE = [
  { Reference: 'a', FirstName: 'Jo', LastName: 'Smith', Email: 'jo@example.com', Phone: '0255501' },
  {
    Reference: 'b',
    FirstName: 'Joanna',
    LastName: 'Goldsmith',
    Email: 'Joanna@Example.com',
    Phone: '0255502',
  },
  { Reference: 'b', FirstName: 'Ann', LastName: 'Li', Email: 'ann@example.org' },
  { Reference: 'd', FirstName: 'Søren', LastName: 'Ærø', Email: 'jo@example.com' },
  { FirstName: 'Zoe' },
];

/** Five customers, a minute apart; named by their places in the list. */
async function setup() {
  const api = client(testSandbox());
  const ids: unknown[] = [];
  for (const person of PEOPLE) {
    const made = await api.post('/customer/card', storing({ ...person }));
    ids.push(made.body['CustomerId']);
    await api.advance('1m');
  }
  return { api, ids, ...searchesIn(api, '/customer', 'Customers', 'CustomerId', ids) };
}

describe('GET /customer', () => {
  test('answers all, newest first, with the page and the number of matches', async () => {
    const { found, search } = await setup();
    const answer = await search('');
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['Limit', 'Skip', 'Count', 'Customers']);
    expect(answer.body).toMatchObject({ Limit: 100, Skip: 0, Count: 5 });
    expect(found(answer)).toEqual([4, 3, 2, 1, 0]);
  });

  test('shows a customer as it is read by its identifier', async () => {
    const { api, search } = await setup();
    const [shown] = (await search('?Reference=a')).body['Customers'] as { CustomerId: string }[];
    expect(await api.read(`/customer/${shown?.CustomerId}`)).toEqual(shown);
  });

  findsEach(setup, [
    ['?Reference=a', [0]],
    ['?Reference=b', [2, 1]],
    ['?Reference=B', []],
    ['?Reference=', []],
    ['?Email=jo%40example.com', [3, 0]],
    ['?Email=JOANNA%40EXAMPLE.COM', [1]],
    ['?Email=jo', []],
    ['?Email=jo@example.com&Reference=d', [3]],
    ['?Email=JO@example.com&Reference=b', []],
    ['?Name=jo', [1, 0]],
    ['?Name=SMITH', [1, 0]],
    ['?Name=jo+smith', [0]],
    ['?Name=o%20S', [0]],
    ['?Name=Smith+Jo', []],
    ['?Name=%C3%86R', [3]],
    ['?Name=zoe', [4]],
    ['?Search=smith', [1, 0]],
    ['?Search=EXAMPLE.ORG', [2]],
    ['?Search=02555', [1, 0]],
    ['?Search=d', [3, 1]],
    ['?Name=jo&Search=0255502', [1]],
    ['?Name=jo&Email=jo@example.com', [0]],
    [`?AddedAfter=${after(60_000)}`, [4, 3, 2]],
    [`?AddedBefore=${after(60_000)}`, [0]],
    [`?AddedAfter=${after(59_999)}&AddedBefore=${after(180_001)}`, [3, 2, 1]],
    [`?AddedAfter=${after(180_000)}&AddedBefore=${after(60_000)}`, []],
    ['?AddedAfter=2026-01-01T02:01:00+02:00', [4, 3, 2]],
    ['?AddedAfter=2026-01-01T02:01:00%2B02:00', [4, 3, 2]],
    [`?Reference=b&AddedAfter=${after(60_000)}`, [2]],
    [`?Name=jo&AddedBefore=${after(60_000)}`, [0]],
    ['?SortBy=Date', [0, 1, 2, 3, 4]],
    ['?SortBy=-Date', [4, 3, 2, 1, 0]],
    ['?sortby=date&name=JO', [0, 1]],
    ['?REFERENCE=a', [0]],
    ['?', [4, 3, 2, 1, 0]],
  ]);

  pagesEach(setup, [
    ['?Limit=2', { Limit: 2, Skip: 0, Count: 5 }, [4, 3]],
    ['?Limit=2&Skip=2', { Limit: 2, Skip: 2, Count: 5 }, [2, 1]],
    ['?Limit=2&Skip=4', { Limit: 2, Skip: 4, Count: 5 }, [0]],
    ['?Skip=5', { Limit: 100, Skip: 5, Count: 5 }, []],
    ['?Skip=4294967295', { Limit: 100, Skip: 4294967295, Count: 5 }, []],
    ['?Limit=500', { Limit: 500, Skip: 0, Count: 5 }, [4, 3, 2, 1, 0]],
    ['?Limit=1&Skip=1&SortBy=Date', { Limit: 1, Skip: 1, Count: 5 }, [1]],
    ['?Limit=1&Name=jo', { Limit: 1, Skip: 0, Count: 2 }, [1]],
    ['?Limit=1&Skip=1&Name=jo', { Limit: 1, Skip: 1, Count: 2 }, [0]],
  ]);

  refusesFilters(
    setup,
    words`
    Limit=0 Limit=501 Limit=-1 Limit=1.5 Limit= Limit=x Skip=-1 Skip=x AddedAfter=yesterday
    AddedBefore=2026-02-30T00:00:00Z SortBy=Name Reference=a&Reference=b Limit=1&limit=2
    `,
  );

  test('ignores a filter that it does not know, and says what was probably meant', async () => {
    const { search } = await setup();
    const answer = await search('?Referense=a&Colour=red');
    expect(answer.body['Count']).toBe(5);
    const warning = warningOf(answer);
    expect(warning).toContain('"Referense" (did you mean Reference?)');
    expect(warning).toContain('Colour');
  });

  test('refuses a filter that it does not know in strict mode', async () => {
    const api = client(testSandbox({ strict: true }));
    const answer = await api.get('/customer?Referense=a');
    expectRefused(answer, 400, 90);
    expect(answer.body['Details']).toEqual({ Referense: 'unknown filter; did you mean Reference?' });
  });

  test('finds nothing in an empty world', async () => {
    const answer = await client(testSandbox()).get('/customer?Email=jo@example.com');
    expect(answer.body).toEqual({ Limit: 100, Skip: 0, Count: 0, Customers: [] });
  });

  test.each<[query: string, found: number[]]>([
    ['?CustomerId={2}', [2]],
    ['?PaymentMethodId={method of 1}', [1]],
    ['?CustomerId={2}&Reference=b', [2]],
    ['?CustomerId={2}&Reference=a', []],
    ['?CustomerId={2}&PaymentMethodId={method of 1}', []],
    ['?CustomerId={0}&Email=JO@example.com', [0]],
    ['?CustomerId={0}&Email=ann@example.org', []],
    ['?PaymentMethodId={method of 1}&Email=joanna@example.com&Reference=b&Name=gold', [1]],
    [`?CustomerId={2}&AddedAfter=${after(120_000)}`, []],
    ['?CustomerId=0123456789abcdef0123456789abcdef', []],
    ['?PaymentMethodId=x', []],
    ['?CustomerId={2}&Limit=1&Skip=1', []],
  ])('finds by identifier with %s', async (query, expected) => {
    const { api, ids, found, search } = await setup();
    const { body } = await api.get(`/customer/${String(ids[1])}`);
    const { PaymentMethodId } = body['DefaultPaymentMethod'] as { PaymentMethodId: string };
    const sent = query
      .replace('{method of 1}', PaymentMethodId)
      .replaceAll(/\{(\d)\}/g, (_, n: string) => String(ids[Number(n)]));
    expect(found(await search(sent))).toEqual(expected);
  });

  test('finds no customer by a method that stands alone', async () => {
    const { api, search } = await setup();
    const made = await api.post('/payment_method/card', storing());
    const answer = await search(`?PaymentMethodId=${String(made.body['PaymentMethodId'])}`);
    expect(answer.body['Count']).toBe(0);
  });

  test.each<[query: string, found: number[]]>([
    ['', [4, 2, 1]],
    ['?IncludeRemoved=false', [4, 2, 1]],
    ['?IncludeRemoved=True', [4, 3, 2, 1, 0]],
    ['?includeremoved=TRUE&Limit=2', [4, 3]],
    ['?Reference=a', []],
    ['?Reference=a&IncludeRemoved=true', [0]],
    ['?CustomerId={0}', []],
    ['?CustomerId={0}&IncludeRemoved=true', [0]],
    ['?PaymentMethodId={method of 0}&IncludeRemoved=true', [0]],
    ['?Name=jo', [1]],
    ['?Name=jo&IncludeRemoved=true', [1, 0]],
    ['?Email=jo@example.com&IncludeRemoved=true', []],
    ['?Email=deleted', []],
    ['?Email=Deleted&IncludeRemoved=true', [3, 0]],
    ['?Search=0255501&IncludeRemoved=true', []],
  ])('leaves out removed customers unless they are asked for: %s', async (query, expected) => {
    const { api, ids, found, search } = await setup();
    const { body } = await api.get(`/customer/${String(ids[0])}`);
    const { PaymentMethodId } = body['DefaultPaymentMethod'] as { PaymentMethodId: string };
    for (const n of [0, 3]) await good(api.del(`/customer/${String(ids[n])}`));
    const answer = await search(
      query.replace('{method of 0}', PaymentMethodId).replace('{0}', String(ids[0])),
    );
    expect(found(answer)).toEqual(expected);
    if (!query.includes('Limit')) expect(answer.body['Count']).toBe(expected.length);
  });

  test('finds a live customer whose address reads like that of removed ones', async () => {
    const { api, ids, found, search } = await setup();
    await api.put(`/customer/${String(ids[1])}`, { Email: 'deleted' });
    await api.del(`/customer/${String(ids[0])}`);
    expect(found(await search('?Email=deleted'))).toEqual([1]);
  });

  test.each(['IncludeRemoved=1', 'IncludeRemoved=', 'IncludeRemoved=yes'])(
    'refuses %s, which is not a flag',
    async (query) => {
      const { search } = await setup();
      const answer = await search(`?${query}`);
      expectRefused(answer, 400, 90);
      expect(answer.body['Details']).toEqual({
        IncludeRemoved: `must be true or false, not "${query.slice('IncludeRemoved='.length)}"`,
      });
    },
  );
});
