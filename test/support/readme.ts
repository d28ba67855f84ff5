import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

/** `npm run generate` writes into the pages what tests compare them with otherwise. */
export const GENERATE = process.env['GENERATE'] === '1';

/** One command of a page, as it stands there, and the answer that follows it. */
interface Example {
  readonly command: string;
  readonly answer: string;
  /** Where the answer stands in the page, as offsets. */
  readonly from: number;
  readonly to: number;
}

/** The commands of all `console` blocks of a page: a `$` begins one, a `\` at the end of a line continues it. */
function examplesOf(page: string): Example[] {
  const examples: Example[] = [];
  for (const block of page.matchAll(/^```console\n([\s\S]*?)^```$/gm)) {
    const start = block.index + '```console\n'.length;
    for (const part of (block[1] ?? '').matchAll(
      /^\$ ((?:.*\\\n)*.*\n)((?!\$ )[\s\S]*?(?=^\$ |(?![\s\S])))?/gm,
    )) {
      const from = start + part.index + 2 + (part[1] ?? '').length;
      const answer = part[2] ?? '';
      examples.push({ command: part[1] ?? '', answer, from, to: from + answer.length });
    }
  }
  return examples;
}

/** Runs a command of a page in a folder, with other addresses in place of those that stand there, and back in what it prints. */
export function runExample(
  command: string,
  addresses: Record<string, string>,
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const pairs = Object.entries(addresses);
  const own = replaceAddresses(command, new Map(pairs));
  const printed = execFileSync('bash', ['-c', own], { encoding: 'utf8', cwd, env });
  const output = replaceAddresses(printed, new Map(pairs.map(([from, to]) => [to, from])));
  return output === '' || output.endsWith('\n') ? output : `${output}\n`;
}

/** Replaces all addresses in one pass: one may be the beginning of another, such as port 4010 of port 40101. */
function replaceAddresses(text: string, addresses: ReadonlyMap<string, string>): string {
  const from = [...addresses.keys()].map((one) => one.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (from.length === 0) return text;
  return text.replaceAll(new RegExp(`(?:${from.join('|')})(?!\\d)`, 'g'), (one) => addresses.get(one) ?? one);
}

/** Whether an answer is the one that a page shows, perhaps with `…` for parts of a line that no reader needs. */
function isShownAs(shown: string, answer: string): boolean {
  const parts = shown.split(/ ?…/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(answer);
}

/** Runs each command of a page, and expects the answer that stands below it. */
export function expectAnswers(path: string, run: (command: string) => string): void {
  let page = readFileSync(path, 'utf8');
  const examples = examplesOf(page);
  const answers = examples.map(({ command, answer }) => {
    const given = run(command);
    return isShownAs(answer, given) ? answer : given;
  });
  if (GENERATE) {
    for (const [i, { from, to }] of [...examples.entries()].toReversed()) {
      page = page.slice(0, from) + (answers[i] ?? '') + page.slice(to);
    }
    writeFileSync(path, page);
  }
  expect(examples.length).toBeGreaterThan(0);
  expect(examplesOf(page).map(({ answer }) => answer)).toEqual(answers);
}

/** Expects a page to hold generated tables in the part of this name. */
export function expectTables(path: string, tables: string, part = 'calls'): void {
  const page = readFileSync(path, 'utf8');
  const wanted = withTables(page, tables, part);
  if (GENERATE) writeFileSync(path, wanted);
  else expect(page).toBe(wanted);
}

/** An environment in which commands find the built program by its name, from a folder that they may write to. */
export function withProgram(folder: string): NodeJS.ProcessEnv {
  const program = join(import.meta.dirname, '../../dist/cli.js');
  writeFileSync(join(folder, 'playmoney'), `#!/bin/sh\nexec node ${program} "$@"\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  return { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
}

/** Writes the blocks that begin with the name of a file, in a comment that may go on after a comma, where the commands find them. */
export function writeFiles(page: string, folder: string): void {
  for (const [, text = '', name = ''] of page.matchAll(
    /^```\w+\n((?:<\?php )?(?:#|\/\/) ([\w.-]+\.\w+)(?:,.*)?\n[\s\S]*?)^```$/gm,
  )) {
    writeFileSync(join(folder, name), text);
  }
}

/** A page with the tables that are generated in the place of those that it has. */
function withTables(page: string, tables: string, part: string): string {
  const place = new RegExp(`(<!-- generated:${part} -->\n)[^]*?(<!-- /generated -->)`);
  if (!place.test(page)) throw new Error('The page has no place for generated tables.');
  return page.replace(place, (_, open: string, close: string) => `${open}\n${tables}\n\n${close}`);
}
