import { isObject } from '../core/text/text.js';
import { maskPans } from '../core/cards/card.js';
import { OWN_MAPS } from '../core/dialect/sdk.js';
import { formatInstant } from '../core/time/time.js';
import { type Entry, maskReference, type CallResult, classifyResult } from './entry.js';
import { maskBody } from './mask.js';
import { parseBodyText } from './completed-call.js';
import { maskSecrets } from '../core/text/secrets.js';

/** The searchable fields of an entry; for a delivery, those of its last attempt. */
export type Searchable = Pick<
  Entry,
  | 'id'
  | 'at'
  | 'operation'
  | 'method'
  | 'path'
  | 'status'
  | 'precedence'
  | 'fault'
  | 'trigger'
  | 'reference'
  | 'request'
  | 'isUndone'
>;

/** The conditions on entries. A field that is null or left out matches all. */
export interface Match {
  /** Matches deliveries of this event instead of entries. */
  readonly event?: string | null;
  readonly operation?: string | null;
  readonly method?: string | null;
  /** `*` stands for any characters. */
  readonly path?: string | null;
  readonly status?: number | null;
  readonly result?: CallResult | null;
  readonly trigger?: string | null;
  readonly reference?: string | null;
  readonly since?: number | null;
  readonly until?: number | null;
  readonly undone?: boolean | null;
  readonly body?: Readonly<Record<string, unknown>> | null;
}

export interface Condition {
  readonly field: string;
  readonly wanted: unknown;
  readonly found: (entry: Searchable) => unknown;
  readonly holds: (entry: Searchable) => boolean;
}

interface EntryDifference {
  readonly field: string;
  readonly wanted: unknown;
  readonly found: unknown;
}

export interface NearMiss<E extends Searchable> {
  readonly entry: E;
  readonly differences: readonly EntryDifference[];
}

export function buildConditions(match: Match): Condition[] {
  const conditions: Condition[] = [];
  const { since = null, until = null, path = null, body = null } = match;
  addEqualCondition(conditions, 'Operation', match.operation, (entry) => entry.operation);
  addEqualCondition(conditions, 'Method', match.method?.toUpperCase(), (entry) => entry.method);
  const maskedPath = path === null ? null : maskPans(path);
  addEqualCondition(conditions, 'Path', maskedPath, (entry) => entry.path, matchesPathGlob);
  addEqualCondition(conditions, 'Status', match.status, (entry) => entry.status);
  addEqualCondition(conditions, 'Result', match.result, classifyResult);
  addEqualCondition(conditions, 'Trigger', match.trigger, (entry) => entry.trigger);
  // Entries are masked, so mask the conditions as well.
  addEqualCondition(conditions, 'Reference', maskOptionalReference(match.reference), (entry) =>
    maskOptionalReference(entry.reference),
  );
  addEqualCondition(conditions, 'Undone', match.undone, (entry) => entry.isUndone);
  const found = ({ at }: Searchable): string => formatInstant(at);
  if (since !== null)
    conditions.push({ field: 'Since', wanted: formatInstant(since), found, holds: ({ at }) => at >= since });
  if (until !== null)
    conditions.push({ field: 'Until', wanted: formatInstant(until), found, holds: ({ at }) => at < until });
  if (body !== null) addFieldConditions(conditions, maskBody(body) as object, []);
  return conditions;
}

function maskOptionalReference(reference: string | null | undefined): string | null {
  return reference === null || reference === undefined ? null : maskReference(reference);
}

export function addEqualCondition<T>(
  conditions: Condition[],
  field: string,
  wanted: T | null | undefined,
  found: (entry: Searchable) => T | null,
  isLike: (found: T, wanted: T) => boolean = Object.is,
): void {
  if (wanted === null || wanted === undefined) return;
  const holds = (entry: Searchable): boolean => {
    const value = found(entry);
    return value !== null && isLike(value, wanted);
  };
  conditions.push({ field, wanted, found, holds });
}

/** Adds a condition for each wanted field, also in nested objects, so that a difference can name it. */
function addFieldConditions(conditions: Condition[], wanted: object, path: readonly string[]): void {
  for (const [name, inner] of Object.entries(wanted) as [string, unknown][]) {
    const here = [...path, name];
    if (isObject(inner) && Object.keys(inner).length > 0) {
      addFieldConditions(conditions, inner, here);
      continue;
    }
    const found = (entry: Searchable): unknown => findBodyField(parseBodyText(entry.request), here);
    const holds = (entry: Searchable): boolean => matchesValue(found(entry), inner);
    conditions.push({ field: `Body.${here.join('.')}`, wanted: inner, found, holds });
  }
}

/** Names are compared without letter case, as in the sdk dialect, except the keys of a caller's own maps. */
function findBodyField(body: unknown, path: readonly string[]): unknown {
  let value = body;
  for (const [n, name] of path.entries()) {
    if (!isObject(value)) return null;
    const lowerCase = OWN_MAPS.has(path[n - 1] ?? '') ? null : name.toLowerCase();
    const written = Object.hasOwn(value, name)
      ? name
      : Object.keys(value).find((key) => key.toLowerCase() === lowerCase);
    value = written === undefined ? null : value[written];
  }
  return value ?? null;
}

/** Whether a value contains what is wanted. Objects may have further fields, arrays no further elements. */
function matchesValue(found: unknown, wanted: unknown): boolean {
  if (wanted === null || wanted === undefined) return found === null || found === undefined;
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found) || found.length !== wanted.length) return false;
    return wanted.every((inner, i) => matchesValue(found[i], inner));
  }
  if (!isObject(wanted)) return found === wanted;
  return isObject(found) && Object.entries(wanted).every(([name, inner]) => matchesValue(found[name], inner));
}

/** Whether a text matches a pattern in which `*` stands for any characters. Takes time linear in both. */
export function matchesPathGlob(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

export function meetsConditions(entry: Searchable, conditions: readonly Condition[]): boolean {
  return conditions.every((condition) => condition.holds(entry));
}

/** The entries with the fewest differences, the newest first among equals. */
export function findNearMisses<E extends Searchable>(
  entries: Iterable<E>,
  conditions: readonly Condition[],
  count: number,
): NearMiss<E>[] {
  const misses: NearMiss<E>[] = [];
  for (const entry of entries) {
    const differences = conditions
      .filter((condition) => !condition.holds(entry))
      .map(({ field, wanted, found }) => ({ field, wanted, found: found(entry) }));
    if (differences.length > 0) misses.push({ entry, differences });
  }
  return misses.toSorted((a, b) => a.differences.length - b.differences.length).slice(0, count);
}

/**
 * Tests whether an entry contains a text, in any letter case: in its path, status, bodies, trigger and the like. Only what the
 * journal shows is searched. So a card number is found by its mask, and a whole one also finds its mask.
 */
export function buildTextFilter(wanted: string): (entry: Entry) => boolean {
  const plain = [wanted, maskSecrets(wanted)].map((text) => text.toLowerCase());
  // Within JSON, quotes and line breaks are escaped.
  const forms = [...new Set([...plain, ...plain.map((text) => JSON.stringify(text).slice(1, -1))])];
  const hasStar = forms.some((form) => form.includes('*'));
  const isIn = (text: string): boolean => {
    const small = text.toLowerCase();
    return forms.some((form) => small.includes(form));
  };
  // Masking only removes characters or replaces them by `*`, so most answers need not be masked to see that they do not match.
  const sought = hasStar ? [''] : forms;
  return (entry) =>
    isIn(searchedHead(entry)) ||
    (entry.request !== null && isIn(entry.request)) ||
    (entry.mayContain(sought) && isIn(JSON.stringify(entry.answer)));
}

/** The texts in a line of the journal, without the bodies. */
function searchedHead(entry: Entry): string {
  const { method, path, query, operation, status, requestId, trigger, rule, fault, warning } = entry;
  return [`${method} ${path}?${query}`, operation, status, requestId, trigger, rule, fault, warning].join(
    '\n',
  );
}
