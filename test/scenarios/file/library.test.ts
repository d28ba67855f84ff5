import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { readScenarioText } from '../../../src/scenarios/file/file.js';
import { OUTCOMES } from '../../../src/outcomes/outcomes.js';
import { FAULTS } from '../../../src/scenarios/file/fault.js';
import { ScenarioFile } from '../../../src/scenarios/file/schema.js';
import { play, readStory } from '../player.js';
import { STORIES } from '../stories.js';

/** `npm run generate` writes the schema, and the transcripts into the page. */
const GENERATE = process.env['GENERATE'] === '1';
/** `npm run test:package` asks for more. */
const RUNS = Number(process.env['STORY_RUNS'] ?? 3);
/** The page folds a transcript that is longer. */
const OPEN_LINES_MAX = 60;

const FOLDER = new URL('../../../scenarios/', import.meta.url);
const SCHEMA = new URL('schema.json', FOLDER);
const LIBRARY = new URL('../../../docs/reference/scenario-library.md', import.meta.url);
const GUIDE = new URL('../../../docs/guides/scenarios.md', import.meta.url);
const GRAMMAR = new URL('../../../docs/reference/scenario-file.md', import.meta.url);

const FAULT_ROWS = /(?<=<!-- faults -->\n\|.*\n\| ---.*\n)[^]*?(?=\| `status=503`)/;

const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length));
const CASES = NAMES.map((name) => [name, STORIES[name]] as const);

/** Expects that a part of the page reads as given; where pages are generated, it is written. */
function expectPart(file: URL, part: RegExp, text: string): void {
  const page = readFileSync(file, 'utf8');
  expect(page).toMatch(part);
  if (GENERATE)
    writeFileSync(
      file,
      page.replace(part, () => text),
    );
  else expect(part.exec(page)?.[0]).toBe(text);
}

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const MADE = z.toJSONSchema(ScenarioFile, { io: 'input', unrepresentable: 'any' }) as Schema;

/** The tables of fields in the page, and where they are in the schema. */
const TABLES: [name: string, path: readonly string[]][] = [
  ['scenario', []],
  ['when', ['rules', 'when']],
  ['then', ['rules', 'then']],
  ['provider', ['providers']],
  ['policy', ['webhooks', 'policies', 'then']],
];

/** A field, as a link to the section of the page that describes it, if there is one. */
function linked(field: string, page: string): string {
  const section = [...page.matchAll(/^## (.*)$/gm)].find(([, title = '']) =>
    [field, `${field}s`].includes(title.replaceAll(' d', 'D').replace(/^./, (first) => first.toLowerCase())),
  )?.[1];
  const anchor = section?.toLowerCase().replaceAll(' ', '-');
  return anchor === undefined ? `\`${field}\`` : `[\`${field}\`](#${anchor})`;
}

/** A transcript as it stands in the page. */
function shown(name: string, transcript: string): string {
  const block = `\`\`\`text\n${transcript}\`\`\`\n`;
  const isLong = transcript.split('\n').length > OPEN_LINES_MAX;
  const folded = `<details><summary>The whole transcript</summary>\n\n${block}\n</details>\n`;
  return `<!-- transcript:${name} -->\n${isLong ? folded : block}<!-- /transcript -->`;
}

describe('the library', () => {
  test('has at least fifteen stories, each with calls that play it', () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(15);
    expect(Object.keys(STORIES).toSorted()).toEqual(NAMES.toSorted());
  });

  test.each(NAMES)(
    '%s is a scenario of that name, with a description and the schema of editors',
    async (name) => {
      const text = readFileSync(new URL(`${name}.yaml`, FOLDER), 'utf8');
      expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/schema\.json\n# /);
      const scenario = await readStory(name);
      expect(scenario.name).toBe(name);
      expect(scenario.description?.length).toBeGreaterThan(50);
    },
  );

  test('has a decline for every outcome but the approval', async () => {
    const declines = [...OUTCOMES.values()].filter(({ code }) => code !== null).map(({ name }) => name);
    const isThere = new Set((await readStory('every-decline')).rules.map(({ effect }) => effect.outcome));
    for (const name of GENERATE ? declines.filter((one) => !isThere.has(one)) : []) {
      const when = `{ operation: charge.create, reference: [${name}, ${name}-*] }`;
      const rule = `  - name: ${name}\n    when: ${when}\n    then: { outcome: ${name} }\n`;
      appendFileSync(new URL('every-decline.yaml', FOLDER), rule);
    }
    const { rules } = await readStory('every-decline');
    expect(rules.map(({ effect }) => effect.outcome).toSorted()).toEqual(declines.toSorted());
  });
});

describe('each story', () => {
  test.each(CASES)('%s goes as its transcript in the page says', async (name, story) => {
    if (story === undefined) throw new Error(`The story ${name} has no calls`);
    const { transcript, unmatched } = await play(await readStory(name), story);
    expectPart(
      LIBRARY,
      new RegExp(`<!-- transcript:${name} -->[^]*?<!-- /transcript -->`),
      shown(name, transcript),
    );
    expect(unmatched).toEqual([]);
  });

  test.each(CASES)(`%s is the same to the byte on ${RUNS} runs`, async (name, story) => {
    if (story === undefined) throw new Error(`The story ${name} has no calls`);
    const scenario = await readStory(name);
    const first = await play(scenario, story);
    for (let run = 1; run < RUNS; run++) expect(await play(scenario, story)).toEqual(first);
  });
});

describe('what is made from them', () => {
  test('The page has every fault.', () => {
    const rows = Object.entries(FAULTS).map(([fault, { seen }]) => `| \`${fault}\` | ${seen} |\n`);
    expectPart(GRAMMAR, FAULT_ROWS, rows.join(''));
  });

  test.each(TABLES)('The page describes the fields of %s as the schema does.', (name, path) => {
    const at = path.reduce<Schema>(
      (schema, step) => schema.items?.properties?.[step] ?? schema.properties?.[step] ?? {},
      MADE,
    );
    const fields = Object.entries((at.items ?? at).properties ?? {});
    const page = readFileSync(GRAMMAR, 'utf8');
    const rows = fields.map(
      ([field, { description = '' }]) => `| ${linked(field, page)} | ${description} |\n`,
    );
    const part = new RegExp(`(?<=<!-- fields:${name} -->\n\\|.*\n\\| ---.*\n)[^]*?(?=<!-- /fields -->)`);
    expect(rows.filter((row) => row.endsWith('|  |\n'))).toEqual([]);
    expectPart(GRAMMAR, part, rows.join(''));
  });

  test('The schema of editors is the contract.', () => {
    // Editors show descriptions as plain text.
    const text = JSON.stringify({ title: 'playmoney scenario', ...MADE }).replaceAll('`', '');
    const schema = JSON.parse(text) as object;
    if (GENERATE) writeFileSync(SCHEMA, JSON.stringify(schema));
    expect(JSON.parse(readFileSync(SCHEMA, 'utf8'))).toEqual(schema);
  });

  test('Each scenario in the guide is valid.', async () => {
    const blocks = [...readFileSync(GUIDE, 'utf8').matchAll(/^```yaml\n([^]*?)^```$/gm)];
    expect(blocks.length).toBeGreaterThan(0);
    for (const [, text = ''] of blocks)
      expect(await readScenarioText(text, 'page')).toHaveProperty('scenario');
  });
});
