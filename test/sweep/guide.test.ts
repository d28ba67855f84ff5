import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { MEANINGS } from '../../src/sweep/report/evidence.js';
import { FAULTS } from '../../src/sweep/faults.js';
import { verdictId, isFinding, VERDICTS } from '../../src/sweep/verdicts.js';
import { buildIfMissing } from '../node/cli/program.js';
import { blocksOf, type Consumer, linkedConsumer, VITEST } from '../package/consumer.js';
import { GENERATE } from '../support/readme.js';

const GUIDE = 'docs/guides/sweep.md';
const [shop = '', shopTest = '', fixed = '', twiceTest = ''] = blocksOf(GUIDE, 'js').filter((block) =>
  /^\/\/ (?:shop|twice)(?:\.test)?\.js\n/.test(block),
);
const [claiming = ''] = blocksOf(GUIDE, 'js').filter((block) => block.startsWith('// in createShop\n'));

const [worker = '', workerTest = '', mend = ''] = blocksOf(GUIDE, 'js').filter((block) =>
  block.startsWith('// worker'),
);
/** The worker with the lines that the guide puts in place of the `try`. */
const mended = worker.replace(/ +let paid = null;[^]*?\n {4}\}\n(?= {2}\}\n)/, mend.replace(/^.*\n/, ''));

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
  for (const [at, text] of [
    ['', worker],
    ['fixed/', mended],
  ] as const) {
    consumer.write(`${at}worker.js`, text);
    consumer.write(
      `${at}worker.test.js`,
      workerTest.replace('expect(report)', 'console.log(`worker ${report.toString()}`);\n$&'),
    );
  }
  consumer.write('fixed/twice.test.js', twiceTest);
  mkdirSync(join(consumer.folder, 'claiming'));
  const [, payments = '', claim = ''] =
    /^\/\/ in createShop\n([^]*)\/\/ in buy\n([^]*)$/.exec(claiming) ?? [];
  const claimed = fixed
    .replace('const orders =', `${payments}$&`)
    .replace('order.paid = await pay(order);', `${claim}\norder.paid = isPaid;`);
  consumer.write('claiming/shop.js', claimed);
  consumer.write('claiming/twice.test.js', twiceTest);
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

test('A double click pays twice in the fixed shop, and once if both clicks wait for one payment.', () => {
  expectPart('sweep-together', `\`\`\`text\n${failingReport('fixed/twice.test.js')}\n\`\`\`\n`);
  expect(printed).not.toMatch(/FAIL +claiming/);
});

test('With the fixed shop, it passes.', () => {
  const [report] = /^sweep: .*$/m.exec(printed) ?? [printed];
  expectPart('sweep-safe', `\`\`\`text\n${report}\n\`\`\`\n`);
  expect(printed).toMatch(/^ +Tests +4 failed \| 3 passed/m);
});

test('The worker of the guide charges twice after a crash, and with the other lines it does not.', () => {
  expectPart('sweep-crash', `\`\`\`text\n${failingReport('worker.test.js')}\n\`\`\`\n`);
  const [safe] = /(?<=^worker )sweep: safe.*$/m.exec(printed) ?? [printed];
  expectPart('sweep-restarted', `\`\`\`text\n${safe}\n\`\`\`\n`);
});

test('The guide has the faults, and a section for each finding.', () => {
  const rows = Object.entries(FAULTS).map(([name, { about }]) => `| \`${name}\` | ${about} |\n`);
  expectPart('faults', `| fault | what happened |\n| --- | --- |\n${rows.join('')}`);
  const [verdicts = ''] = readFileSync(pathOf(GUIDE), 'utf8').split('\n## The report\n');
  const sections = [...verdicts.matchAll(/^### (.*)$/gm)].map(([, title = '']) => title.toLowerCase());
  expect(sections).toEqual(VERDICTS.filter(isFinding));
  const meanings = VERDICTS.map((verdict) => {
    const shown = isFinding(verdict) ? `[${verdict}](#${verdictId(verdict)})` : verdict;
    return `| ${shown} | ${MEANINGS[verdict]} |\n`;
  });
  expectPart('verdicts', `| verdict | what the run shows |\n| --- | --- |\n${meanings.join('')}`);
});
