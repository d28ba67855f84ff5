import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { describeVerdict } from '../../src/sweep/evidence.js';
import { FAULTS } from '../../src/sweep/faults.js';
import { verdictId, isFinding, VERDICTS } from '../../src/sweep/verdicts.js';
import { buildIfMissing } from '../node/cli/program.js';
import { blocksOf, type Consumer, linkedConsumer, VITEST } from '../package/consumer.js';
import { GENERATE } from '../support/readme.js';

const GUIDE = 'docs/guides/sweep.md';
const [shop = '', shopTest = '', fixed = ''] = blocksOf(GUIDE, 'js').filter((block) =>
  /^\/\/ shop(?:\.test)?\.js\n/.test(block),
);

let consumer: Consumer;
/** What one run of vitest prints of the test of the guide, that of the README and, in a folder of its own, the fixed shop. */
let printed = '';
beforeAll(async () => {
  buildIfMissing();
  consumer = linkedConsumer();
  const imports = "import { test } from 'vitest';\nimport { createShop } from './shop.js';\n";
  consumer.write('shop.js', shop);
  consumer.write('shop.test.js', shopTest);
  consumer.write('readme.test.js', imports + blocksOf('README.md', 'js')[0]);
  mkdirSync(join(consumer.folder, 'fixed'));
  consumer.write('fixed/shop.js', fixed);
  consumer.write(
    'fixed/shop.test.js',
    shopTest.replace('expect(report)', 'console.log(report.toString());\n$&'),
  );
  ({ output: printed } = await consumer.run([VITEST, 'run', '--testTimeout=120000']));
});
afterAll(() => consumer.remove());

const pathOf = (page: string): string => join(import.meta.dirname, '../..', page);

/** Expects a generated part of a page; where pages are generated, writes it. */
function expectPart(name: string, text: string, page = GUIDE): void {
  const part = new RegExp(`(?<=<!-- generated:${name} -->\n)[^]*?(?=<!-- /generated -->)`);
  const before = readFileSync(pathOf(page), 'utf8');
  if (GENERATE)
    writeFileSync(
      pathOf(page),
      before.replace(part, () => text),
    );
  else expect(part.exec(before)?.[0]).toBe(text);
}

/** The report with which the test of a file failed. */
function failingReport(file: string): string {
  const [, said = printed] = printed.split(new RegExp(`^ FAIL +${file} .*$`, 'm'));
  return /(?<=^(?:Sandbox)?Error: )sweep: [^]*?(?=\n ❯ )/m.exec(said)?.[0].trimEnd() ?? printed;
}

test('The test of the guide fails with the report that stands below it.', () => {
  expectPart('sweep-report', `\`\`\`text\n${failingReport('shop.test.js')}\n\`\`\`\n`);
});

test('The test of the README fails with the first lines of its report.', () => {
  const lines = failingReport('readme.test.js').split('\n').slice(0, 8);
  expectPart('sweep', `\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`, 'README.md');
});

test('With the fixed shop, it passes.', () => {
  const [report] = /^sweep: .*$/m.exec(printed) ?? [printed];
  expectPart('sweep-safe', `\`\`\`text\n${report}\n\`\`\`\n`);
  expect(printed).toMatch(/^ +Tests +2 failed \| 1 passed/m);
});

test('The guide has the faults, and a section for each finding.', () => {
  const rows = Object.entries(FAULTS).map(([name, { about }]) => `| \`${name}\` | ${about} |\n`);
  expectPart('faults', `| fault | what happened |\n| --- | --- |\n${rows.join('')}`);
  const [verdicts = ''] = readFileSync(pathOf(GUIDE), 'utf8').split('\n## The report\n');
  const sections = [...verdicts.matchAll(/^### (.*)$/gm)].map(([, title = '']) => title.toLowerCase());
  expect(sections).toEqual(VERDICTS.filter(isFinding));
  for (const verdict of VERDICTS)
    expect(readFileSync(pathOf(GUIDE), 'utf8')).toContain(` | ${describeVerdict(verdict)}`);
  for (const verdict of VERDICTS.filter(isFinding))
    expect(readFileSync(pathOf(GUIDE), 'utf8')).toContain(`[${verdict}](#${verdictId(verdict)})`);
});
