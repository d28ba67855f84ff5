import type { AnyRow } from '../http/route.js';

/** What the document says of a row. */
export type OperationRow = Omit<AnyRow, 'operation' | 'asked' | 'handle'>;

/** A row by what every operation has, and what this one has beside. */
export function row(
  method: OperationRow['method'],
  path: string,
  id: string,
  summary: string,
  response: OperationRow['response'],
  rest: Partial<OperationRow> = {},
): OperationRow {
  return { method, path, id, summary, response, ...rest };
}

/** Rows that belong together. */
export interface Section {
  readonly tag: string;
  readonly text: string;
  readonly rows: readonly OperationRow[];
}
