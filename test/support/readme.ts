import { execFileSync } from 'node:child_process';

/** One command of a page, as it stands there, and the answer that follows it. */
export interface Example {
  readonly command: string;
  readonly answer: string;
  /** Where the answer stands in the page, as offsets. */
  readonly from: number;
  readonly to: number;
}

/** The commands of all `console` blocks of a page: a `$` begins one, a `\` at the end of a line continues it. */
export function examplesOf(page: string): Example[] {
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

/** Runs a command of a page in a folder, with other addresses in place of those that stand there. */
export function runExample(command: string, addresses: Record<string, string>, cwd: string): string {
  const own = Object.entries(addresses).reduce((text, [from, to]) => text.replaceAll(from, to), command);
  const output = execFileSync('bash', ['-c', own], { encoding: 'utf8', cwd });
  return output === '' || output.endsWith('\n') ? output : `${output}\n`;
}
