import { describe, expect, test } from 'vitest';

import { client, testSandbox } from '../../support/sandbox.js';
import { AMOUNTS, cardOf, STEADY } from '../../support/bodies.js';
import { after, expectRefused, NOW, SHOWN_CARD, textIn } from '../../support/stored.js';
import { words } from '../../support/tables.js';
import { MAGIC_TOKEN_NAMES } from '../../../src/outcomes/magic-tokens.js';
import { findsEach, pagesEach, refusesFilters, searchesIn } from '../../support/searches.js';

/** How many magic tokens follow those that were made. */
const MAGIC = MAGIC_TOKEN_NAMES.length;
const USABLE = MAGIC - 2;
const magic = Array.from({ length: MAGIC }, (_, i) => 4 + i);

/** Four tokens a minute apart, named by their places: one used, one expired, two active, the last at another provider. */
async function setup() {
  const api = client(testSandbox({ tokenTtl: 150_000 }));
  const ids: string[] = [];
  for (const providerid of [STEADY, STEADY, STEADY, AMOUNTS]) {
    if (ids.length > 0) await api.advance('1m');
    const body = { PaymentInformation: cardOf(), Metadata: { n: String(ids.length) } };
    ids.push(textIn(await api.post('/token/card', body, { providerid }), 'TokenId'));
    // The first one expires with the fourth.
    if (ids.length === 2) await api.post('/charge/token', { Amount: 1, Token: ids[1] });
  }
  const all = [...ids, ...MAGIC_TOKEN_NAMES];
  return { api, ids, ...searchesIn(api, '/token', 'Tokens', 'TokenId', all) };
}

describe('GET /token/{id}', () => {
  test('answers what is known of a token, and when it was used', async () => {
    const { api, ids } = await setup();
    const fresh = await api.get(`/token/${ids[2]}`);
    expect([fresh.status, fresh.body]).toEqual([
      200,
      {
        TokenId: ids[2],
        GatewayTokenId: null,
        AccountId: null,
        UserId: null,
        Type: 'CARD',
        Card: SHOWN_CARD,
        Provider: { ProviderId: STEADY, Type: 'dummy', Name: 'steady' },
        DateAdded: after(120_000),
        DateUsed: null,
        PayToStatus: null,
        Metadata: { n: '2' },
        ClickToPay: null,
      },
    ]);
    expect((await api.read(`/token/${ids[1]}`))['DateUsed']).toBe(after(60_000));
  });

  test.each(['tok_approve', 'tok_insufficient_funds', 'tok_approve%7Cdo_not_honor'])(
    'answers the magic token %s, which is always fresh',
    async (id) => {
      const { api } = await setup();
      await api.post('/charge/token', { Amount: 1, Token: decodeURIComponent(id) });
      expect(await api.read(`/token/${id}`)).toEqual({
        TokenId: decodeURIComponent(id),
        GatewayTokenId: null,
        AccountId: null,
        UserId: null,
        Type: 'CARD',
        Card: { ...SHOWN_CARD, Cardholder: null, ExpiryDate: '12/99' },
        Provider: { ProviderId: STEADY, Type: 'dummy', Name: 'steady' },
        DateAdded: '1970-01-01T00:00:00.000Z',
        DateUsed: null,
        PayToStatus: null,
        Metadata: null,
        ClickToPay: null,
      });
    },
  );

  test('answers tok_used as used and tok_expired as not', async () => {
    const { api } = await setup();
    expect((await api.read('/token/tok_used'))['DateUsed']).toBe('1970-01-01T00:00:00.000Z');
    expect((await api.read('/token/tok_expired'))['DateUsed']).toBeNull();
  });

  test.each(['0123456789abcdef0123456789abcdef', 'tok_nonsense', 'tok_', 'x'])(
    '%s is unknown: 404',
    async (id) => {
      const { api } = await setup();
      expectRefused(await api.get(`/token/${id}`), 404, 87);
    },
  );
});

describe('GET /token', () => {
  test('answers all, newest first, with the page and the number of matches', async () => {
    const { api, ids, found } = await setup();
    const answer = await api.get('/token');
    expect(answer.body).toMatchObject({ Limit: 100, Skip: 0, Count: 4 + MAGIC });
    expect(Object.keys(answer.body)).toEqual(['Limit', 'Skip', 'Count', 'Tokens']);
    expect(found(answer)).toEqual([3, 2, 1, 0, ...magic].slice(0, 100));
    const [newest] = answer.body['Tokens'] as unknown[];
    expect(newest).toEqual(await api.read(`/token/${ids[3]}`));
  });

  findsEach(setup, [
    [`?ProviderId=${AMOUNTS}`, [3]],
    ['?Limit=500&providerid=00000000-0000-0000-0000-000000000001', [2, 1, 0, ...magic]],
    ['?Status=ACTIVE&Limit=500', [3, 2, ...magic.slice(0, USABLE)]],
    ['?Status=used', [1, 4 + USABLE]],
    ['?Status=EXPIRED', [0, 5 + USABLE]],
    [`?Status=ACTIVE&ProviderId=${AMOUNTS}`, [3]],
    [`?AddedAfter=${NOW}`, [3, 2, 1]],
    [`?AddedBefore=${after(120_000)}&Limit=500`, [1, 0, ...magic]],
    [`?AddedAfter=${NOW}&AddedBefore=${after(120_000)}`, [1]],
    ['?SortBy=Date&Limit=500', [...magic.toReversed(), 0, 1, 2, 3]],
    ['?SortBy=-Date&Limit=500', [3, 2, 1, 0, ...magic]],
  ]);

  pagesEach(setup, [
    ['?Limit=2&Skip=1', { Limit: 2, Skip: 1, Count: 4 + MAGIC }, [2, 1]],
    ['?Limit=3&Skip=3', { Limit: 3, Skip: 3, Count: 4 + MAGIC }, [0, 4, 5]],
    ['?Skip=900', { Limit: 100, Skip: 900, Count: 4 + MAGIC }, []],
    ['?Status=ACTIVE&Limit=1', { Limit: 1, Skip: 0, Count: 2 + USABLE }, [3]],
  ]);

  refusesFilters(
    setup,
    words`
    Status=PENDING ProviderId=x AddedAfter=yesterday Limit=0 Limit=501 SortBy=Amount
    `,
  );
});
