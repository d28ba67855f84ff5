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

/** Runs a command of a page with its own address of the server. */
export function runExample(command: string, url: string): string {
  const output = execFileSync('bash', ['-c', command.replaceAll('http://127.0.0.1:4010', url)], {
    encoding: 'utf8',
  });
  return output === '' || output.endsWith('\n') ? output : `${output}\n`;
}
