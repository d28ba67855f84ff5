import type { Entry } from './model.js';

/** Most entries fit into this many bytes. */
const SLOT_BYTES = 2048;
const NUMBERS = 5;
/** Between the parts of an entry: JSON writes no line end. */
const PART = '\n';

/** The texts of an entry that differ from call to call, as they are written into a slot. */
type Texts = [
  path: string,
  query: string,
  requestId: string,
  trigger: string | null,
  rule: string | null,
  reference: string | null,
  ...stand: string[],
];

/** What is kept of an entry outside its slot: numbers, flags, and words that all entries share. */
type Words = Pick<Entry, 'method' | 'operation' | 'fault' | 'precedence' | 'truncated' | 'headers'>;

/**
 * Entries as bytes, in slots that are written over, and columns of numbers. A ring of objects would live just long
 * enough to be carried along by the collector of garbage each time, and cost every call more than what it does.
 */
export class Slots {
  readonly #bytes: (Uint8Array | undefined)[] = [];
  readonly #lengths: number[] = [];
  /** Five numbers for each slot: at, realAt, durationMs, status, bytes. */
  readonly #numbers: number[] = [];
  readonly #words: (Words | undefined)[] = [];
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  put(slot: number, entry: Entry): void {
    const { path, query, requestId, trigger, rule, reference, stand, request, response } = entry;
    const texts: Texts = [path, query, requestId, trigger, rule, reference, ...stand];
    this.#write(slot, JSON.stringify(texts) + PART + (request ?? '') + PART + (response ?? ''));
    const at = slot * NUMBERS;
    this.#numbers[at] = entry.at;
    this.#numbers[at + 1] = entry.realAt;
    this.#numbers[at + 2] = entry.durationMs;
    this.#numbers[at + 3] = entry.status;
    this.#numbers[at + 4] = entry.bytes;
    if (!isAlike(this.#words[slot], entry)) this.#words[slot] = wordsOf(entry);
  }

  #write(slot: number, text: string): void {
    let bytes = this.#bytes[slot] ?? new Uint8Array(SLOT_BYTES);
    let result = this.#encoder.encodeInto(text, bytes);
    if (result.read < text.length) {
      // A unit of a text has at most three bytes.
      bytes = new Uint8Array(3 * text.length);
      result = this.#encoder.encodeInto(text, bytes);
    }
    this.#bytes[slot] = bytes;
    this.#lengths[slot] = result.written;
  }

  /** The entry of a slot; which number it has, the journal knows. */
  get(slot: number, id: number): Entry {
    const text = this.#decoder.decode(this.#bytes[slot]?.subarray(0, this.#lengths[slot]));
    const [head = '', request = '', response = ''] = text.split(PART);
    const [path, query, requestId, trigger, rule, reference, ...stand] = JSON.parse(head) as Texts;
    const words = this.#words[slot];
    if (words === undefined) throw new Error(`The journal has no entry in slot ${slot}`);
    const number = (n: number): number => this.#numbers[slot * NUMBERS + n] ?? 0;
    return {
      id,
      at: number(0),
      realAt: number(1),
      durationMs: number(2),
      status: number(3),
      bytes: number(4),
      ...words,
      path,
      query,
      requestId,
      trigger,
      rule,
      reference,
      stand,
      request: request === '' ? null : request,
      response: response === '' ? null : response,
    };
  }

  /** By the world's clock. */
  atOf(slot: number): number {
    return this.#numbers[slot * NUMBERS] ?? 0;
  }

  sizeOf(slot: number): number {
    return this.#numbers[slot * NUMBERS + 4] ?? 0;
  }

  /** Lets go of a slot that grew beyond the usual size; a usual one is kept for the next entry. */
  free(slot: number): void {
    if ((this.#bytes[slot]?.length ?? 0) > SLOT_BYTES) this.#bytes[slot] = undefined;
  }

  clear(): void {
    this.#bytes.length = 0;
    this.#words.length = 0;
  }
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
    words.truncated === entry.truncated
  );
}

function wordsOf({ method, operation, fault, precedence, truncated, headers }: Entry): Words {
  return { method, operation, fault, precedence, truncated, headers };
}
