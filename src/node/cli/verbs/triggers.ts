import { presentTriggers } from '../../../outcomes/published.js';
import { formatColumns, formatJson, formatLines, type Printable } from '../../terminal/terminal.js';

/** Formats the published tables as aligned columns for a terminal, or as the JSON that the server returns. */
export function formatTriggers({ json }: { readonly json: boolean }): Printable {
  const published = presentTriggers();
  if (json) return formatJson(published);
  const { Precedence, Outcomes, Cards, Accounts, PayIds, Tokens, Providers } = published;
  const sections = [
    ...formatSection('Outcomes, for the header x-sandbox-outcome or as the token tok_<outcome>', Outcomes),
    ...formatSection('Cards', Cards),
    ...formatSection('Bank accounts', Accounts),
    ...formatSection('PayIds of PayTo agreements', PayIds),
    ...formatSection('Tokens', Tokens),
    ...formatSection('Providers', Providers),
  ];
  const order = Precedence.map((source, i) => `  ${i + 1}. ${source}`);
  return formatLines([...sections, 'If several apply, the first of these decides', '', ...order]);
}

const WIDTH_MAX = 40;

type TableCell = string | number | boolean | null;

function formatSection(title: string, records: readonly Readonly<Record<string, TableCell>>[]): string[] {
  const [first = {}] = records;
  const rows = [Object.keys(first), ...records.map((record) => Object.values(record).map(formatCell))];
  return [title, '', ...formatColumns(rows, WIDTH_MAX).map((line) => `  ${line}`), ''];
}

function formatCell(cell: TableCell): string {
  if (cell === null) return '-';
  return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : String(cell);
}
