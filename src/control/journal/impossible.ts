import { shortenText } from '../../core/cards/card.js';
import { didYouMean, findNearest } from '../../core/text/nearest.js';
import { patternsOverlap } from '../../core/text/glob.js';
import { isObject, isUuid, quoteText } from '../../core/text/text.js';
import { foreignPattern } from '../../records/field-values.js';
import { type Shape, shapeOf } from '../../http/fields/shape.js';
import { type AnyRow, findSuccessStatus } from '../../http/route.js';
import type { Match } from '../../journal/match.js';
import type { EventType } from '../../records/webhook-subscription.js';
import { SERVICE_SECTIONS } from '../../resources/sections.js';
import type { Operation } from '../../scenarios/script/operations.js';
import { explainNeverSent } from '../webhooks/message.js';

/** Judges conditions on calls by the operations that there are. A count of what can never come would make a test pass that proves nothing. */

/** A condition that no call meets, and why. */
type ImpossibleCondition = readonly [field: string, why: string];

const SERVICE_ROWS = SERVICE_SECTIONS.flatMap(({ rows }) => rows);

/** Why no call, or no delivery of the event, can match; null if one can. */
export function explainNoMatch(match: Match): ImpossibleCondition | null {
  const { path = null, since = null, until = null, event = null, trigger = null } = match;
  if (since !== null && until !== null && since >= until) return ['Until', 'must be later than Since'];
  if (path !== null && !/^[/*]/.test(path))
    return [
      'Path',
      `is ${quoteText(path)}; paths begin with a slash. Did you mean /${shortenText(path, 60)}?`,
    ];
  if (trigger !== null && !/^[a-z]+:./.test(trigger))
    return [
      'Trigger',
      `is ${quoteText(trigger)}; a trigger is a kind and a value, such as token:tok_do_not_honor`,
    ];
  if (event === null) return explainNoCall(match);
  const why = explainNeverSent(event as EventType, match.body ?? {});
  return why === null ? null : ['Body', `is impossible: ${why}`];
}

function explainNoCall(match: Match): ImpossibleCondition | null {
  const { operation = null, method = null, path = null, body = null } = match;
  let rows: readonly AnyRow[] = SERVICE_ROWS;
  if (operation !== null)
    rows = rows.filter((row) => listRowOperations(row).includes(operation as Operation));
  if (rows.length === 0) return ['Operation', `is ${operation}, which comes without a call`];
  // A call to an unknown path or with a wrong method is refused, and has no operation.
  if (operation !== null || !matchesOnlyRefused(match)) {
    const called = path === null ? rows : rows.filter((row) => mayHavePath(row, path));
    if (called.length === 0) return explainNoPath(path ?? '', operation, rows);
    const methods = listRowMethods(called);
    if (method !== null && !methods.includes(method.toUpperCase()))
      return ['Method', `is ${quoteText(method)}; it must be one of ${methods.join(', ')}`];
    rows = called.filter((row) => method === null || listRowMethods([row]).includes(method.toUpperCase()));
  }
  const shapes = rows.flatMap(({ body: schema }) => (schema === undefined ? [] : [shapeOf(schema)]));
  return body === null ? null : explainNoBody(body, shapes, 'Body');
}

/** Whether only calls that were refused match. */
function matchesOnlyRefused({ status = null, result = null }: Match): boolean {
  return result === 'refused' || (status ?? 0) >= 400;
}

function listRowOperations({ operation, operations = [] }: AnyRow): readonly Operation[] {
  return typeof operation === 'string' ? [operation] : operations;
}

function listRowMethods(rows: readonly AnyRow[]): readonly string[] {
  const methods = new Set(rows.map(({ method }) => method.toUpperCase()));
  return methods.has('GET') ? [...methods, 'HEAD'] : [...methods];
}

/** Whether a path, in which `*` matches any characters, may be that of an operation. */
function mayHavePath({ path }: AnyRow, pattern: string): boolean {
  if (!patternsOverlap(path.replaceAll(/\{\w+\}/g, '*'), pattern)) return false;
  const words = pattern.split('/');
  return (
    pattern.includes('*') || path.split('/').every((word, n) => word !== '{id}' || isUuid(words[n] ?? ''))
  );
}

/** Null for a path that resembles none: a test may well be about calls of unknown paths. */
function explainNoPath(
  path: string,
  operation: string | null,
  rows: readonly AnyRow[],
): ImpossibleCondition | null {
  const paths = [...new Set(rows.map((row) => row.path))];
  const [near] = findNearest(path.replace(/\/?\*.*$/, ''), paths, 1);
  if (operation !== null) return ['Path', `is ${quoteText(path)}; ${operation} is at ${paths.join(', ')}`];
  return near === undefined
    ? null
    : [
        'Path',
        `is ${quoteText(path)}, which no operation has. Did you mean ${near}? For calls that were refused, add a Status`,
      ];
}

/** Why no body of these operations has such fields. Names are compared without letter case, as in the sdk dialect. */
function explainNoBody(body: object, shapes: readonly Shape[], path: string): ImpossibleCondition | null {
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    const here = `${path}.${shortenText(name, NAME_SHOWN_MAX)}`;
    const found = shapes.flatMap(
      ({ fields, bySmallName }) => fields?.get(bySmallName?.get(name.toLowerCase()) ?? '') ?? [],
    );
    if (found.length === 0) {
      const known = new Set(shapes.flatMap(({ fields }) => [...(fields?.keys() ?? [])]));
      return [here, `is a field that no such call has${didYouMean(name, known)}`];
    }
    if (!isObject(value) || found.some(({ digits }) => digits === 'as sent')) continue;
    const within = found.filter(({ fields }) => fields !== undefined);
    const why =
      within.length === 0 ? ([here, 'is never an object'] as const) : explainNoBody(value, within, here);
    if (why !== null) return why;
  }
  return null;
}

const NAME_SHOWN_MAX = 64;

/** Why a condition looks like a mistake, although a call may meet it: a `Reference` with `.*`. Null if it does not. */
export function findLikelyMistake(match: Match): string | null {
  const { reference = null, path = null, operation = null, status = null, event = null } = match;
  const foreign = reference === null ? null : foreignPattern(reference);
  if (foreign !== null)
    return `Reference ${quoteText(reference ?? '')} looks like ${foreign}, but is compared as it is`;
  if (event !== null || matchesOnlyRefused(match)) return null;
  if (path !== null && !SERVICE_ROWS.some((row) => mayHavePath(row, path)))
    return `no operation has the path ${quoteText(path)}`;
  const usual = SERVICE_ROWS.find((row) => listRowOperations(row).includes(operation as Operation));
  const isOdd =
    usual !== undefined &&
    status !== null &&
    status >= 200 &&
    status < 300 &&
    status !== findSuccessStatus(usual);
  return isOdd
    ? `${operation} is answered with ${findSuccessStatus(usual)} if it succeeds, not with ${status}`
    : null;
}
