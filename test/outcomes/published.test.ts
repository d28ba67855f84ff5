import { readFileSync, writeFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { isTestAccount, isTestCard } from '../../src/outcomes/magic.js';
import { findOutcome } from '../../src/outcomes/outcomes.js';
import { presentTriggers } from '../../src/outcomes/published.js';

/** `npm run generate` writes what is published, to be read when it changes. */
const GENERATE = process.env['GENERATE'] === '1';
const FILE = new URL('published.txt', import.meta.url);

/** One row a line, with the name of its table, so that a change shows as the rows that changed. */
const textOf = (tables: object): string =>
  Object.entries(tables)
    .flatMap(([name, rows]: [string, unknown[]]) => rows.map((row) => `${name} ${JSON.stringify(row)}\n`))
    .join('');

describe('the published triggers', () => {
  test('are what was published before', () => {
    const published = textOf(presentTriggers());
    if (GENERATE) writeFileSync(FILE, published);
    expect(published).toBe(readFileSync(FILE, 'utf8'));
  });

  test('are taken by the names and numbers that are published', () => {
    const { Outcomes, Cards, Accounts, Providers } = presentTriggers();
    for (const row of Outcomes) expect(findOutcome(row.Outcome)?.code).toBe(row.Code);
    for (const row of Cards) expect(isTestCard(row.CardNumber)).toBe(true);
    for (const row of Accounts) expect(isTestAccount(row.AccountNumber)).toBe(true);
    for (const row of Providers) expect(row.ProviderId.slice(0, -4)).toBe('0'.repeat(28));
  });
});
