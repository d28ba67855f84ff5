import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { BATCHES } from './batches.js';
import { CHARGES } from './charges.js';
import { ENDPOINTS } from './endpoints.js';
import { countProved, exceptionsOf, expectStatements, type Proofs } from './proof.js';
import { RESOURCES } from './resources.js';
import { RULES } from './rules.js';
import { SERVICE } from './service.js';
import { STATES } from './states.js';

/**
 * Walks the specification line by line: each line that states something is a test, named by the line, that proves it.
 * `--reporter verbose` prints them.
 */

const FILES: readonly Proofs[] = [SERVICE, CHARGES, RESOURCES, BATCHES, STATES, ENDPOINTS, RULES];
const PROOFS: Proofs = Object.assign({}, ...FILES) as Proofs;
const BEGINNINGS = FILES.flatMap((proofs) => Object.keys(proofs));

/** What states nothing that could be proved. */
const SILENT: Readonly<Record<string, RegExp>> = {
  'a blank line': /^$/,
  'a heading': /^#+ /,
  'the rule below the head of a table': /^\|(?:-+\|)+$/,
  'a lead-in of what follows': /^[^.|]+:$/,
  'what the specification leaves open': /^(?:\d+\. )?[^.|]+: not shown\.$/,
};

interface Line {
  readonly number: number;
  readonly text: string;
  readonly isSilent: boolean;
  /** The beginnings of proofs that the line has. */
  readonly beginnings: readonly string[];
}

const TEXTS = readFileSync(join(import.meta.dirname, 'specification.md'), 'utf8').split('\n');

const LINES = TEXTS.map((text, at): Line => {
  const isHead = text.startsWith('|') && TEXTS[at + 1]?.startsWith('|-') === true;
  const isSilent = isHead || Object.values(SILENT).some((pattern) => pattern.test(text));
  const beginnings = BEGINNINGS.filter((beginning) => text.startsWith(beginning));
  return { number: at + 1, text, isSilent, beginnings };
});

describe(`The specification, ${countProved(PROOFS)} statements of which are proved`, () => {
  for (const { number, text, beginnings } of LINES) {
    const statements = PROOFS[beginnings[0] ?? ''];
    if (statements === undefined) continue;
    test(`${number}: ${text}${exceptionsOf(statements)}`, () => expectStatements(statements));
  }
});

const shown = ({ number, text }: Line): string => `${number}: ${text}`;

test('Each line of the specification has one proof, unless it states nothing', () => {
  const wrong = LINES.filter(({ isSilent, beginnings }) => beginnings.length !== (isSilent ? 0 : 1));
  expect(wrong.map(shown)).toEqual([]);
});

test('Each proof has one line of the specification', () => {
  const used = LINES.flatMap(({ beginnings }) => beginnings);
  expect(used.toSorted()).toEqual(BEGINNINGS.toSorted());
});

test('Each line with a proof has statements', () => {
  expect(Object.entries(PROOFS).filter(([, statements]) => countProved({ statements }) === 0)).toEqual([]);
});
