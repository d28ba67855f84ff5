import { formatCount } from '../../core/text/text.js';
import { formatColumns, formatJson, formatLines, type Printable } from '../terminal/terminal.js';

/** A result of a check: good, worth knowing, or in need of attention. */
export interface DoctorFinding {
  /** The subject of the check, such as `node` or `PLAYMONEY_PORT`. */
  readonly name: string;
  readonly status: 'ok' | 'note' | 'attention';
  /** One line, without keys and tokens. */
  readonly message: string;
}

const MARKS = { ok: 'ok', note: '--', attention: '!!' } as const;

const finding =
  (status: DoctorFinding['status']) =>
  (name: string, message: string): DoctorFinding => ({ name, status, message });

export const ok = finding('ok');
export const note = finding('note');
export const attention = finding('attention');

/** Formats findings as lines for a terminal; `wrong` of them need attention. */
export function printFindings(findings: readonly DoctorFinding[], wrong: number): Printable {
  const rows = findings.map(({ name, status, message }) => [MARKS[status], name, message]);
  const needs = wrong === 1 ? 'needs' : 'need';
  const end = wrong === 0 ? 'No problems found.' : `${formatCount(wrong, 'item')} ${needs} attention.`;
  return formatLines([...formatColumns(rows), '', end]);
}

export function formatFindingsJson(findings: readonly DoctorFinding[], wrong: number): Printable {
  const Findings = findings.map(({ name: Name, status: Status, message: Message }) => ({
    Name,
    Status,
    Message,
  }));
  return formatJson({ Ok: wrong === 0, Findings }, 2);
}
