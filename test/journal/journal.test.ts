import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';

import { Budget } from '../../src/core/limits/budget.js';
import { Journal } from '../../src/journal/journal.js';
import { matchesPathGlob, type Match } from '../../src/journal/match.js';
import { parseBodyText, JOURNAL_ENTRIES_MAX } from '../../src/journal/completed-call.js';
import { exchanged, found, journalOf, newestFirst } from './support.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const ids = (journal: Journal): number[] => newestFirst(journal).map((entry) => entry.id);

describe('a journal', () => {
  test('lists the newest first', () => {
    expect(ids(journalOf({}, {}, {}, {}, {}))).toEqual([5, 4, 3, 2, 1]);
  });

  test('makes room by forgetting the oldest, and says how many', () => {
    const journal = new Journal();
    for (let i = 0; i < JOURNAL_ENTRIES_MAX + 3; i++) journal.record(exchanged());
    expect([journal.size, journal.evicted]).toEqual([JOURNAL_ENTRIES_MAX, 3]);
    expect(ids(journal).at(0)).toBe(JOURNAL_ENTRIES_MAX + 3);
    expect(ids(journal).at(-1)).toBe(4);
  });

  test('finds the oldest of all entries by a text, with pauses', async () => {
    const journal = new Journal();
    for (let i = 0; i < JOURNAL_ENTRIES_MAX; i++)
      journal.record(exchanged({ reference: null, path: `/charge/${i}-x` }));
    let pauses = 0;
    const entries: number[] = [];
    const pause = (): Promise<void> => {
      pauses++;
      return Promise.resolve();
    };
    for await (const { id } of journal.search({}, '/CHARGE/0-X', pause)) entries.push(id);
    expect(entries).toEqual([1]);
    expect(pauses).toBeGreaterThan(20);
  });

  test('forgets earlier where bodies are large', () => {
    const bytesMax = 10 * 1024 * 1024;
    const journal = new Journal(1, new Budget(bytesMax));
    const body = { Note: 'x'.repeat(16_000) };
    for (let i = 0; i < JOURNAL_ENTRIES_MAX; i++)
      journal.record(exchanged({ requestBody: body, responseBody: body, query: body.Note }));
    expect(journal.bytes).toBeLessThanOrEqual(bytesMax);
    expect(journal.size + journal.evicted).toBe(JOURNAL_ENTRIES_MAX);
    expect(journal.evicted).toBeGreaterThan(0);
  });

  test('gives each text back as it came, however many follow it', () => {
    const journal = new Journal();
    const noteOf = (n: number): string =>
      `${n}: Zoë, 東京 🃏 ${'x'.repeat(n === 12_900 ? 12_000 : Math.abs(n) % 700)}`;
    for (let n = 1; n <= 13_000; n++) {
      const responseBody = n % 2 === 0 ? { Note: noteOf(-n) } : null;
      journal.record(exchanged({ requestBody: { Note: noteOf(n) }, responseBody }));
      if (n === 1_500) journal.shrink(journal.bytes / 2);
    }
    const entries = [...journal.entries()];
    expect(entries).toHaveLength(JOURNAL_ENTRIES_MAX);
    for (const { id, request, answer } of entries) {
      expect(parseBodyText(request)).toEqual({ Note: noteOf(id) });
      expect(answer).toEqual(id % 2 === 0 ? { Note: noteOf(-id) } : null);
    }
  });

  test('changes no entry that somebody still holds', () => {
    const journal = journalOf({ requestBody: { Note: 'first' }, path: '/first' });
    const [held] = journal.entries();
    for (let n = 0; n < 3 * JOURNAL_ENTRIES_MAX; n++) journal.record(exchanged({ path: '/later' }));
    expect(held).toMatchObject({ id: 1, path: '/first', request: '{"Note":"first"}' });
  });

  test('clears, while numbers go on, also in the journal that comes after it', () => {
    const journal = journalOf({}, {});
    journal.clear();
    expect([journal.size, journal.evicted, journal.bytes]).toEqual([0, 0, 0]);
    journal.record(exchanged());
    expect(ids(journal)).toEqual([3]);
    const next = new Journal(journal.nextId);
    next.record(exchanged());
    expect(ids(next)).toEqual([4]);
  });

  test('does not grow with the number of requests', () => {
    const journal = new Journal();
    const recordMany = (count: number): number => {
      for (let i = 0; i < count; i++) {
        const card = { CardNumber: '4242424242424242', Ccv: '123', Cardholder: `holder of the card ${i}` };
        const requestBody = { Amount: i, Reference: `order-${i}`, PaymentInformation: card };
        journal.record(
          exchanged({ requestBody, responseBody: { ChargeId: `charge-${i}`, Reference: `order-${i}` } }),
        );
      }
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = recordMany(JOURNAL_ENTRIES_MAX);
    const after = recordMany(2 * JOURNAL_ENTRIES_MAX);
    expect(after - before).toBeLessThan(4 * 1024 * 1024);
    expect(journal.size).toBe(JOURNAL_ENTRIES_MAX);
    expect(journal.bytes).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('a count', () => {
  const overfull = (at: (i: number) => number): Journal => {
    const journal = new Journal();
    for (let i = 0; i <= JOURNAL_ENTRIES_MAX; i++) journal.record(exchanged({ at: at(i) }));
    return journal;
  };

  test('is complete while nothing had to make room', () => {
    expect(journalOf({}, { status: 400 }).count({ status: 400 })).toEqual({ count: 1, incomplete: false });
  });

  test('is incomplete once an entry that may have fitted is gone', () => {
    const journal = overfull(() => 1_000);
    expect(journal.count({})).toEqual({ count: JOURNAL_ENTRIES_MAX, incomplete: true });
    expect(journal.count({ since: 1_000 }).incomplete).toBe(true);
  });

  test('is complete again after the last one that is gone, and once the journal was cleared', () => {
    const journal = overfull((i) => i);
    expect(journal.count({ since: 0 }).incomplete).toBe(true);
    expect(journal.count({ since: 1 })).toEqual({ count: JOURNAL_ENTRIES_MAX, incomplete: false });
    journal.clear();
    expect(journal.count({})).toEqual({ count: 0, incomplete: false });
  });
});

describe('a match', () => {
  const journal = journalOf(
    {
      requestBody: { Amount: 5, Metadata: { a: 'x', b: 'y' }, Tags: ['p', 'q'], Note: null },
      reference: 'order-1',
    },
    {
      method: 'GET',
      path: '/charge/c-1',
      operation: 'charge.read',
      requestBody: null,
      reference: null,
      at: 1_001,
    },
    {
      status: 400,
      trigger: 'card:4000000000009995',
      requestBody: { Amount: '5' },
      reference: 'order-3',
      at: 1_002,
    },
    {
      method: 'DELETE',
      path: '/vault/v-1',
      operation: 'vault.delete',
      status: 0,
      fault: 'reset',
      at: 1_003,
      requestBody: { PaymentInformation: { CardNumber: '4242424242424242', Ccv: '123' } },
    },
  );

  test.each<[string, Match, number[]]>([
    ['nothing asked', {}, [4, 3, 2, 1]],
    ['nothing but nulls', { operation: null, status: null, body: null }, [4, 3, 2, 1]],
    ['an operation', { operation: 'charge.create' }, [3, 1]],
    ['a method, in any case', { method: 'get' }, [2]],
    ['a path', { path: '/charge/card' }, [3, 1]],
    ['a pattern of paths', { path: '/charge/*' }, [3, 2, 1]],
    ['a status', { status: 400 }, [3]],
    ['no answer', { status: 0 }, [4]],
    ['a trigger', { trigger: 'card:4000000000009995' }, [3]],
    ['a reference', { reference: 'order-3' }, [3]],
    ['an instant', { since: 1_002 }, [4, 3]],
    ['two members', { since: 1_001, operation: 'charge.create' }, [3]],
    ['a member of the body', { body: { Amount: 5 } }, [1]],
    ['a member within a member', { body: { Metadata: { b: 'y' } } }, [1]],
    ['any object', { body: { Metadata: {} } }, [1]],
    ['a whole list', { body: { Tags: ['p', 'q'] } }, [1]],
    ['a part of a list', { body: { Tags: ['p'] } }, []],
    ['an absent member', { body: { Metadata: null } }, [4, 3, 2]],
    ['an absent member within one', { body: { Metadata: { c: 'z' } } }, []],
    ['a card number', { body: { PaymentInformation: { CardNumber: '4242 4242 4242 4242' } } }, [4]],
    ['another card number', { body: { PaymentInformation: { CardNumber: '4111111111111111' } } }, []],
  ])('of %s', async (_, match, expected) => {
    expect((await found(journal, match)).map(({ id }) => id)).toEqual(expected);
    expect(journal.count(match).count).toBe(expected.length);
  });

  test.each([
    ['/charge/*', '/charge/', true],
    ['/charge/*', '/charge', false],
    ['*', '', true],
    ['*/refund', '/charge/1/refund', true],
    ['/charge/*/refund', '/charge/refund', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['ab*ba', 'aba', false],
    ['a**b', 'ab', true],
    ['(a+)+$', 'aaaa', false],
  ])('of the pattern %s and the path %s: %s', (pattern, path, expected) => {
    expect(matchesPathGlob(path, pattern)).toBe(expected);
  });
});
