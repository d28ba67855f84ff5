import { describe, expect, test } from 'vitest';

import { Journal } from '../../src/journal/journal.js';
import { WAITERS_MAX } from '../../src/journal/completed-call.js';
import { exchanged, journalOf, patience } from './support.js';

describe('a wait', () => {
  test('ends at once where enough entries are there', async () => {
    const journal = journalOf({}, { status: 400 }, {});
    const awaited = await journal.waitForEntries({ status: 200 }, 2, patience());
    expect(awaited).toMatchObject({ enough: true, count: 2, entries: [{ id: 3 }, { id: 1 }] });
  });

  test('ends with the entry that makes it enough, and counts those before', async () => {
    const journal = journalOf({}, { status: 400 });
    const timer = patience();
    const awaited = journal.waitForEntries({ status: 200 }, 3, timer);
    for (const status of [200, 400, 200, 200]) journal.record(exchanged({ status }));
    expect(timer.cancelled).toBe(true);
    expect(await awaited).toMatchObject({
      enough: true,
      count: 3,
      entries: [{ id: 5 }, { id: 3 }, { id: 1 }],
    });
  });

  test('times out, and lists the nearest three and what differs', async () => {
    const journal = journalOf(
      { method: 'GET', path: '/charge', operation: 'charge.search', requestBody: null },
      { requestBody: { Amount: 5, Metadata: { order: '7' } }, status: 400 },
      { requestBody: { Amount: 6, Metadata: { order: '8' } } },
      { requestBody: { Amount: 5 } },
    );
    const timer = patience();
    const match = { path: '/charge/*', status: 200, body: { Amount: 5, Metadata: { order: '8' } } };
    const awaited = journal.waitForEntries(match, 1, timer);
    timer.fire();
    const result = await awaited;
    expect(result).toMatchObject({ enough: false, count: 0 });
    const nearest = result.enough ? [] : result.nearest;
    expect(nearest.map(({ entry, differences }) => [entry.id, differences])).toEqual([
      [4, [{ field: 'Body.Metadata.order', wanted: '8', found: null }]],
      [3, [{ field: 'Body.Amount', wanted: 5, found: 6 }]],
      [
        2,
        [
          { field: 'Status', wanted: 200, found: 400 },
          { field: 'Body.Metadata.order', wanted: '8', found: '7' },
        ],
      ],
    ]);
  });

  test('shows no key of a reference that differs, and finds one by it', async () => {
    const journal = journalOf({ reference: 'sk_live_4f9a8b7c' });
    expect(journal.count({ reference: 'sk_live_4f9a8b7c' }).count).toBe(1);
    const timer = patience();
    const awaited = journal.waitForEntries({ reference: 'order-2' }, 1, timer);
    timer.fire();
    expect(await awaited).toMatchObject({
      nearest: [{ differences: [{ wanted: 'order-2', found: 'sk_***' }] }],
    });
  });

  test('counts the calls if there were too few, and lists only others as near', async () => {
    const journal = journalOf({}, { status: 400 });
    const timer = patience();
    const awaited = journal.waitForEntries({ status: 200 }, 2, timer);
    timer.fire();
    expect(await awaited).toMatchObject({ count: 1, nearest: [{ entry: { id: 2 } }] });
  });

  test('is refused when the world ends meanwhile, and its timer is cancelled', async () => {
    const journal = new Journal();
    const timer = patience();
    const awaited = journal.waitForEntries({}, 1, timer);
    journal.close();
    await expect(awaited).rejects.toMatchObject({ httpStatus: 503, refusal: { code: 37 } });
    expect(timer.cancelled).toBe(true);
  });

  test.each([
    ['meanwhile', false],
    ['before it began', true],
  ])('ends when its caller has gone %s, and its timer and place are given up', async (_, early) => {
    const journal = journalOf({ status: 400 });
    const gone = new AbortController();
    if (early) gone.abort();
    const timer = patience();
    const waiting = Array.from({ length: WAITERS_MAX - 1 }, () =>
      journal.waitForEntries({ status: 500 }, 1, patience()),
    );
    const awaited = journal.waitForEntries({ status: 400 }, 2, { ...timer, signal: gone.signal });
    gone.abort();
    expect(await awaited).toEqual({ enough: false, count: 1, nearest: [] });
    expect(() => journal.waitForEntries({ status: 500 }, 1, patience())).not.toThrow();
    expect(() => journal.waitForEntries({ status: 500 }, 1, patience())).toThrow(/At most 100/);
    journal.record(exchanged({ status: 500 }));
    expect(await Promise.all(waiting)).toHaveLength(WAITERS_MAX - 1);
  });

  test('sees no card number in what is wanted either', async () => {
    const journal = journalOf({ requestBody: { CardNumber: '4111111111111111' } });
    const timer = patience();
    const awaited = journal.waitForEntries({ body: { CardNumber: '4242424242424242' } }, 1, timer);
    timer.fire();
    const text = JSON.stringify(await awaited);
    expect(text).toContain('4242********4242');
    expect(text).not.toContain('4242424242424242');
  });

  test(`is one of ${WAITERS_MAX} at most, and leaves its place when it ends`, async () => {
    const journal = new Journal();
    const waiting = Array.from({ length: WAITERS_MAX }, () => journal.waitForEntries({}, 1, patience()));
    expect(() => journal.waitForEntries({}, 1, patience())).toThrow(/At most 100/);
    journal.record(exchanged());
    await Promise.all(waiting);
    const timer = patience();
    const awaited = journal.waitForEntries({ status: 500 }, 1, timer);
    timer.fire();
    expect(await awaited).toMatchObject({ enough: false });
  });
});
