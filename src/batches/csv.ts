/** The first line of a batch, exactly. */
export const HEADER = 'PaymentMethodId,Amount,Currency,Reference';
/** The fields of a row. */
export const FIELDS = 4;

export const LF = 0x0a;
export const CR = 0x0d;
export const QUOTE = 0x22;
export const COMMA = 0x2c;

/** One row as its four fields, unquoted. */
export interface Row {
  readonly paymentMethodId: string;
  readonly amount: string;
  readonly currency: string;
  readonly reference: string;
}

/** The content of a row, without its line end; `next` is where the row after it begins. */
export function rowText(text: string, from: number, next: number): string {
  let end = next;
  if (end > from && text.charCodeAt(end - 1) === LF) end--;
  if (end > from && text.charCodeAt(end - 1) === CR) end--;
  return text.slice(from, end);
}

/** Reads the row between two offsets of an index. */
export function readRow(text: string, from: number, next: number): Row {
  const [paymentMethodId = '', amount = '', currency = '', reference = ''] = splitRow(
    rowText(text, from, next),
  );
  return { paymentMethodId, amount, currency, reference };
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
