import { CODE, refuse } from '../core/errors.js';
import { COMMA, CR, FIELDS, HEADER, LF, QUOTE, rowEnd, UTF8 } from './csv.js';

/** How many malformed lines a refusal names. */
const LINES_NAMED_MAX = 20;
/** A wrong header is shown up to this length. */
const HEADER_SHOWN_MAX = 80;
/** Bytes read between two turns of the event loop: less than a millisecond of work. */
const SLICE_BYTES = 64 * 1024;
/** A text that fills less of its buffer than this is copied, since the batch keeps the whole buffer. */
const FILLED_MIN = 0.75;

/** Lets other work of the event loop run. */
export type Pause = () => Promise<void>;

/** The text of a batch as it is kept, and where its rows are. */
export interface IndexedText {
  readonly text: Uint8Array;
  /** Offset of the first byte of each row, and of the end of the last. */
  readonly starts: Uint32Array;
}

/** Is told how many bytes of how many are read. */
type Told = (done: number, total: number) => void;

/**
 * Finds the rows of a batch in its UTF-8 text, in slices that give way to the event loop. Refuses the text whole:
 * code 102 for a wrong header, wrong quoting, a blank line, or a row with other than four fields; code 101 for no
 * rows, or more or fewer than `count`.
 */
export async function indexRows(
  text: Uint8Array,
  count: number,
  pause: Pause,
  told?: Told,
): Promise<IndexedText> {
  const kept = await compact(text, pause);
  const indexer = new RowIndexer(kept, requireHeader(kept), count);
  for (let to = SLICE_BYTES; to < kept.length; to += SLICE_BYTES) {
    indexer.readTo(to);
    told?.(to, kept.length);
    await pause();
  }
  indexer.readTo(kept.length);
  told?.(kept.length, kept.length);
  return { text: kept, starts: indexer.finish() };
}

async function compact(text: Uint8Array, pause: Pause): Promise<Uint8Array> {
  if (text.length >= FILLED_MIN * text.buffer.byteLength) return text;
  const copy = new Uint8Array(text.length);
  for (let from = 0; from < text.length; from += SLICE_BYTES) {
    copy.set(text.subarray(from, from + SLICE_BYTES), from);
    await pause();
  }
  return copy;
}

/** The offset of the second line. */
function requireHeader(text: Uint8Array): number {
  for (let at = 0; at < HEADER.length; at++) {
    if (text[at] !== HEADER.charCodeAt(at)) return refuseHeader(text);
  }
  const end = text[HEADER.length] === CR ? HEADER.length + 1 : HEADER.length;
  if (end >= text.length) return text.length;
  return text[end] === LF ? end + 1 : refuseHeader(text);
}

function refuseHeader(text: Uint8Array): never {
  return refuse(CODE.InvalidBatchData, `Line 1 is ${describeHeader(text)}; it must be exactly ${HEADER}.`, {
    details: { Batch: `line 1 must be exactly ${HEADER}` },
  });
}

function describeHeader(text: Uint8Array): string {
  // A character has at most four bytes; a byte order mark and line ends shall be seen.
  const [line = ''] = UTF8.decode(text.subarray(0, 4 * HEADER_SHOWN_MAX)).split(/\r?\n/, 1);
  if (line === '') return 'empty';
  // Names have no digits: this is a row, and rows are not repeated.
  if (/\d/.test(line)) return 'not the header but looks like a row';
  const shown = line.length > HEADER_SHOWN_MAX ? `${line.slice(0, HEADER_SHOWN_MAX)}…` : line;
  return JSON.stringify(shown).replace('\uFEFF', '\\uFEFF');
}

/** At the beginning of a field. */
const FIELD = 0;
const PLAIN = 1;
const QUOTED = 2;
/** After a quote within a quoted field: it ended the field, or another quote follows. */
const CLOSED = 3;
/** After a quoted field and a carriage return: only the line end may follow. */
const ENDED = 4;

/** Reads rows by RFC 4180, byte by byte; all bytes of the syntax are ASCII, so UTF-8 need not be decoded. */
class RowIndexer {
  private readonly starts: Uint32Array;
  private rows = 0;
  private at: number;
  private state = FIELD;
  private line = 2;
  /** The line and the offset at which the present row began, and its fields so far. */
  private rowLine = 2;
  private rowFrom: number;
  private fields = 1;
  private quoteLine = 0;
  /** Whether a quote stands where none may in the present row. */
  private stray = false;
  private malformed = 0;
  private readonly faults: string[] = [];

  constructor(
    private readonly text: Uint8Array,
    from: number,
    private readonly count: number,
  ) {
    this.at = from;
    this.rowFrom = from;
    // The shortest row is three commas; rows beyond the promised number are counted but not kept.
    this.starts = new Uint32Array(Math.min(count, Math.ceil((text.length - from) / FIELDS)) + 1);
  }

  /** Reads on to an offset; a row may go on behind it. */
  readTo(end: number): void {
    const { text } = this;
    let at = this.at;
    while (at < end) {
      const byte = text[at] ?? 0;
      at++;
      if (this.state === QUOTED) this.readQuoted(byte);
      else if (byte > COMMA && this.state <= PLAIN) {
        this.state = PLAIN;
        // Nothing above the comma means anything here: most bytes are read by this loop.
        while (at < end && (text[at] ?? 0) > COMMA) at++;
      } else if (byte === LF) this.endRow(at);
      else this.readSyntax(byte);
    }
    this.at = at;
  }

  private readQuoted(byte: number): void {
    if (byte === QUOTE) this.state = CLOSED;
    else if (byte === LF) this.line++;
  }

  private readSyntax(byte: number): void {
    if (byte === COMMA && this.state !== ENDED) {
      this.fields++;
      this.state = FIELD;
    } else if (byte === QUOTE && (this.state === FIELD || this.state === CLOSED)) {
      if (this.state === FIELD) this.quoteLine = this.line;
      this.state = QUOTED;
    } else if (byte === CR && this.state === CLOSED) {
      this.state = ENDED;
    } else {
      // What follows a closed field, or a quote within a plain one, is wrong; the rest is read as plain.
      if (byte === QUOTE || this.state >= CLOSED) this.stray = true;
      this.state = PLAIN;
    }
  }

  /** Ends the present row before `next`, where another may begin. */
  private endRow(next: number): void {
    const fault = this.faultOfRow(next);
    if (fault !== null) this.note(fault);
    else if (this.rows++ < this.count) this.starts[this.rows - 1] = this.rowFrom;
    this.line++;
    this.rowLine = this.line;
    this.rowFrom = next;
    this.fields = 1;
    this.stray = false;
    this.state = FIELD;
  }

  private faultOfRow(next: number): string | null {
    if (this.stray) return 'has a quote that neither opens nor closes a field';
    if (this.fields === FIELDS) return null;
    if (rowEnd(this.text, this.rowFrom, next) === this.rowFrom) return 'is blank';
    return `has ${this.fields} ${this.fields === 1 ? 'field' : 'fields'}`;
  }

  private note(fault: string): void {
    this.malformed++;
    if (this.faults.length < LINES_NAMED_MAX) this.faults.push(`line ${this.rowLine} ${fault}`);
  }

  /** The offsets of the rows once all is read, or the refusal. */
  finish(): Uint32Array {
    if (this.state === QUOTED) refuseData(`the quote that opens in line ${this.quoteLine} is never closed`);
    if (this.rowFrom < this.text.length) this.endRow(this.text.length);
    if (this.malformed > 0)
      refuseData(`${this.describeFaults()}; each row needs the ${FIELDS} fields of the header`);
    this.requireCount();
    this.starts[this.rows] = this.text.length;
    return this.starts;
  }

  private describeFaults(): string {
    const more = this.malformed - this.faults.length;
    return more === 0 ? this.faults.join(', ') : `${this.faults.join(', ')}, and ${more} more`;
  }

  private requireCount(): void {
    const { rows, count } = this;
    if (rows === 0) {
      refuse(CODE.InvalidBatch, 'Batch has no rows below its header.', { details: { Batch: 'has no rows' } });
    }
    if (rows === count) return;
    const reason = `is ${count}, Batch has ${rows} ${rows === 1 ? 'row' : 'rows'}`;
    refuse(CODE.InvalidBatch, `Count ${reason}.`, { details: { Count: reason } });
  }
}

function refuseData(reason: string): never {
  return refuse(CODE.InvalidBatchData, `Batch is not taken: ${reason}.`, { details: { Batch: reason } });
}
