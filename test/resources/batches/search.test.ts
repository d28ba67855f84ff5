import { describe, expect, test } from 'vitest';
import { after } from '../../support/stored.js';
import { batchOf } from '../../support/bodies.js';
import { setup } from './support.js';
import { warningOf } from '../../support/sandbox.js';
import { findsEach, pagesEach, refusesFilters, searchesIn } from '../../support/searches.js';

const PATH = '/batch/transaction/payment_method';

/** Three batches, a minute apart, named by their places. */
async function made() {
  const { api, method } = setup();
  const ids: unknown[] = [];
  for (const [Description, more] of [
    ['rent', { Metadata: { run: '1' } }],
    ['wages', {}],
    ['rent', {}],
  ] as const) {
    const batch = batchOf([`${method()},1,AUD,a`, 'nobody,1,AUD,b'], { Description, ...more });
    ids.push((await api.post(PATH, batch)).body['BatchId']);
    await api.advance('1m');
  }
  return { api, method, ids, ...searchesIn(api, '/batch', 'Batches', 'BatchId', ids) };
}

describe('GET /batch', () => {
  test('answers all, newest first, without their rows and how those ended', async () => {
    const { ids, search } = await made();
    const answer = await search('');
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['Limit', 'Skip', 'Count', 'Batches']);
    expect(answer.body).toMatchObject({ Limit: 100, Skip: 0, Count: 3 });
    const shown = answer.body['Batches'] as object[];
    expect(shown).toHaveLength(3);
    expect(shown[2]).toEqual({
      BatchId: ids[0],
      Count: 2,
      Description: 'rent',
      Status: 'SUCCESS',
      Progress: 1,
      DateAdded: after(0),
      Metadata: { run: '1' },
    });
  });

  test('shows how far a batch is', async () => {
    const { api, method, search } = await made();
    await api.post(PATH, batchOf([`${method()},1,AUD,a`, `${method()},1,AUD,b`]));
    const newest = async (): Promise<unknown> => ((await search('?Limit=1')).body['Batches'] as object[])[0];
    expect(await newest()).toMatchObject({ Status: 'RECEIVED', Progress: 0 });
    await api.advance('2100ms');
    expect(await newest()).toMatchObject({ Status: 'IN_PROGRESS', Progress: 0.5 });
    await api.advance('1m');
    expect(await newest()).toMatchObject({ Status: 'SUCCESS', Progress: 1 });
  });

  findsEach(made, [
    ['?Description=rent', [2, 0]],
    ['?description=wages', [1]],
    ['?Description=ren', []],
    ['?Description=RENT', []],
    ['?Description=', []],
    [`?AddedAfter=${after(0)}`, [2, 1]],
    [`?AddedBefore=${after(120_000)}`, [1, 0]],
    [`?Description=rent&AddedAfter=${after(0)}`, [2]],
    ['?', [2, 1, 0]],
  ]);

  pagesEach(made, [
    ['?limit=1&description=rent', { Limit: 1, Skip: 0, Count: 2 }, [2]],
    ['?Limit=1&Skip=1', { Limit: 1, Skip: 1, Count: 3 }, [1]],
    ['?Skip=3', { Limit: 100, Skip: 3, Count: 3 }, []],
  ]);

  refusesFilters(made, [
    'Limit=0',
    'Limit=501',
    'Skip=x',
    'AddedAfter=x',
    'AddedBefore=x',
    'Limit=1&Limit=2',
  ]);

  test('warns of a filter that it does not know', async () => {
    const { search } = await made();
    const answer = await search('?SortBy=Date');
    expect(answer.body['Count']).toBe(3);
    expect(warningOf(answer)).toContain('SortBy');
  });
});
