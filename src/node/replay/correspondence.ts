import { isObject } from '../../core/text.js';

/** Stands in an outline for an identifier that has no counterpart yet. */
export const UNKNOWN_ID = '?';

/** The value of a field `…Id` is an identifier where it looks like this, whatever the service's own look like. */
const ID_VALUE = /^[\w-]{8,128}$/;
/** What is an identifier in any field: 32 hex digits, a UUID, or text such as `ch_69d727b93d13bb28ec3f9f7a`. */
const ID =
  /[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}|[\da-fA-F]{32}|[a-z]{2,8}_(?=[a-zA-Z]*\d)[\da-zA-Z]{14,64}/;
const DATE_TIME = /\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)?/;
/** Either of them as a word of its own: dates are the first group, identifiers the second. */
const TOKEN = new RegExp(String.raw`(?<![\w-])(?:(${DATE_TIME.source})|(${ID.source}))(?![\w-])`, 'g');
const WORD = /[\w-]{8,128}/g;

/** The origin of an address of the sandbox itself: that under which it was called. */
const OWN_PAGE = /^https?:\/\/[^/\s]+(?=\/_sandbox\/)/;

/** What stands between the identifiers and date-times of a text, with a mark for each of them. */
interface Parsed {
  readonly skeleton: string;
  readonly ids: readonly string[];
}

/** An identifier of a request for which the replay has none. */
export interface Missing {
  readonly id: string;
  /** The call that gave it in the recording; null: none did. */
  readonly call: number | null;
}

/**
 * Which identifier of the replay stands for which of the recording. An answer's identifiers correspond by their
 * places; what a request brought itself stands for itself.
 */
export class Correspondence {
  readonly #replayed = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  /** Identifiers of the recorded answers, by the number of the call that gave them first. */
  readonly #givenBy = new Map<string, number>();

  /** Whether two identifiers in the same place correspond; the first time that they are met, they do. */
  pair(recorded: string, replayed: string): boolean {
    const known = this.#replayed.get(recorded);
    if (known !== undefined) return known === replayed;
    if (this.#recorded.has(replayed)) return false;
    this.#replayed.set(recorded, replayed);
    this.#recorded.set(replayed, recorded);
    return true;
  }

  /** Whether two texts say the same but for identifiers that correspond, and for when. */
  isAlike(member: string, recorded: string, replayed: string): boolean {
    if (isIdMember(member) && ID_VALUE.test(recorded) && ID_VALUE.test(replayed)) {
      return this.pair(recorded, replayed);
    }
    const [one, other] = [parse(recorded), parse(replayed)];
    if (one.skeleton !== other.skeleton) return false;
    return one.ids.filter((id, n) => !this.pair(id, other.ids[n] ?? '')).length === 0;
  }

  /** What a recorded value says, with the identifiers of the replay and without dates: to be compared with `outlineReplayed`. */
  outlineRecorded(value: unknown): string {
    return outline(value, (id) => this.#replayed.get(id) ?? UNKNOWN_ID);
  }

  outlineReplayed(value: unknown): string {
    return outline(value, (id) => (this.#recorded.has(id) ? id : UNKNOWN_ID));
  }

  /** Notes which identifiers a recorded answer gave, for `missing`. */
  note(call: number, answer: unknown): void {
    for (const id of idsIn(answer).keys()) if (!this.#givenBy.has(id)) this.#givenBy.set(id, call);
  }

  /** A recorded request, or a part, as it is sent now: with the identifiers of the replay. */
  translate<T>(value: T): T {
    return mapTexts(value, (text) => text.replaceAll(WORD, (word) => this.#replayed.get(word) ?? word)) as T;
  }

  /**
   * The identifiers of a recorded request that the replay has none for. One that no answer gave stands for itself from
   * now on: what a request brings comes back as it is.
   */
  missing(request: unknown): readonly Missing[] {
    const found: Missing[] = [];
    for (const [id, member] of idsIn(request)) {
      if (this.#replayed.has(id)) continue;
      const call = this.#givenBy.get(id) ?? null;
      if (call === null) this.pair(id, id);
      // Hardly any call makes a provider, and one that does is compared itself.
      if (!/^provider_?id$/i.test(member)) found.push({ id, call });
    }
    return found;
  }
}

function isIdMember(name: string): boolean {
  return /(?:Id|ID|_id)$/.test(name);
}

function parse(text: string): Parsed {
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

/** A value as a text, whatever the order of its fields. */
function outline(value: unknown, counterpart: (id: string) => string): string {
  const plain = mapTexts(value, (text, member) => {
    if (isIdMember(member) && ID_VALUE.test(text)) return counterpart(text);
    const { skeleton, ids } = parse(text);
    return [skeleton, ...ids.map(counterpart)].join('\u0002');
  });
  return JSON.stringify(plain, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(byName)) : inner,
  );
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** All identifiers in a value, each once in their order, with the field that it is in. */
function idsIn(value: unknown): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  mapTexts(value, (text, member) => {
    const found = isIdMember(member) && ID_VALUE.test(text) ? [text] : parse(text).ids;
    for (const id of found) if (!ids.has(id)) ids.set(id, member);
    return text;
  });
  return ids;
}

/** A value with each text in it replaced by what `make` returns; the names of fields stay. */
function mapTexts(value: unknown, make: (text: string, member: string) => string, member = ''): unknown {
  if (typeof value === 'string') return make(value, member);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, make, member));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, make, name)]),
  );
}
