import { describe, expect, test } from 'vitest';

import { client, good, testSandbox, warningOf } from '../support/sandbox.js';
import { AMOUNTS, cardOf, STEADY } from '../support/bodies.js';
import { after, expectRefused, NOW, SHOWN_CARD, textIn } from '../support/stored.js';
import { words } from '../support/tables.js';
import { findsEach, pagesEach, refusesFilters, searchesIn } from '../support/searches.js';

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
  return { api, ids, ...searchesIn(api, '/token', 'Tokens', 'TokenId', ids) };
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

  test.each(['0123456789abcdef0123456789abcdef', 'tok_approve', 'x'])('%s is unknown: 404', async (id) => {
    const { api } = await setup();
    expectRefused(await api.get(`/token/${id}`), 404, 87);
  });
});

describe('GET /token', () => {
  test('answers all, newest first, with the page and the number of matches', async () => {
    const { api, ids, found } = await setup();
    const answer = await api.get('/token');
    expect(answer.body).toMatchObject({ Limit: 100, Skip: 0, Count: 4 });
    expect(Object.keys(answer.body)).toEqual(['Limit', 'Skip', 'Count', 'Tokens']);
    expect(found(answer)).toEqual([3, 2, 1, 0]);
    const [newest] = answer.body['Tokens'] as unknown[];
    expect(newest).toEqual(await api.read(`/token/${ids[3]}`));
  });

  findsEach(setup, [
    [`?ProviderId=${AMOUNTS}`, [3]],
    ['?providerid=00000000-0000-0000-0000-000000000001', [2, 1, 0]],
    ['?Status=ACTIVE', [3, 2]],
    ['?Status=used', [1]],
    ['?Status=EXPIRED', [0]],
    [`?Status=ACTIVE&ProviderId=${STEADY}`, [2]],
    [`?AddedAfter=${NOW}`, [3, 2, 1]],
    [`?AddedBefore=${after(120_000)}`, [1, 0]],
    [`?AddedAfter=${NOW}&AddedBefore=${after(120_000)}`, [1]],
    ['?SortBy=Date', [0, 1, 2, 3]],
    ['?SortBy=-Date', [3, 2, 1, 0]],
  ]);

  pagesEach(setup, [
    ['?Limit=2&Skip=1', { Limit: 2, Skip: 1, Count: 4 }, [2, 1]],
    ['?Skip=9', { Limit: 100, Skip: 9, Count: 4 }, []],
    ['?Status=ACTIVE&Limit=1', { Limit: 1, Skip: 0, Count: 2 }, [3]],
  ]);

  refusesFilters(
    setup,
    words`
    Status=PENDING ProviderId=x AddedAfter=yesterday Limit=0 Limit=501 SortBy=Amount
    `,
  );

  test('an unknown filter is a warning', async () => {
    const { api } = await setup();
    const answer = await good(api.get('/token?State=USED'));
    expect(warningOf(answer)).toContain('State (did you mean Status?)');
  });
});
