import { bad, METHOD, MISPLACED, PAN, post, refused, type Row, row, taken, times } from './row.js';

const HEADER = 'PaymentMethodId,Amount,Currency,Reference';
const batch = (Batch: unknown, Count: unknown = 1, more: object = {}): string =>
  post('/batch/transaction/payment_method', { Count, Description: 'd', Batch, ...more });
const rows = (...all: string[]): string => batch([HEADER, ...all].join('\n'), all.length);
const ROW = `${METHOD},5,AUD,r`;
const FILE = `${HEADER}\n${ROW}`;
const raw = (body: unknown): string => post('/batch/transaction/payment_method', body);
const malformed = (...says: string[]) => refused(400, 102, ...says);
const noCount = bad('Count must be a whole number');
const twoForOne = refused(400, 101, 'Count is 2, Batch has 1 row');
const wrongHeader = malformed('Line 1', HEADER);

/** Files that are no batch, or another than they seem. */
export const CSV: readonly Row[] = [
  row('a byte order mark', batch(`\ufeff${HEADER}\n${ROW}`), wrongHeader),
  row('a header in quotes', batch(`"PaymentMethodId","Amount","Currency","Reference"\n${ROW}`), wrongHeader),
  row('a header with blanks', batch(`PaymentMethodId, Amount, Currency, Reference\n${ROW}`), wrongHeader),
  row('a header with a column more', batch(`${HEADER},Ccv\n${ROW},1`), wrongHeader),
  row(
    'a header of another order',
    batch(`Amount,PaymentMethodId,Currency,Reference\n5,${METHOD},AUD,r`),
    wrongHeader,
  ),
  row('tabs for commas', batch(`${HEADER.replaceAll(',', '\t')}\n${ROW}`), wrongHeader),
  row('lines of carriage returns alone', batch(`${HEADER}\r${ROW}`), wrongHeader),
  row('a separator of Excel', batch(`sep=,\n${HEADER}\n${ROW}`, 2), wrongHeader),
  row(
    'a card number where the header should be',
    batch(`${PAN},5,AUD,r`),
    malformed('Line 1 is not the header'),
    MISPLACED,
  ),
  row('a card number in the place of a method', rows(`${PAN},5,AUD,r`), taken('"Count":1'), MISPLACED),
  row('a NUL between fields', rows(`${METHOD}\0,5,AUD,r`), taken('"Count":1')),
  row('a carriage return within a field', rows(`${METHOD},5,AUD,a\rb`), taken('"Count":1')),
  row(
    'a line separator of Unicode, which parts no lines',
    rows(`${METHOD},5,AUD,a\u2028${METHOD},5,AUD,b`),
    malformed('line 2 has 7 fields'),
  ),
  row(
    'a form feed, which parts no lines',
    rows(`${METHOD},5,AUD,a\f${METHOD},5,AUD,b`),
    malformed('line 2 has 7 fields'),
  ),
  row(
    'lines that end in LF and in CR LF',
    batch(`${HEADER}\r\n${ROW}\n${ROW}\r\n${ROW}`, 3),
    taken('"Count":3'),
  ),
  row('lines that end in LF CR', batch(`${HEADER}\n\r${ROW}`), taken()),
  row(
    'an escape with a backslash',
    rows(`${METHOD},5,AUD,"a\\"b"`),
    malformed('line 2 has a quote that neither opens nor closes'),
  ),
  row(
    'a quote that never closes',
    rows(`${METHOD},5,AUD,"r`),
    malformed('the quote that opens in line 2 is never closed'),
  ),
  row('a quote that closes after the next line', rows(`${METHOD},5,AUD,"r`, `${METHOD},5,AUD,r"`), twoForOne),
  row('a row without fields', rows(ROW, ''), twoForOne),
  row('a row of commas', rows(',,,'), taken('"Count":1')),
  row('a thousand commas', rows(','.repeat(1000)), malformed('line 2 has 1001 fields')),
  row('a field of half a megabyte', rows(`${METHOD},5,AUD,${'x'.repeat(500_000)}`), taken('"Count":1')),
  row(
    'ten thousand rows of three fields',
    rows(...times(10_000, () => 'a,b,c')),
    malformed('line 21 has 3 fields, and 9980 more'),
  ),
  row('ten thousand quotes', batch(`${HEADER}\n${'"'.repeat(10_000)},5,AUD,r`), taken('"Count":1')),
  row(
    'formulas, which come back as they are',
    rows(`${METHOD},5,AUD,=cmd|'/c calc'!A1`, `${METHOD},5,AUD,@SUM(1)`),
    taken('"Count":2'),
  ),
  row('a header alone', batch(HEADER), refused(400, 101, 'Batch has no rows below its header')),
  row('nothing', batch(''), refused(400, 102)),
  row('a count of none', batch(HEADER, 0), refused(400, 101)),
  row('a count that is negative', batch(FILE, -1), noCount),
  row('a count in exponents', batch(FILE, '1e0'), noCount),
  row('a count with a fraction', batch(FILE, 1.5), noCount),
  row('a count of a list', batch(FILE, [1]), noCount),
  row('a count beyond all files', batch(FILE, 99_999_999_999), noCount),
  row('a count that is one too many', batch(FILE, 2), twoForOne),
  row('a batch that is a list', batch([HEADER, ROW]), bad('Batch must be CSV text, not a list')),
  row('a batch that is a number', batch(1), bad('Batch must be CSV text, not a number')),
  row('no batch', batch(undefined), bad('Batch is required')),
  row(
    'a batch twice',
    raw(`{"Count":1,"Batch":"x","Description":"d","Batch":"y"}`),
    bad('a second member "Batch"'),
  ),
  row(
    'a batch twice, once in escapes',
    raw(String.raw`{"Count":1,"Batch":"x","Description":"d","\u0042atch":"y"}`),
    bad('a second member'),
  ),
  row(
    'half a surrogate pair',
    raw(String.raw`{"Count":1,"Description":"d","Batch":"\ud800"}`),
    bad('surrogate'),
  ),
  row('a batch that is no UTF-8', raw('{"Count":1,"Description":"d","Batch":"\xff"}'), bad('not UTF-8')),
  row('a batch in a batch', batch(FILE, 1, { Metadata: { Batch: `${HEADER}\n${ROW}` } }), taken('"Count":1')),
  row('a file without the rest', raw(`{"Batch":"${HEADER}`), bad('closing quote')),
];
