/** Bytes of the first page. Each further page is twice as large as the one before, up to the maximum. */
const PAGE_MIN = 4 * 1024;
const PAGE_MAX = 64 * 1024;
/** The maximum bytes of UTF-8 per character of a string. */
const BYTES_A_CHARACTER = 3;

const encoder = new TextEncoder();
/** A byte order mark is a part of the text: a request that begins with one is refused. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

interface TextPage {
  readonly bytes: Uint8Array;
  used: number;
  /** The number of pairs in it that were not released. */
  pairs: number;
}

/** The bodies of a call in a page: the request from `from`, and right after it, from `between` up to `to`, the answer. */
export interface TextPair {
  readonly page: TextPage;
  readonly from: number;
  readonly between: number;
  readonly to: number;
}

/** Stores bodies in reused pages of bytes. The garbage collector moved strings twice, 1.4 kB per call. */
export class TextPages {
  #page = createTextPage(0);
  #spare: TextPage | null = null;

  /** Stores two texts until they are released. Null and an empty text are both read back as null. */
  store(request: string | null, answer: string | null): TextPair {
    const page = this.#requirePage(BYTES_A_CHARACTER * ((request?.length ?? 0) + (answer?.length ?? 0)));
    const from = page.used;
    const between = appendText(page, request);
    const to = appendText(page, answer);
    page.pairs++;
    return { page, from, between, to };
  }

  /** Frees the space of two texts, which must not be read again. */
  release({ page }: TextPair): void {
    page.pairs--;
    if (page.pairs > 0) return;
    page.used = 0;
    if (page !== this.#page && page.bytes.length === PAGE_MAX) this.#spare = page;
  }

  /** The current page, or the next one if it has no room for so many bytes. */
  #requirePage(bytes: number): TextPage {
    const { bytes: current } = this.#page;
    if (current.length - this.#page.used >= bytes) return this.#page;
    const spare = bytes <= PAGE_MAX ? this.#spare : null;
    if (spare !== null) this.#spare = null;
    const usual = Math.min(PAGE_MAX, Math.max(PAGE_MIN, 2 * current.length));
    return (this.#page = spare ?? createTextPage(Math.max(usual, bytes)));
  }
}

export function readTextPair({ page, from, between, to }: TextPair): [string | null, string | null] {
  return [readPageText(page, from, between), readPageText(page, between, to)];
}

function createTextPage(length: number): TextPage {
  return { bytes: new Uint8Array(length), used: 0, pairs: 0 };
}

/** Appends a text to a page, and returns where it ends. */
function appendText(page: TextPage, text: string | null): number {
  if (text !== null) page.used += encoder.encodeInto(text, page.bytes.subarray(page.used)).written;
  return page.used;
}

function readPageText({ bytes }: TextPage, from: number, to: number): string | null {
  return from === to ? null : decoder.decode(bytes.subarray(from, to));
}
