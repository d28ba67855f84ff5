import { type AnyRow, findSuccessStatus } from '../../src/http/route.js';
import { listRefusals } from '../../src/openapi/refusals.js';
import { OPERATION_ROWS } from '../../src/app/sections.js';

/** No answer of any test is otherwise than the interface is described; faults and the sdk dialect are not described. */
export function requireConformity(request: Request, response: Response, body: unknown): void {
  if (response.headers.has('x-sandbox-fault') || isSdk(body)) return;
  const { pathname: path } = new URL(request.url);
  const why = whyOtherwise({ method: request.method, path, status: response.status, body });
  if (why !== null) throw new Error(why);
}

/** The sdk dialect begins each name with a small letter. */
function isSdk(body: unknown): boolean {
  const one: unknown = Array.isArray(body) ? body[0] : body;
  const [name = 'A'] = Object.keys(one ?? {});
  return /^[a-z]/.test(name);
}

/** An answer that was given. */
export interface Given {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

const PATTERNS = OPERATION_ROWS.map((row) => ({
  row,
  method: row.method.toUpperCase(),
  // Fixed words win over {id}: such a row fits first.
  words: row.path.split('/'),
})).toSorted((a, b) => a.row.path.split('{').length - b.row.path.split('{').length);

/** The row that a call is an operation of. */
export function rowOf(method: string, path: string): AnyRow | undefined {
  const words = path.replace(/\/$/, '').split('/');
  const found = PATTERNS.find(
    (pattern) =>
      pattern.method === method &&
      pattern.words.length === words.length &&
      pattern.words.every((word, i) => (word.startsWith('{') ? words[i] !== '' : word === words[i])),
  );
  return found?.row;
}

/** The status that a call is answered with when it succeeds; its path may have a query. */
export function successStatus(method: string, target: string): number {
  const row = rowOf(method, target.replace(/\?.*/, ''));
  return row === undefined ? 200 : findSuccessStatus(row);
}

/** What each operation may be refused with, once it was asked: members are asked for their codes, which takes long. */
const REFUSALS = new Map<AnyRow, ReadonlyMap<number, readonly number[]>>();

function refusalsOf(row: AnyRow): ReadonlyMap<number, readonly number[]> {
  const known = REFUSALS.get(row) ?? listRefusals(row);
  REFUSALS.set(row, known);
  return known;
}

/** A path without such a method is no operation, and a bug is nothing to count on. */
const UNDESCRIBED = new Set([405, 500]);

/** What an answer has or lacks against its description; null: nothing. */
export function whyOtherwise({ method, path, status, body }: Given): string | null {
  const row = rowOf(method, path);
  if (row === undefined || typeof row.response === 'string' || UNDESCRIBED.has(status)) return null;
  const call = `${method} ${row.path}`;
  if (status === findSuccessStatus(row)) {
    const parsed = row.response.safeParse(body);
    return parsed.success ? null : `${call} answered otherwise than described: ${parsed.error.message}`;
  }
  const { Code: code } = body as { readonly Code?: number };
  if (code === undefined) return `${call} answered ${status} without a Code`;
  const isDescribed = refusalsOf(row).get(status)?.includes(code) === true;
  return isDescribed ? null : `${call} answered ${status} with code ${code}, which its description lacks`;
}
