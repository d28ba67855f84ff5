import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { FAULTS } from '../../src/sweep/faults.js';
import { idOf, isFinding, VERDICTS } from '../../src/sweep/verdicts.js';
import { buildIfMissing } from '../node/cli/program.js';
import { blocksOf, type Consumer, linkedConsumer, VITEST } from '../package/consumer.js';
import { GENERATE } from '../support/readme.js';

const GUIDE = 'docs/guides/sweep.md';
const PATH = join(import.meta.dirname, '../..', GUIDE);
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

/** Expects a generated part of the guide; where pages are generated, writes it. */
function expectPart(name: string, text: string): void {
  const part = new RegExp(`(?<=<!-- generated:${name} -->\n)[^]*?(?=<!-- /generated -->)`);
  const page = readFileSync(PATH, 'utf8');
  if (GENERATE)
    writeFileSync(
      PATH,
      page.replace(part, () => text),
    );
  else expect(part.exec(page)?.[0]).toBe(text);
}

test('The test of the guide fails with the report that stands below it.', async () => {
  consumer.write('shop.js', shop);
  const { code, output } = await consumer.run([VITEST, 'run', '--testTimeout=120000', 'shop.test.js']);
  const [report] = /(?<=^Error: )sweep: [^]*?(?=\n ❯ )/m.exec(output) ?? [output];
  expectPart('sweep-report', `\`\`\`text\n${report.trimEnd()}\n\`\`\`\n`);
  expect(code).toBe(1);
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
  const sections = [...readFileSync(PATH, 'utf8').matchAll(/^### (.*)$/gm)].map(([, title = '']) =>
    title.toLowerCase(),
  );
  expect(sections).toEqual(VERDICTS.filter(isFinding));
  for (const verdict of VERDICTS.filter(isFinding))
    expect(readFileSync(PATH, 'utf8')).toContain(`[${verdict}](#${idOf(verdict)})`);
});
