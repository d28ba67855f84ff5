import { readFileSync, writeFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { findSuccessStatus } from '../../src/http/route.js';
import { findCallNamed } from '../../src/node/verify/contract.js';
import {
  type AnswerName,
  countProof,
  listProvingAnswers,
  markProvenRows,
  type Proof,
  readContract,
  readProof,
} from '../support/proof.js';
import { GENERATE } from '../support/readme.js';

const PAGES = ['fidelity.md', 'fidelity-beyond.md'].map(
  (name) => new URL(`../../docs/reference/${name}`, import.meta.url),
);
const CONTRACT = readContract();

/** Whether playmoney has such an answer; a row that names another could never be proven. */
function canAnswer({ operation, status, code }: AnswerName): boolean {
  const row = findCallNamed(operation);
  if (row === undefined) return false;
  return code === null
    ? findSuccessStatus(row) === status
    : CONTRACT.listStatusesOfCode(row, code).includes(status);
}

describe('the column "proven" of the pages on fidelity', () => {
  test.each(PAGES)('says what the files of test/proof prove: %s', async (page) => {
    const proof = await readProof();
    const marked = markProvenRows(readFileSync(page, 'utf8'), proof);
    if (GENERATE) writeFileSync(page, marked);
    expect(readFileSync(page, 'utf8'), 'npm run generate writes it').toBe(marked);
  });

  test.each(PAGES)('is in each table, and each behaviour stands once: %s', (page) => {
    const rows = readFileSync(page, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| '));
    const behaviours = rows
      .map((row) => row.split(' | ')[0])
      .filter((cell) => !/^\| (?:behaviour|what)$/.test(cell ?? ''));
    expect(rows.filter((row) => /how to change it(?: here)? \|$/.test(row))).toEqual([]);
    expect(behaviours.filter((cell, n) => behaviours.indexOf(cell) !== n)).toEqual([]);
  });

  test.each(PAGES)('names only answers that playmoney has: %s', (page) => {
    const named = listProvingAnswers(readFileSync(page, 'utf8'));
    expect(named.filter((answer) => !canAnswer(answer))).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  test.each([
    ['proven', [[400, 74, 'same']]],
    ['not yet', [[400, 75, 'same']]],
    ['not yet', [[400, 74, 'not compared']]],
    // The same refusal with another status.
    ['differs', [[422, 74, 'differs']]],
  ] as const)('is %s after %j', (state, seen) => {
    const shapes = seen.map(([status, code, verdict]) => ({
      shape: { operation: 'POST /charge/card', status, code, headers: [], fields: new Map() },
      verdict,
    }));
    const proof: Proof = { files: ['shop.shapes.json'], shapes };
    const rows =
      '| 0 is refused | assumed | | not yet: POST /charge/card 400 74 |\n| how long | assumed | | – |';
    expect(markProvenRows(rows, proof)).toBe(rows.replace('not yet', state));
    expect(countProof(proof)).toContain('shop.shapes.json');
  });

  test('needs all answers that a row names', () => {
    const shape = { operation: 'POST /vault', status: 201, code: null, headers: [], fields: new Map() };
    const row = '| kept | library | | not yet: POST /vault 201, GET /vault/{id} 200 |';
    const proof: Proof = { files: [], shapes: [{ shape, verdict: 'same' }] };
    expect(markProvenRows(row, proof)).toBe(row);
    expect(countProof(proof)).toContain(' 1 are proven');
  });
});
