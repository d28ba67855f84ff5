import { bad, METHOD, PAN, post, refused, type Rows, row, taken, times } from './row.js';

const HEADER = 'PaymentMethodId,Amount,Currency,Reference';
const batch = (Batch: unknown, Count: unknown = 1, more: object = {}): string =>
  post('/batch/transaction/payment_method', { Count, Description: 'd', Batch, ...more });
const rows = (...all: string[]): string => batch([HEADER, ...all].join('\n'), all.length);
const ROW = `${METHOD},5,AUD,r`;
const FILE = `${HEADER}\n${ROW}`;
const raw = (body: unknown): string => post('/batch/transaction/payment_method', body);
const malformed = (...says: string[]) => refused(400, 102, ...says);
const noCount = bad('Count must be a whole number');
const twoForOne = refused(400, 101, 'Count must be 1, the number of rows in Batch, not 2');
const wrongHeader = malformed('Line 1', HEADER);

/** Files that are no batch, or another than they seem. */
export const CSV: Rows = {
  'a byte order mark': row(batch(`\ufeff${HEADER}\n${ROW}`), wrongHeader),
  'a header in quotes': row(
    batch(`"PaymentMethodId","Amount","Currency","Reference"\n${ROW}`),
    taken('"Count":1'),
  ),
  'a header with blanks': row(batch(`PaymentMethodId, Amount, Currency, Reference\n${ROW}`), wrongHeader),
  'a header with a column more': row(batch(`${HEADER},Ccv\n${ROW},1`), wrongHeader),
  'a header of another order': row(
    batch(`Amount,PaymentMethodId,Currency,Reference\n5,${METHOD},AUD,r`),
    wrongHeader,
  ),
  'tabs for commas': row(batch(`${HEADER.replaceAll(',', '\t')}\n${ROW}`), wrongHeader),
  'lines of carriage returns alone': row(batch(`${HEADER}\r${ROW}`), malformed('line 1 ends in CR alone')),
  'a separator of Excel': row(batch(`sep=,\n${HEADER}\n${ROW}`, 2), wrongHeader),
  'a card number where the header should be': row(
    batch(`${PAN},5,AUD,r`),
    malformed('Line 1 is a row instead of the header'),
  ),
  'a card number in the place of a method': row(rows(`${PAN},5,AUD,r`), taken('"Count":1')),
  'a NUL between fields': row(rows(`${METHOD}\0,5,AUD,r`), bad('a NUL character')),
  'a carriage return within a field': row(rows(`${METHOD},5,AUD,a\rb`), taken('"Count":1')),
  'a line separator of Unicode, which parts no lines': row(
    rows(`${METHOD},5,AUD,a\u2028${METHOD},5,AUD,b`),
    malformed('line 2 ends in U+2028'),
  ),
  'a form feed, which parts no lines': row(
    rows(`${METHOD},5,AUD,a\f${METHOD},5,AUD,b`),
    malformed('line 2 ends in FF'),
  ),
  'lines that end in LF and in CR LF': row(
    batch(`${HEADER}\r\n${ROW}\n${ROW}\r\n${ROW}`, 3),
    taken('"Count":3'),
  ),
  'lines that end in LF CR': row(batch(`${HEADER}\n\r${ROW}`), taken()),
  'an escape with a backslash': row(
    rows(`${METHOD},5,AUD,"a\\"b"`),
    malformed('line 2 has a misplaced quotation mark'),
  ),
  'a quote that never closes': row(
    rows(`${METHOD},5,AUD,"r`),
    malformed('the quotation mark opened in line 2 is never closed'),
  ),
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
  'a header alone': row(batch(HEADER), refused(400, 101, 'Batch has no rows below its header')),
  nothing: row(batch(''), refused(400, 102)),
  'a count of none': row(batch(HEADER, 0), refused(400, 101)),
  'a count that is negative': row(batch(FILE, -1), noCount),
  'a count in exponents': row(batch(FILE, '1e0'), noCount),
  'a count with a fraction': row(batch(FILE, 1.5), noCount),
  'a count of a list': row(batch(FILE, [1]), noCount),
  'a count beyond all files': row(batch(FILE, 99_999_999_999), noCount),
  'a count that is one too many': row(batch(FILE, 2), twoForOne),
  'a batch that is a list': row(batch([HEADER, ROW]), bad('Batch must be CSV text, not an array')),
  'a batch that is a number': row(batch(1), bad('Batch must be CSV text, not a number')),
  'no batch': row(batch(undefined), bad('Batch is required')),
  'a batch twice': row(
    raw(`{"Count":1,"Batch":"x","Description":"d","Batch":"y"}`),
    bad('the field "Batch" twice'),
  ),
  'a batch twice, once in escapes': row(
    raw(String.raw`{"Count":1,"Batch":"x","Description":"d","\u0042atch":"y"}`),
    bad('twice in an object'),
  ),
  'half a surrogate pair': row(
    raw(String.raw`{"Count":1,"Description":"d","Batch":"\ud800"}`),
    bad('surrogate'),
  ),
  'a batch that is no UTF-8': row(raw('{"Count":1,"Description":"d","Batch":"\xff"}'), bad('not UTF-8')),
  'a batch in a batch': row(batch(FILE, 1, { Metadata: { Batch: `${HEADER}\n${ROW}` } }), taken('"Count":1')),
  'a file without the rest': row(raw(`{"Batch":"${HEADER}`), bad('closing quote')),
};
