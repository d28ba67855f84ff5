import type { Entry } from './model.js';

/** Most entries fit into this many bytes. */
const SLOT_BYTES = 2048;
/** A unit of a text has at most three bytes. */
const UNIT_BYTES = 3;
/** In front of each stand-in; none holds one. */
const COMMA = ',';
/** Numbers of a slot: those of the entry, then the length of each of its texts, -1 where there is none. */
const NUMBERS = 5;
const TEXTS = 10;
const COLUMNS = NUMBERS + TEXTS;

/** What is kept of an entry outside its slot: numbers, flags, and words that all entries share. */
type Words = Pick<
  Entry,
  'method' | 'operation' | 'fault' | 'precedence' | 'truncated' | 'requestTruncated' | 'headers'
>;

/** The memory of a slot whose texts have about so many characters. */
export function slotBytes(characters: number): number {
  return characters <= SLOT_BYTES ? SLOT_BYTES : UNIT_BYTES * characters;
}

/**
 * Entries as bytes, in slots that are written over, and columns of numbers. A ring of objects would live just long
 * enough to be carried along by the collector of garbage each time, and cost every call more than what it does.
 */
export class Slots {
  readonly #bytes: (Uint8Array | undefined)[] = [];
  readonly #lengths: number[] = [];
  /** `COLUMNS` numbers for each slot: at, realAt, durationMs, status, bytes, lengths. */
  readonly #numbers: number[] = [];
  readonly #words: (Words | undefined)[] = [];
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  put(slot: number, entry: Entry): void {
    const numbers = this.#numbers;
    const at = slot * COLUMNS;
    numbers[at] = entry.at;
    numbers[at + 1] = entry.realAt;
    numbers[at + 2] = entry.durationMs;
    numbers[at + 3] = entry.status;
    numbers[at + 4] = entry.bytes;
    const { path, query, requestId, trigger, rule, reference, warning, stand, request, response } = entry;
    const stands = stand.length === 0 ? '' : COMMA + stand.join(COMMA);
    numbers[at + 5] = path.length;
    numbers[at + 6] = query.length;
    numbers[at + 7] = requestId.length;
    numbers[at + 8] = lengthOf(trigger);
    numbers[at + 9] = lengthOf(rule);
    numbers[at + 10] = lengthOf(reference);
    numbers[at + 11] = lengthOf(warning);
    numbers[at + 12] = stands.length;
    numbers[at + 13] = lengthOf(request);
    numbers[at + 14] = lengthOf(response);
    const head =
      path + query + requestId + (trigger ?? '') + (rule ?? '') + (reference ?? '') + (warning ?? '');
    this.#write(slot, head + stands + (request ?? '') + (response ?? ''));
    if (!isAlike(this.#words[slot], entry)) this.#words[slot] = wordsOf(entry);
  }

  #write(slot: number, text: string): void {
    let bytes = this.#bytes[slot] ?? new Uint8Array(SLOT_BYTES);
    let result = this.#encoder.encodeInto(text, bytes);
    if (result.read < text.length) {
      bytes = new Uint8Array(UNIT_BYTES * text.length);
      result = this.#encoder.encodeInto(text, bytes);
    }
    this.#bytes[slot] = bytes;
    this.#lengths[slot] = result.written;
  }

  /** The entry of a slot; which number it has, the journal knows. */
  get(slot: number, id: number): Entry {
    const text = this.#decoder.decode(this.#bytes[slot]?.subarray(0, this.#lengths[slot]));
    let from = 0;
    const part = (n: number): string | null => {
      const length = this.#numbers[slot * COLUMNS + NUMBERS + n] ?? 0;
      if (length < 0) return null;
      from += length;
      return text.slice(from - length, from);
    };
    const words = this.#words[slot];
    if (words === undefined) throw new Error(`The journal has no entry in slot ${slot}`);
    const number = (n: number): number => this.#numbers[slot * COLUMNS + n] ?? 0;
    return {
      id,
      at: number(0),
      realAt: number(1),
      durationMs: number(2),
      status: number(3),
      bytes: number(4),
      ...words,
      path: part(0) ?? '',
      query: part(1) ?? '',
      requestId: part(2) ?? '',
      trigger: part(3),
      rule: part(4),
      reference: part(5),
      warning: part(6),
      stand: (part(7) ?? '').split(COMMA).slice(1),
      request: part(8),
      response: part(9),
    };
  }

  /** By the world's clock. */
  atOf(slot: number): number {
    return this.#numbers[slot * COLUMNS] ?? 0;
  }

  sizeOf(slot: number): number {
    return this.#numbers[slot * COLUMNS + 4] ?? 0;
  }

  /** Lets go of a slot that grew beyond the usual size; a usual one is kept for the next entry. */
  free(slot: number): void {
    if ((this.#bytes[slot]?.length ?? 0) > SLOT_BYTES) this.#bytes[slot] = undefined;
  }

  /** Lets go of a slot whatever its size. */
  drop(slot: number): void {
    this.#bytes[slot] = undefined;
  }

  clear(): void {
    this.#bytes.length = 0;
    this.#words.length = 0;
  }
}

function lengthOf(text: string | null): number {
  return text === null ? -1 : text.length;
}

/** Calls repeat themselves: the words of the entry before in a slot are mostly those of the next. */
function isAlike(words: Words | undefined, entry: Entry): boolean {
  return (
    words !== undefined &&
    words.operation === entry.operation &&
    words.headers === entry.headers &&
    words.method === entry.method &&
    words.fault === entry.fault &&
    words.precedence === entry.precedence &&
    words.truncated === entry.truncated &&
    words.requestTruncated === entry.requestTruncated
  );
}

function wordsOf(entry: Entry): Words {
  const { method, operation, fault, precedence, truncated, requestTruncated, headers } = entry;
  return { method, operation, fault, precedence, truncated, requestTruncated, headers };
}
