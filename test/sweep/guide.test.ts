import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

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
beforeAll(() => {
  buildIfMissing();
  consumer = linkedConsumer();
  consumer.write('shop.test.js', shopTest);
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

/** Runs a test of a shop. Expects that it fails; returns the report that it fails with. */
async function failingReport(file: string): Promise<string> {
  consumer.write('shop.js', shop);
  const { code, output } = await consumer.run([VITEST, 'run', '--testTimeout=120000', file]);
  expect(code).toBe(1);
  return /(?<=^(?:Sandbox)?Error: )sweep: [^]*?(?=\n ❯ )/m.exec(output)?.[0].trimEnd() ?? output;
}

test('The test of the guide fails with the report that stands below it.', async () => {
  expectPart('sweep-report', `\`\`\`text\n${await failingReport('shop.test.js')}\n\`\`\`\n`);
});

test('The test of the README fails with the first lines of its report.', async () => {
  const imports = "import { test } from 'vitest';\nimport { createShop } from './shop.js';\n";
  consumer.write('readme.test.js', imports + blocksOf('README.md', 'js')[0]);
  const lines = (await failingReport('readme.test.js')).split('\n').slice(0, 6);
  expectPart('sweep', `\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`, 'README.md');
});

test('With the fixed shop, it passes.', async () => {
  consumer.write('shop.js', fixed);
  consumer.write('shop.test.js', shopTest.replace('expect(report)', 'console.log(report.toString());\n$&'));
  const { code, output } = await consumer.run([VITEST, 'run', '--testTimeout=120000', 'shop.test.js']);
  const [report] = /^sweep: .*$/m.exec(output) ?? [output];
  expectPart('sweep-safe', `\`\`\`text\n${report}\n\`\`\`\n`);
  expect(code).toBe(0);
});

test('The guide has the faults, and a section for each finding.', () => {
  const rows = Object.entries(FAULTS).map(([name, { about }]) => `| \`${name}\` | ${about} |\n`);
  expectPart('faults', `| fault | what happened |\n| --- | --- |\n${rows.join('')}`);
  const sections = [...readFileSync(pathOf(GUIDE), 'utf8').matchAll(/^### (.*)$/gm)].map(([, title = '']) =>
    title.toLowerCase(),
  );
  expect(sections).toEqual(VERDICTS.filter(isFinding));
  for (const verdict of VERDICTS.filter(isFinding))
    expect(readFileSync(pathOf(GUIDE), 'utf8')).toContain(`[${verdict}](#${verdictId(verdict)})`);
});
