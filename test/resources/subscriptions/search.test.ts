import { describe, expect, test } from 'vitest';
import { after } from '../../support/stored.js';
import { monthly, setup, subscribed } from './support.js';
import { words } from '../../support/tables.js';
import { findsEach, pagesEach, refusesFilters, searchesIn } from '../../support/searches.js';

/** Four subscriptions, a minute apart, named by their places. */
async function made() {
  const { api, method } = await setup();
  const ids: string[] = [];
  const start = { StartDate: '2026-06-01T00:00:00Z' };
  for (const more of [
    { Amount: 10 },
    { Amount: 200.5, Currency: 'USD' },
    { Amount: 1000, Currency: 'JPY' },
    { Amount: 0.5 },
  ]) {
    ids.push((await subscribed(api, monthly(method, { ...start, ...more }))).split('/')[2] ?? '');
    await api.advance('1m');
  }
  await api.del(`/subscription/${ids[0]}`);
  await api.put(`/subscription/${ids[1]}/status`, { Status: 'Suspended' });
  return { api, ids, ...searchesIn(api, '/subscription', 'Subscriptions', 'SubscriptionId', ids) };
}

describe('GET /subscription', () => {
  test('answers all, newest first, each as it reads by itself', async () => {
    const { api, ids, search } = await made();
    const answer = await search('');
    expect(answer.status).toBe(200);
    const shown = await Promise.all(ids.map(async (id) => await api.read(`/subscription/${id}`)));
    expect(answer.body).toEqual({ Limit: 100, Skip: 0, Count: 4, Subscriptions: shown.toReversed() });
  });

  findsEach(made, [
    ['?AmountGreaterThan=10', [2, 1]],
    ['?AmountGreaterThan=9.99', [2, 1, 0]],
    ['?AmountLessThan=10', [3]],
    ['?amountgreaterthan=200.4&amountlessthan=200.6', [1]],
    ['?Currency=AUD', [3, 0]],
    ['?Status=Active', [3, 2]],
    ['?status=suspended', [1]],
    ['?Status=Cancelled', [0]],
    ['?Status=Complete', []],
    ['?Status=Active&Currency=JPY', [2]],
    [`?AddedAfter=${after(60_000)}`, [3, 2]],
    [`?AddedBefore=${after(60_000)}`, [0]],
    [`?AddedAfter=${after(0)}&AddedBefore=${after(180_000)}`, [2, 1]],
    ['?SortBy=Date', [0, 1, 2, 3]],
    ['?SortBy=-Date', [3, 2, 1, 0]],
    ['?SortBy=Status', [3, 2, 0, 1]],
    ['?SortBy=-Status', [1, 0, 3, 2]],
    ['?SortBy=Currency', [3, 0, 2, 1]],
    ['?sortby=-currency', [1, 2, 3, 0]],
  ]);

  pagesEach(made, [
    ['?Limit=1&Skip=1', { Limit: 1, Skip: 1, Count: 4 }, [2]],
    ['?Limit=2&SortBy=Currency', { Limit: 2, Skip: 0, Count: 4 }, [3, 0]],
    ['?Limit=1&Skip=1&Currency=AUD', { Limit: 1, Skip: 1, Count: 2 }, [0]],
    ['?Skip=9', { Limit: 100, Skip: 9, Count: 4 }, []],
  ]);

  refusesFilters(
    made,
    words`
    AmountGreaterThan=x AmountLessThan=-1 Currency=XXX Status=Paused SortBy=Amount Limit=0 AddedAfter=x
    `,
  );
});
