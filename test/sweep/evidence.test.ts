import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readAccepted, verifyEvidence } from '../../src/node/sweep/evidence.js';
import { sweep } from '../../src/index.js';
import { folder } from '../support/folder.js';
import { blindRetry } from './support.js';

const CHARGED_TWICE = {
  finding: 'charged twice at charge.create order-1',
  reason: 'A person refunds it <every> Monday.',
  by: 'Ada',
  on: '2026-11-27',
};

async function writeEvidence(): Promise<string> {
  const path = join(folder(), 'evidence');
  await sweep(blindRetry, {
    faults: ['lost', 'refused'],
    pairs: false,
    accept: [CHARGED_TWICE],
    evidence: path,
  });
  return path;
}

const readData = (path: string) =>
  JSON.parse(readFileSync(join(path, 'evidence.json'), 'utf8')) as Record<string, unknown>;

describe('The evidence', () => {
  test('says what was swept, what came out, what it means and what was not tried', async () => {
    const path = await writeEvidence();
    const data = readData(path);
    expect(data).toMatchObject({
      program: 'test/sweep/evidence.test.ts',
      seed: '1',
      safe: true,
      summary: 'Nothing was found that is not accepted.',
      clean: [
        {
          world: '',
          points: ['charge.create order-1'],
          orders: [{ reference: 'order-1', amount: 5, paid: true }],
        },
      ],
      cells: [
        { point: 'charge.create order-1', fault: 'lost', verdict: 'charged twice' },
        { point: 'charge.create order-1', fault: 'refused', verdict: 'recovered' },
      ],
      faults: {
        lost: 'The call was performed, but the connection was reset before its answer arrived.',
        refused: 'The connection was reset before the call was performed.',
      },
      verdicts: { 'charged twice': 'more was taken than ordered, also under another Reference' },
      accepted: [CHARGED_TWICE],
    });
    expect(data['commit']).toMatch(/^[\da-f]{40}$/);
    expect(data['hash']).toMatch(/^[\da-f]{64}$/);
    expect(data['notTried']).toContainEqual(
      expect.stringMatching(/^operations: charge\.capture, .*customer\.\*/),
    );
    const page = readFileSync(join(path, 'evidence.html'), 'utf8');
    expect(page).toContain('A person refunds it &lt;every&gt; Monday. (Ada, 2026-11-27)');
    expect(page).toContain(`Hash: ${String(data['hash'])}`);
    expect(page).toContain('It is not a signature');
    expect(page).not.toMatch(/<script|\bsrc=|\bhref=/);
  });

  test('is the same for the same commit, byte for byte', async () => {
    const read = async (): Promise<string[]> => {
      const path = await writeEvidence();
      return ['evidence.json', 'evidence.html'].map((name) => readFileSync(join(path, name), 'utf8'));
    };
    expect(await read()).toEqual(await read());
  });

  test.each([
    ['evidence.json', '"charged twice"', '"recovered"', ['evidence.html does not belong to evidence.json.']],
    ['evidence.json', '"limits"', '"removed"', ['evidence.html does not belong to evidence.json.']],
    ['evidence.json', '}\n', '}', []],
    ['evidence.html', 'Ada', 'Bob', []],
  ])('says whether %s was edited', async (name, from, to, others) => {
    const path = await writeEvidence();
    expect(await verifyEvidence(path)).toEqual({
      text: `${path}: not edited. The hash shows accidental changes only.\n`,
    });
    const file = join(path, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    const { text, exitCode } = await verifyEvidence(path);
    expect(exitCode).toBe(1);
    const lines = [`${name} was edited: it is not what the sweep wrote.`, ...others];
    expect(text).toBe(lines.map((line) => `${join(path, line)}\n`).join(''));
  });

  test('reads accepted findings with their reasons from a file, and names what is missing', async () => {
    const file = join(folder(), 'accepted.json');
    writeFileSync(file, JSON.stringify([CHARGED_TWICE]));
    expect(await readAccepted(['stuck at charge.create', file])).toEqual([
      'stuck at charge.create',
      CHARGED_TWICE,
    ]);
    writeFileSync(file, JSON.stringify([CHARGED_TWICE, { ...CHARGED_TWICE, by: ' ' }]));
    await expect(readAccepted([file])).rejects.toThrow(
      `--accept: ${file}: item 2 has no by; it must be a list of`,
    );
    for (const on of ['2026-02-30', '2026-11', 'Friday']) {
      writeFileSync(file, JSON.stringify([{ ...CHARGED_TWICE, on }]));
      await expect(readAccepted([file])).rejects.toThrow(
        `--accept: ${file}: item 1: on is "${on}"; it must be a date, such as 2026-11-27`,
      );
    }
    writeFileSync(file, '{}');
    await expect(readAccepted([file])).rejects.toThrow('must be JSON with a list of {"finding"');
  });
});
