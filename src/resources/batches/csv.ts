import { CODE, refuseField } from '../../core/errors.js';
import { parseCurrency } from '../../core/money.js';
import { quoteText } from '../../core/text/text.js';

export const HEADER = 'PaymentMethodId,Amount,Currency,Reference';
export const FIELDS = 4;

export const LF = 0x0a;
export const CR = 0x0d;
export const QUOTE = 0x22;
export const COMMA = 0x2c;

export interface BatchRow {
  readonly paymentMethodId: string;
  readonly amount: string;
  readonly currency: string;
  readonly reference: string;
}

/** The content of a row, without its line end. `next` is where the next row begins. */
export function rowText(text: string, from: number, next: number): string {
  let end = next;
  if (end > from && text.charCodeAt(end - 1) === LF) end--;
  if (end > from && text.charCodeAt(end - 1) === CR) end--;
  return text.slice(from, end);
}

/** Reads the row between two offsets of an index. */
export function parseCsvRow(text: string, from: number, next: number): BatchRow {
  const [paymentMethodId = '', amount = '', currency = '', reference = ''] = splitRow(
    rowText(text, from, next),
  );
  return { paymentMethodId, amount, currency: parseCurrency(currency) ?? currency, reference };
}

/** The fields of a well-formed row without its line end, unquoted. */
export function splitRow(row: string): string[] {
  const fields: string[] = [];
  for (let at = 0; at <= row.length;) {
    const isQuoted = row.charCodeAt(at) === QUOTE;
    const end = isQuoted ? endOfQuoted(row, at) : endOfPlain(row, at);
    fields.push(isQuoted ? row.slice(at + 1, end - 1).replaceAll('""', '"') : row.slice(at, end));
    at = end + 1;
  }
  return fields;
}

function endOfPlain(row: string, from: number): number {
  const comma = row.indexOf(',', from);
  return comma < 0 ? row.length : comma;
}

/** Returns the index after the closing quote. */
function endOfQuoted(row: string, from: number): number {
  let at = row.indexOf('"', from + 1);
  while (row.charCodeAt(at + 1) === QUOTE) at = row.indexOf('"', at + 2);
  return at + 1;
}

/** A field for a line of CSV, in quotes if RFC 4180 requires them. */
export function quoteField(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** The maximum number of malformed lines in a message. */
const LINES_NAMED_MAX = 20;
/** How many characters of a wrong header are shown, and how many are searched for digits. */
const HEADER_SHOWN_MAX = 80;
const HEADER_READ_MAX = 320;
/**
 * Finds the rows of a batch: the offset of the first character of each, and of the end of the last. Refuses the text
 * whole: code 102 for a wrong header, wrong quoting, a blank line, or a row with other than four fields; code 101 for
 * no rows, or more or fewer than `count`.
 */
export function indexRows(text: string, count: number): Uint32Array {
  return new RowIndexer(text, requireHeader(text), count).read();
}

/** The header and its line end. Each name may be in quotes, like a field of a row. */
const HEADER_LINE = new RegExp(`^${HEADER.replaceAll(/\w+/g, '(?:$&|"$&")')}\r?(?:\n|$)`);

/** Returns where the first row begins. */
function requireHeader(text: string): number {
  return HEADER_LINE.exec(text)?.[0].length ?? refuseHeader(text);
}

/** Characters that end a line for other programs, but are text in a batch. */
const ODD_LINE_ENDS: Readonly<Record<string, string>> = {
  '\r': 'CR alone',
  '\v': 'VT',
  '\f': 'FF',
  '\u0085': 'NEL (U+0085)',
  '\u2028': 'U+2028',
  '\u2029': 'U+2029',
};
const ODD_LINE_END = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/;

/** Why a text is not one line although it should be; null if it is. */
function describeLineEnd(text: string): string | null {
  const [found] = ODD_LINE_END.exec(text) ?? [];
  return found === undefined ? null : `ends in ${ODD_LINE_ENDS[found]}; end each line in LF or CR LF`;
}

function refuseHeader(text: string): never {
  const [line = ''] = text.slice(0, HEADER_READ_MAX).split(/\r?\n/, 1);
  const end = describeLineEnd(line);
  if (end !== null) return refuseBatchData(`line 1 ${end}`);
  const detail = `Line 1 is ${describeHeader(line)}; it must be exactly ${HEADER}.`;
  return refuseField(CODE.InvalidBatchData, 'Batch', `line 1 must be exactly ${HEADER}`, detail);
}

function describeHeader(line: string): string {
  if (line === '') return 'empty';
  // Names have no digits, so this is a row, which a message must not repeat.
  if (/\d/.test(line)) return 'a row instead of the header';
  const shown = line.length > HEADER_SHOWN_MAX ? `${line.slice(0, HEADER_SHOWN_MAX)}…` : line;
  return quoteText(shown, HEADER_SHOWN_MAX + 1);
}

/** At the start of a field. */
const FIELD = 0;
const PLAIN = 1;
const QUOTED = 2;
/** After a quote in a quoted field: the field has ended, or another quote follows. */
const CLOSED = 3;
/** After a quoted field and a carriage return: only the line end may follow. */
const ENDED = 4;

/** Reads rows as in RFC 4180, character by character. */
class RowIndexer {
  private readonly starts: Uint32Array;
  private rows = 0;
  private state = FIELD;
  private line = 2;
  /** The line and offset of the current row, and its fields so far. */
  private rowLine = 2;
  private fields = 1;
  private quoteLine = 0;
  /** Whether the current row has a misplaced quote. */
  private hasStrayQuote = false;
  private malformedCount = 0;
  private readonly faults: string[] = [];

  constructor(
    private readonly text: string,
    private rowFrom: number,
    private readonly count: number,
  ) {
    // The shortest row is three commas. Rows beyond `count` are counted but not stored.
    this.starts = new Uint32Array(Math.min(count, Math.ceil((text.length - rowFrom) / FIELDS)) + 1);
  }

  read(): Uint32Array {
    const { text } = this;
    const { length } = text;
    for (let at = this.rowFrom; at < length;) {
      const code = text.charCodeAt(at);
      at++;
      if (this.state === QUOTED) this.readQuoted(code);
      else if (code > COMMA && this.state <= PLAIN) {
        this.state = PLAIN;
        // Characters above the comma have no meaning here. This loop reads most characters.
        while (at < length && text.charCodeAt(at) > COMMA) at++;
      } else if (code === LF) this.endRow(at);
      else this.readSyntax(code);
    }
    return this.finish();
  }

  private readQuoted(code: number): void {
    if (code === QUOTE) this.state = CLOSED;
    else if (code === LF) this.line++;
  }

  private readSyntax(code: number): void {
    if (code === COMMA && this.state !== ENDED) {
      this.fields++;
      this.state = FIELD;
    } else if (code === QUOTE && (this.state === FIELD || this.state === CLOSED)) {
      if (this.state === FIELD) this.quoteLine = this.line;
      this.state = QUOTED;
    } else if (code === CR && this.state === CLOSED) {
      this.state = ENDED;
    } else {
      // A character after a closed field, or a quote within a plain one, is wrong: `"a"b` or `a"b`. The rest is read as plain.
      if (code === QUOTE || this.state >= CLOSED) this.hasStrayQuote = true;
      this.state = PLAIN;
    }
  }

  private endRow(next: number): void {
    const fault = this.findRowFault(next);
    if (fault !== null) this.noteFault(fault);
    else if (this.rows++ < this.count) this.starts[this.rows - 1] = this.rowFrom;
    this.line++;
    this.rowLine = this.line;
    this.rowFrom = next;
    this.fields = 1;
    this.hasStrayQuote = false;
    this.state = FIELD;
  }

  private findRowFault(next: number): string | null {
    if (this.hasStrayQuote) return 'has a misplaced quotation mark';
    if (this.fields === FIELDS) return null;
    const row = rowText(this.text, this.rowFrom, next);
    if (row === '') return 'is blank';
    return describeLineEnd(row) ?? `has ${this.fields} ${this.fields === 1 ? 'field' : 'fields'}`;
  }

  private noteFault(fault: string): void {
    this.malformedCount++;
    if (this.faults.length < LINES_NAMED_MAX) this.faults.push(`line ${this.rowLine} ${fault}`);
  }

  private finish(): Uint32Array {
    if (this.state === QUOTED)
      refuseBatchData(`the quotation mark opened in line ${this.quoteLine} is never closed`);
    if (this.rowFrom < this.text.length) this.endRow(this.text.length);
    if (this.malformedCount > 0)
      refuseBatchData(`${this.describeFaults()}; each row must have the ${FIELDS} fields of the header`);
    this.requireCount();
    this.starts[this.rows] = this.text.length;
    return this.starts;
  }

  private describeFaults(): string {
    const more = this.malformedCount - this.faults.length;
    return more === 0 ? this.faults.join(', ') : `${this.faults.join(', ')}, and ${more} more`;
  }

  private requireCount(): void {
    const { rows, count } = this;
    if (rows === 0) {
      refuseField(CODE.InvalidBatch, 'Batch', 'has no rows', 'Batch has no rows below its header.');
    }
    if (rows === count) return;
    const reason = `must be ${rows}, the number of rows in Batch, not ${count}`;
    refuseField(CODE.InvalidBatch, 'Count', reason);
  }
}

function refuseBatchData(reason: string): never {
  return refuseField(CODE.InvalidBatchData, 'Batch', reason, `Batch is malformed: ${reason}.`);
}
