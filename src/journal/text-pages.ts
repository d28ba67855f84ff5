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

/** Where two texts are, one after the other. */
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
  store(one: string | null, other: string | null): TextPair {
    const page = this.#pageFor(BYTES_A_CHARACTER * ((one?.length ?? 0) + (other?.length ?? 0)));
    const from = page.used;
    const between = writeText(page, one);
    const to = writeText(page, other);
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

  #pageFor(bytes: number): TextPage {
    const last = this.#page;
    if (last.bytes.length - last.used >= bytes) return last;
    const usual = Math.min(PAGE_MAX, Math.max(PAGE_MIN, 2 * last.bytes.length));
    const spare = this.#spare;
    if (spare !== null && bytes <= PAGE_MAX) {
      this.#spare = null;
      this.#page = spare;
    } else {
      this.#page = createTextPage(Math.max(usual, bytes));
    }
    return this.#page;
  }
}

export function readTextPair({ page, from, between, to }: TextPair): [string | null, string | null] {
  return [readPageText(page, from, between), readPageText(page, between, to)];
}

function createTextPage(bytes: number): TextPage {
  return { bytes: new Uint8Array(bytes), used: 0, pairs: 0 };
}

function writeText(page: TextPage, text: string | null): number {
  if (text !== null) page.used += encoder.encodeInto(text, page.bytes.subarray(page.used)).written;
  return page.used;
}

function readPageText({ bytes }: TextPage, from: number, to: number): string | null {
  return from === to ? null : decoder.decode(bytes.subarray(from, to));
}
