/** The first line of a batch, exactly. */
export const HEADER = 'PaymentMethodId,Amount,Currency,Reference';
/** The fields of a row. */
export const FIELDS = 4;

export const LF = 0x0a;
export const CR = 0x0d;
export const QUOTE = 0x22;
export const COMMA = 0x2c;

/** A byte order mark is a character like others here. */
export const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** One row as its four fields, unquoted. */
export interface Row {
  readonly paymentMethodId: string;
  readonly amount: string;
  readonly currency: string;
  readonly reference: string;
}

/** Where the content of a row ends: before its line end. */
export function rowEnd(text: Uint8Array, from: number, next: number): number {
  let end = next;
  if (end > from && text[end - 1] === LF) end--;
  if (end > from && text[end - 1] === CR) end--;
  return end;
}

/** Reads the row between two offsets of an index. The strings are their own: they keep no buffer alive. */
export function readRow(text: Uint8Array, from: number, next: number): Row {
  const to = rowEnd(text, from, next);
  let first = 0;
  let second = 0;
  let third = 0;
  for (let at = from; at < to; at++) {
    const byte = text[at] ?? 0;
    if (byte === QUOTE || byte > 0x7f) return readRichRow(text, from, to);
    if (byte !== COMMA) continue;
    if (first === 0) first = at;
    else if (second === 0) second = at;
    else third = at;
  }
  return {
    paymentMethodId: ascii(text, from, first),
    amount: ascii(text, first + 1, second),
    currency: ascii(text, second + 1, third),
    reference: ascii(text, third + 1, to),
  };
}

/** How many characters can safely be arguments of one call. */
const ARGUMENTS_MAX = 4096;

function ascii(text: Uint8Array, from: number, to: number): string {
  if (to - from > ARGUMENTS_MAX) return UTF8.decode(text.subarray(from, to));
  const codes = new Array<number>(to - from);
  for (let at = from; at < to; at++) codes[at - from] = text[at] ?? 0;
  return String.fromCharCode.apply(null, codes);
}

/** A row with quotes or characters beyond ASCII. */
function readRichRow(text: Uint8Array, from: number, to: number): Row {
  const [paymentMethodId = '', amount = '', currency = '', reference = ''] = splitRow(
    UTF8.decode(text.subarray(from, to)),
  );
  return { paymentMethodId, amount, currency, reference };
}

/** The fields of a well-formed row without its line end, unquoted. */
export function splitRow(row: string): string[] {
  const fields: string[] = [];
  for (let at = 0; at <= row.length;) {
    const end = row.charCodeAt(at) === QUOTE ? endOfQuoted(row, at) : endOfPlain(row, at);
    const field = row.slice(at, end);
    fields.push(field.charCodeAt(0) === QUOTE ? field.slice(1, -1).replaceAll('""', '"') : field);
    at = end + 1;
  }
  return fields;
}

function endOfPlain(row: string, from: number): number {
  const comma = row.indexOf(',', from);
  return comma < 0 ? row.length : comma;
}

/** Behind the closing quote. */
function endOfQuoted(row: string, from: number): number {
  let at = row.indexOf('"', from + 1);
  while (row.charCodeAt(at + 1) === QUOTE) at = row.indexOf('"', at + 2);
  return at + 1;
}

/** A field as it stands in a line, in quotes where RFC 4180 asks for them. */
export function quoteField(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
