import { bad, METHOD, PAN, post, refused, type Rows, row, taken, times } from './row.js';

const HEADER = 'PaymentMethodId,Amount,Currency,Reference';
const batch = (Batch: unknown, Count: unknown = 1, more: object = {}): string =>
  post('/batch/transaction/payment_method', { Count, Description: 'd', Batch, ...more });
const rows = (...all: string[]): string => batch([HEADER, ...all].join('\n'), all.length);
const ROW = `${METHOD},5,AUD,r`;
const FILE = `${HEADER}\n${ROW}`;
const malformed = (...says: string[]) => refused(400, 102, ...says);
const noCount = bad('Count must be a whole number');
const twoForOne = refused(400, 101, 'Count must be 1, the number of rows in Batch, not 2');
const wrongHeader = malformed('Line 1', HEADER);

/** Files that are no batch, or another than they seem. */
export const CSV: Rows = {
  'a separator of Excel': row(batch(`sep=,\n${HEADER}\n${ROW}`, 2), wrongHeader),
  'a card number where the header should be': row(
    batch(`${PAN},5,AUD,r`),
    malformed('Line 1 is a row instead of the header'),
  ),
  'a card number in the place of a method': row(rows(`${PAN},5,AUD,r`), taken('"Count":1')),
  'a NUL between fields': row(rows(`${METHOD}\0,5,AUD,r`), bad('a NUL character')),
  'a carriage return within a field': row(rows(`${METHOD},5,AUD,a\rb`), taken('"Count":1')),
  'lines that end in LF CR': row(batch(`${HEADER}\n\r${ROW}`), taken()),
  'a quote that closes after the next line': row(rows(`${METHOD},5,AUD,"r`, `${METHOD},5,AUD,r"`), twoForOne),
  'a row without fields': row(rows(ROW, ''), twoForOne),
  'a row of commas': row(rows(',,,'), taken('"Count":1')),
  'a thousand commas': row(rows(','.repeat(1000)), malformed('line 2 has 1001 fields')),
  'a field of half a megabyte': row(rows(`${METHOD},5,AUD,${'x'.repeat(500_000)}`), taken('"Count":1')),
  'ten thousand rows of three fields': row(
    rows(...times(10_000, () => 'a,b,c')),
    malformed('line 21 has 3 fields, and 9980 more'),
  ),
  'ten thousand quotes': row(batch(`${HEADER}\n${'"'.repeat(10_000)},5,AUD,r`), taken('"Count":1')),
  'formulas, which come back as they are': row(
    rows(`${METHOD},5,AUD,=cmd|'/c calc'!A1`, `${METHOD},5,AUD,@SUM(1)`),
    taken('"Count":2'),
  ),
  'a count of none': row(batch(HEADER, 0), refused(400, 101)),
  'a count that is negative': row(batch(FILE, -1), noCount),
  'a count beyond all files': row(batch(FILE, 99_999_999_999), noCount),
  'a count that is one too many': row(batch(FILE, 2), twoForOne),
  'a batch that is a list': row(batch([HEADER, ROW]), bad('Batch must be CSV text, not an array')),
  'a batch that is a number': row(batch(1), bad('Batch must be CSV text, not a number')),
  'no batch': row(batch(undefined), bad('Batch is required')),
  'a batch in a batch': row(batch(FILE, 1, { Metadata: { Batch: `${HEADER}\n${ROW}` } }), taken('"Count":1')),
};
