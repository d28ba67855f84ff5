import { describe, expect, test } from 'vitest';

import { IdentifierMap } from '../../../src/control/opening/identifier-map.js';
import { formatLines } from '../../../src/node/terminal/terminal.js';
import { diffAnswers, type DiffOptions, formatDifferences } from '../../../src/control/opening/diff.js';

const WHOLE = { recorded: false, replayed: false };

function shown(recorded: unknown, replayed: unknown, options: Partial<DiffOptions> = {}): string[] {
  const all = { ignored: new Set<string>(), cut: WHOLE, ...options };
  return formatDifferences(diffAnswers(recorded, replayed, new IdentifierMap(), all));
}

const [A, B] = ['a'.repeat(32), 'b'.repeat(32)];

describe('two answers', () => {
  test('are alike but for identifiers that correspond, and for when', () => {
    const answer = (id: string, date: string): object => ({
      ChargeId: id,
      Amount: 15.5,
      Refunds: [{ DateAdded: date, Comment: null }],
      Message: `See ${id}.`,
    });
    expect(shown(answer(A, '2026-01-01T00:00:00Z'), answer(B, '2030-01-01T00:00:00Z'))).toEqual([]);
  });

  test.each([
    [{ Amount: 15.5 }, { Amount: '15.5' }, ['Amount: 15.5 → "15.5"']],
    [{ Amount: 15.5 }, {}, ['Amount: 15.5 → absent']],
    [{}, { Amount: 15.5 }, ['Amount: absent → 15.5']],
    [{ Date: null }, { Date: '2026-01-01T00:00:00Z' }, ['Date: null → "2026-01-01T00:00:00Z"']],
    [{ A: { B: [1, 2] } }, { A: { B: [1, 3] } }, ['A.B.1: 2 → 3']],
    [{ A: [1] }, { A: [1, 2] }, ['A: 1 item → 2 items']],
    [{ A: [1] }, { A: { 0: 1 } }, ['A: [1] → {"0":1}']],
    [{ A: {} }, { A: null }, ['A: {} → null']],
    [{ A: 1 }, '***', ['body: {"A":1} → "***"']],
    [{ Results: 'h\na,1\nb,2\nc,3' }, { Results: 'h\na,1\nb,4\nc,3' }, ['Results.line 3: "b,2" → "b,4"']],
    [{ Results: 'h\na' }, { Results: 'h' }, [String.raw`Results: "h\na" → "h"`]],
    [{ constructor: 1 }, {}, ['constructor: 1 → absent']],
  ])('%j and %j differ in %j', (recorded, replayed, lines) => {
    expect(shown(recorded, replayed)).toEqual(lines);
  });

  test('are shown with what changed first, then what is new, then what is gone', () => {
    const recorded = { ChargeId: A, Status: 'SUCCESS', Amount: 5, Currency: 'AUD', Code: 1 };
    const replayed = { Code: 2, Message: 'no', Details: null, GatewayCode: null };
    expect(shown(recorded, replayed)).toEqual([
      'Code: 1 → 2',
      'Message: absent → "no"',
      'absent → null: Details, GatewayCode',
      'missing: ChargeId, Status, Amount, Currency',
    ]);
  });

  test('are not compared in fields that are ignored, at any depth', () => {
    const ignored = new Set(['Message', 'Refunds']);
    const recorded = { Message: 'a', Details: { Message: 'b' }, Refunds: [1, 2], Code: 1 };
    expect(shown(recorded, { Details: { Message: 'c' }, Refunds: [3], Code: 2 }, { ignored })).toEqual([
      'Code: 1 → 2',
    ]);
  });

  test('are compared up to where one of them was cut', () => {
    const [recorded, replayed] = [
      { A: 1, Text: `one,${A.slice(0, 9)}` },
      { A: 1, Text: `one,${B}`, B: [1] },
    ];
    expect(shown(recorded, replayed, { cut: { recorded: true, replayed: false } })).toEqual([]);
    expect(shown({ L: [1] }, { L: [1, 2] }, { cut: { recorded: true, replayed: false } })).toEqual([]);
    expect(shown({ L: [1, 2] }, { L: [1] }, { cut: { recorded: true, replayed: false } })).toEqual([
      'L: 2 items → 1 item',
    ]);
    expect(shown(replayed, recorded, { cut: { recorded: false, replayed: true } })).toEqual([]);
    expect(shown({ Text: 'two,x' }, { Text: 'one,y' }, { cut: { recorded: true, replayed: true } })).toEqual([
      'Text: "two," → "one,"',
    ]);
  });
});

describe('a difference', () => {
  test('of long texts is shown from a little before it', () => {
    const text = (end: string): string => `${'word '.repeat(40)}${end}`;
    expect(shown({ M: text('one') }, { M: text('two') })).toEqual([
      'M: …word word word word one" → …word word word word two"',
    ]);
  });

  test('shows no card number, and nothing that drives a terminal', () => {
    const lines = shown({ '\u001b[2J': 'x' }, { '\u001b[2J': '4539578763621486 \u202e\u0007' });
    expect(formatLines(lines)).toBe(`${String.raw`\u001b[2J: "x" → "4539********1486 \u202e\u0007"`}\n`);
  });

  test('is one of twenty that are shown at most', () => {
    const members = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`M${n}`, n]));
    const changed = Object.fromEntries(Object.keys(members).map((name) => [name, 'x']));
    const lines = shown(members, changed);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('and 10 more');
  });
});
