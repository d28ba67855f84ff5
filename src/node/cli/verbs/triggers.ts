import { publishedTriggers } from '../../../outcomes/published.js';
import { columns, jsonOf, linesOf, type Printable } from '../../terminal/terminal.js';

/** Formats the published tables as aligned columns for a terminal, or as the JSON that the server returns. */
export function triggersText({ json }: { readonly json: boolean }): Printable {
  const published = publishedTriggers();
  if (json) return jsonOf(published);
  const { Precedence, Outcomes, Cards, Accounts, PayIds, Tokens, Providers } = published;
  const sections = [
    ...section('Outcomes, for the header x-sandbox-outcome or as the token tok_<outcome>', Outcomes),
    ...section('Cards', Cards),
    ...section('Bank accounts', Accounts),
    ...section('PayIds of PayTo agreements', PayIds),
    ...section('Tokens', Tokens),
    ...section('Providers', Providers),
  ];
  const order = Precedence.map((source, i) => `  ${i + 1}. ${source}`);
  return linesOf([...sections, 'If several apply, the first of these decides', '', ...order]);
}

const WIDTH_MAX = 40;

type Cell = string | number | boolean | null;

function section(title: string, records: readonly Readonly<Record<string, Cell>>[]): string[] {
  const [first = {}] = records;
  const rows = [Object.keys(first), ...records.map((record) => Object.values(record).map(cellText))];
  return [title, '', ...columns(rows, WIDTH_MAX).map((line) => `  ${line}`), ''];
}

function cellText(cell: Cell): string {
  if (cell === null) return '-';
  return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : String(cell);
}
