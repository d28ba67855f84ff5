import type { $ZodType } from 'zod/v4/core';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** A refusal by its code; with another HTTP status than that of its row: both. */
export type Refused = number | readonly [code: number, httpStatus: number];

/** One row of the route table: all that is said of an operation beside what its contracts say. */
export interface OperationRow {
  readonly method: Method;
  /** As it is written down: `/charge/{id}`. */
  readonly path: string;
  /** Unique; what generated clients call it. */
  readonly id: string;
  readonly summary: string;
  /** What more there is to know. */
  readonly text?: string;
  readonly body?: $ZodType;
  /** The call may come without a body. */
  readonly bodyOptional?: true;
  readonly query?: $ZodType;
  /** The headers that are its own, and what they are for. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What 200 answers; a page or a script: its media type. */
  readonly answer: $ZodType | string;
  /** The codes that its service refuses with, beside those of its contracts and of every request. */
  readonly refuses?: readonly Refused[];
  /** A provider is asked, and may decline. */
  readonly asksProvider?: true;
  /** Who may call it; the default is whoever has the secret key. */
  readonly access?: 'open' | 'public';
}

/** A row by what every operation has, and what this one has beside. */
export function row(
  method: Method,
  path: string,
  id: string,
  summary: string,
  answer: OperationRow['answer'],
  rest: Partial<OperationRow> = {},
): OperationRow {
  return { method, path, id, summary, answer, ...rest };
}

/** Rows that belong together. */
export interface Section {
  readonly tag: string;
  readonly text: string;
  readonly rows: readonly OperationRow[];
}

/** Whether it is a call of the sandbox itself. */
export function isControl({ path }: OperationRow): boolean {
  return path.startsWith('/_sandbox');
}
