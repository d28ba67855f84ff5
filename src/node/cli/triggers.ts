import { linesOf } from '../../core/text.js';
import { publishedTriggers } from '../../outcomes/published.js';
import { columns } from './terminal.js';

/** Formats the published tables as aligned columns for a terminal, or as the JSON that the server returns. */
export function triggersText({ json }: { readonly json: boolean }): string {
  const published = publishedTriggers();
  if (json) return `${JSON.stringify(published)}\n`;
  const { Precedence, Outcomes, Cards, Accounts, PayIds, Tokens, Providers } = published;
  const sections = [
    section('Outcomes, for the header x-sandbox-outcome or as the token tok_<outcome>', Outcomes),
    section('Cards', Cards),
    section('Bank accounts', Accounts),
    section('PayIds of PayTo agreements', PayIds),
    section('Tokens', Tokens),
    section('Providers', Providers),
  ];
  const order = Precedence.map((source, i) => `  ${i + 1}. ${source}`).join('\n');
  return `${sections.join('\n')}\nIf several apply, the first of these decides\n\n${order}\n`;
}

const WIDTH_MAX = 40;

type Cell = string | number | boolean | null;

function section(title: string, records: readonly Readonly<Record<string, Cell>>[]): string {
  const [first = {}] = records;
  const rows = [Object.keys(first), ...records.map((record) => Object.values(record).map(cellText))];
  return `${title}\n\n${linesOf(columns(rows, WIDTH_MAX).map((line) => `  ${line}`))}`;
}

function cellText(cell: Cell): string {
  if (cell === null) return '-';
  return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : String(cell);
}
