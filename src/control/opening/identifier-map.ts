import { isObject } from '../../core/text/text.js';

/** Marks an identifier without a counterpart in an outline. */
export const UNKNOWN_ID = '?';

/** The format of an identifier in a field `…Id`. */
const ID_VALUE = /^[\w-]{8,128}$/;
/** Identifiers in other fields: 32 hex digits, a UUID, or text such as `ch_69d727b93d13bb28ec3f9f7a`. */
const ID =
  /[\da-f]{12}(?=\/[\da-f]{32})|[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}|[\da-fA-F]{32}|[a-z]{2,8}_(?=[a-zA-Z]*\d)[\da-zA-Z]{14,64}/;
const DATE_TIME = /\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)?/;
/** Whole words only. Group 1 is a date, group 2 an identifier. */
const TOKEN = new RegExp(String.raw`(?<![\w-])(?:(${DATE_TIME.source})|(${ID.source}))(?![\w-])`, 'g');
const WORD = /[\w-]{8,128}/g;

/** The origin of a page of the sandbox, which depends on the address of the request. */
const OWN_PAGE = /^https?:\/\/[^/\s]+(?=\/_sandbox\/)/;

/** A text with marks in place of its identifiers and date-times. */
interface ParsedText {
  readonly skeleton: string;
  readonly ids: readonly string[];
}

/** An identifier in a request without a counterpart in the replay. */
export interface MissingId {
  readonly id: string;
  /** The call whose recorded answer had it first; null if none had. */
  readonly call: number | null;
}

/** Maps identifiers of the recording to those of the replay: those of answers by their place; those of requests stay. */
export class IdentifierMap {
  readonly #replayed = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  /** The first recorded call whose answer had an identifier. */
  readonly #givenBy = new Map<string, number>();

  /** Whether two identifiers in the same place correspond. If both are new, they correspond from now on. */
  pair(recorded: string, replayed: string): boolean {
    const known = this.#replayed.get(recorded);
    if (known !== undefined) return known === replayed;
    if (this.#recorded.has(replayed)) return false;
    this.#replayed.set(recorded, replayed);
    this.#recorded.set(replayed, recorded);
    return true;
  }

  /** Whether two texts are equal except for dates and for identifiers that correspond. */
  isAlike(field: string, recorded: string, replayed: string): boolean {
    if (isIdField(field) && ID_VALUE.test(recorded) && ID_VALUE.test(replayed)) {
      return this.pair(recorded, replayed);
    }
    const [one, other] = [splitIds(recorded), splitIds(replayed)];
    if (one.skeleton !== other.skeleton) return false;
    return one.ids.filter((id, n) => !this.pair(id, other.ids[n] ?? '')).length === 0;
  }

  /** A recorded value with the identifiers of the replay and without dates, to compare with `outlineReplayed`. */
  outlineRecorded(value: unknown): string {
    return formatOutline(value, (id) => this.#replayed.get(id) ?? UNKNOWN_ID);
  }

  outlineReplayed(value: unknown): string {
    return formatOutline(value, (id) => (this.#recorded.has(id) ? id : UNKNOWN_ID));
  }

  noteAnswer(call: number, answer: unknown): void {
    for (const id of findIds(answer).keys()) if (!this.#givenBy.has(id)) this.#givenBy.set(id, call);
  }

  /** A recorded request, or a part of one, with the identifiers of the replay. */
  translate<T>(value: T): T {
    return mapTexts(value, (text) => text.replaceAll(WORD, (word) => this.#replayed.get(word) ?? word)) as T;
  }

  /** Identifiers of a recorded request without a counterpart. One that no answer returned corresponds to itself from now on. */
  findMissing(request: unknown): readonly MissingId[] {
    const found: MissingId[] = [];
    for (const [id, field] of findIds(request)) {
      if (this.#replayed.has(id)) continue;
      const call = this.#givenBy.get(id) ?? null;
      if (call === null) this.pair(id, id);
      // Hardly any call creates a provider, and one that does is compared itself.
      if (!/^provider_?id$/i.test(field)) found.push({ id, call });
    }
    return found;
  }
}

function isIdField(name: string): boolean {
  return /(?:Id|ID|_id)$/.test(name);
}

function splitIds(text: string): ParsedText {
  const ids: string[] = [];
  const skeleton = text
    .replace(OWN_PAGE, '')
    .replaceAll(TOKEN, (_, date: string | undefined, id: string | undefined) => {
      if (date !== undefined) return '\u0000T';
      ids.push(id ?? '');
      return '\u0000I';
    });
  return { skeleton, ids };
}

/** A value as text, independent of the order of its fields. */
function formatOutline(value: unknown, counterpart: (id: string) => string): string {
  const plain = mapTexts(value, (text, field) => {
    if (isIdField(field) && ID_VALUE.test(text)) return counterpart(text);
    const { skeleton, ids } = splitIds(text);
    return [skeleton, ...ids.map(counterpart)].join('\u0002');
  });
  return JSON.stringify(plain, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(compareNames)) : inner,
  );
}

function compareNames([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function findIds(value: unknown): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  mapTexts(value, (text, field) => {
    const found = isIdField(field) && ID_VALUE.test(text) ? [text] : splitIds(text).ids;
    for (const id of found) if (!ids.has(id)) ids.set(id, field);
    return text;
  });
  return ids;
}

/** A copy of a value with each text replaced; the names of fields stay. */
function mapTexts(value: unknown, make: (text: string, field: string) => string, field = ''): unknown {
  if (typeof value === 'string') return make(value, field);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, make, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, make, name)]),
  );
}
