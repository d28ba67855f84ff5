import { count, linesOf, plainLine } from '../../core/text.js';

/** What was found: good, worth knowing, or in need of attention. */
export interface Finding {
  /** What was looked at, such as `node` or `PLAYMONEY_PORT`. */
  readonly name: string;
  readonly status: 'ok' | 'note' | 'attention';
  /** One line; keys and tokens are not in it. */
  readonly message: string;
}

const MARKS = { ok: 'ok', note: '--', attention: '!!' } as const;

/** What is as it should be. */
export function ok(name: string, message: string): Finding {
  return { name, status: 'ok', message };
}

/** What is worth knowing. */
export function note(name: string, message: string): Finding {
  return { name, status: 'note', message };
}

/** What needs attention. */
export function attention(name: string, message: string): Finding {
  return { name, status: 'attention', message };
}

/** Findings as lines for a terminal; `wrong` of them need attention. */
export function textOf(findings: readonly Finding[], wrong: number): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.map(({ name, status, message }) =>
    plainLine(`${MARKS[status]}  ${name.padEnd(width)}  ${message}`),
  );
  const needs = wrong === 1 ? 'needs' : 'need';
  return linesOf([
    ...lines,
    '',
    wrong === 0 ? 'All is well.' : `${count(wrong, 'thing')} ${needs} attention.`,
  ]);
}

export function jsonOf(findings: readonly Finding[], wrong: number): string {
  const Findings = findings.map(({ name, status, message }) => ({
    Name: name,
    Status: status,
    Message: message,
  }));
  return `${JSON.stringify({ Ok: wrong === 0, Findings }, null, 2)}\n`;
}
