import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { LINE_LENGTH_MAX } from '../../../src/node/terminal/terminal.js';
import { createSandbox } from '../../../src/index.js';
import { temporaryFolder } from '../../support/folder.js';
import type { Printed } from './command-line.js';
import { SOURCES } from './sources.js';
import { FORGED, TEXTS } from './texts.js';
import { BUNDLE } from './trace.js';

const folder = temporaryFolder();
beforeAll(async () => {
  const sandbox = createSandbox();
  const headers = { 'x-secretkey': 'sk_test_bundle' };
  const answer = await sandbox.fetch(new Request('http://localhost/_sandbox/state', { headers }));
  BUNDLE.State = await answer.json();
  sandbox.close();
});

/** No control character but the ends of our own lines; no line that is not ours, and none that never ends. */
function expectPlain({ code, stdout, stderr }: Printed): void {
  const lines = (stdout + stderr).split('\n');
  expect(lines.filter((line) => /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(line))).toEqual([]);
  expect(lines.filter((line) => line.startsWith(FORGED))).toEqual([]);
  expect(lines.length).toBeLessThan(60);
  expect(lines.filter((line) => line.length > LINE_LENGTH_MAX + 100)).toEqual([]);
  expect([0, 1, 2]).toContain(code);
}

/** Every source gets the worst texts, and one source of each kind gets all of them. */
const WORST = ['all at once', 'a hundred thousand letters'];
const KINDS = [
  'a scenario with a rule named',
  'a missing file named',
  'the word after advance',
  'a bundle of a server named',
  'a trace with the path',
  'a server that answers, called by journal',
];

describe.each(Object.entries(SOURCES))('%s', (source, print) => {
  const names = KINDS.includes(source) ? Object.keys(TEXTS) : WORST;
  test.each(names)('%s', async (name) => {
    expectPlain(await print(TEXTS[name] ?? '', join(folder, name)));
  });
});
