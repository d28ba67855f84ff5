import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HEADER, indexRows, quoteField, parseCsvRow, splitRow } from '../../../src/resources/batches/csv.js';
import { ApiError } from '../../../src/core/errors.js';
import { csv } from './support.js';

const QUOTED_HEADER = '"PaymentMethodId","Amount","Currency","Reference"';

/** The rows of a text as lists of fields. */
function rowsOf(text: string, count: number): string[][] {
  const starts = indexRows(text, count);
  return Array.from({ length: count }, (_, row) => {
    const read = parseCsvRow(text, starts[row] ?? 0, starts[row + 1] ?? 0);
    return [read.paymentMethodId, read.amount, read.currency, read.reference];
  });
}

function refusalOf(text: string, count = 1): ApiError {
  try {
    indexRows(text, count);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('The text was taken');
}

describe('reading rows', () => {
  test.each([
    ['lines parted by LF', `${HEADER}\nm1,10.00,AUD,a\nm2,20,JPY,b`],
    ['a last newline', `${HEADER}\nm1,10.00,AUD,a\nm2,20,JPY,b\n`],
    ['lines parted by CR LF', `${HEADER}\r\nm1,10.00,AUD,a\r\nm2,20,JPY,b`],
    ['CR LF and a last newline', `${HEADER}\r\nm1,10.00,AUD,a\r\nm2,20,JPY,b\r\n`],
    ['quotes around the header', `${QUOTED_HEADER}\nm1,10.00,AUD,a\nm2,20,JPY,b`],
    ['quotes around the header of a CR LF file', `${QUOTED_HEADER}\r\nm1,10.00,AUD,a\r\nm2,20,JPY,b`],
    [
      'quotes around some names',
      `"PaymentMethodId",Amount,Currency,"Reference"\nm1,10.00,AUD,a\nm2,20,JPY,b`,
    ],
    ['quotes around any field', `${HEADER}\n"m1",10.00,"AUD",a\r\nm2,"20",JPY,"b"\r\n`],
  ])('takes %s', (_, text) => {
    expect(rowsOf(text, 2)).toEqual([
      ['m1', '10.00', 'AUD', 'a'],
      ['m2', '20', 'JPY', 'b'],
    ]);
  });

  test.each([
    ['a comma', '"a,b"', 'a,b'],
    ['doubled quotes', '"say ""hi"""', 'say "hi"'],
    ['a quote alone', '""""', '"'],
    ['nothing', '""', ''],
    ['line breaks of both kinds', '"a\nb\r\nc"', 'a\nb\r\nc'],
    ['characters beyond ASCII', 'Zoë €5 😀', 'Zoë €5 😀'],
    ['characters beyond ASCII in quotes', '"Zoë, €5"', 'Zoë, €5'],
    ['blanks, which belong to the field', ' a b ', ' a b '],
    ['a byte order mark', '\uFEFFa', '\uFEFFa'],
  ])('reads a Reference with %s', (_, written, read) => {
    expect(rowsOf(csv(`m1,1,AUD,${written}`, 'm2,2,AUD,b'), 2)).toEqual([
      ['m1', '1', 'AUD', read],
      ['m2', '2', 'AUD', 'b'],
    ]);
  });

  test('reads empty fields, whose content is judged when the row is processed', () => {
    expect(rowsOf(csv(',,,', 'm,1,AUD,'), 2)).toEqual([
      ['', '', '', ''],
      ['m', '1', 'AUD', ''],
    ]);
  });

  test('reads a very long field', () => {
    const long = 'x'.repeat(100_000);
    expect(rowsOf(csv(`m,1,AUD,${long}`), 1)).toEqual([['m', '1', 'AUD', long]]);
  });

  test('finds the last of many rows', () => {
    const rows = Array.from({ length: 40_000 }, (_, n) => `m${n},1,AUD,"order, ${n}\n"`);
    expect(rowsOf(csv(...rows), rows.length).at(-1)).toEqual(['m39999', '1', 'AUD', 'order, 39999\n']);
  });
});

describe('quoting', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '1', ' ', ',', '"', '\n', '\r', 'é', '😀', '.') });

  test('any fields come back as they were written, whatever quotes, commas and line breaks they have', () => {
    const row = fc.tuple(field, field, field, field);
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
        const lines = rows.map((fields) => fields.map(quoteField).join(','));
        expect(rowsOf(csv(...lines), rows.length)).toEqual(rows);
        expect(rowsOf(`${csv(...lines)}\n`, rows.length)).toEqual(rows);
        expect(lines.map(splitRow)).toEqual(rows);
      }),
    );
  });

  test('only fields that need quotes get them', () => {
    expect(['a b', 'a,b', 'a"b', 'a\nb', 'a\rb', ''].map(quoteField)).toEqual([
      'a b',
      '"a,b"',
      '"a""b"',
      '"a\nb"',
      '"a\rb"',
      '',
    ]);
  });
});

describe('a text that is refused whole', () => {
  function expectMalformed(text: string, reason: string): void {
    const { message, refusal } = refusalOf(text);
    expect(refusal).toMatchObject({ code: 102, details: { Batch: reason } });
    expect(message).toBe(`Invalid batch data: Batch is malformed: ${reason}.`);
  }

  const NEEDED = 'it must be exactly PaymentMethodId,Amount,Currency,Reference.';

  test.each([
    ['\r', 'CR alone'],
    ['\u2028', 'U+2028'],
    ['\u2029', 'U+2029'],
    ['\u0085', 'NEL (U+0085)'],
    ['\v', 'VT'],
    ['\f', 'FF'],
  ])('for lines that end in %j', (end, name) => {
    const reason = `ends in ${name}; end each line in LF or CR LF`;
    expectMalformed([HEADER, 'm,1,AUD,a', ''].join(end), `line 1 ${reason}`);
    expectMalformed(['Wrong', 'm,1,AUD,a'].join(end), `line 1 ${reason}`);
    const rows = ['m,1,AUD,a', 'm,2,AUD,b'].join(end);
    expectMalformed(
      `${HEADER}\r\n${rows}\r\n`,
      `line 2 ${reason}; each row must have the 4 fields of the header`,
    );
  });

  test.each([
    ['', 'empty'],
    ['\nm,1,AUD,a', 'empty'],
    ['paymentMethodId,Amount,Currency,Reference\nm,1,AUD,a', '"paymentMethodId,Amount,Currency,Reference"'],
    ['PaymentMethodId;Amount;Currency;Reference\nm,1,AUD,a', '"PaymentMethodId;Amount;Currency;Reference"'],
    ['PaymentMethodId,Amount\r\nm,1', '"PaymentMethodId,Amount"'],
    [`${HEADER},Extra\nm,1,AUD,a`, `"${HEADER},Extra"`],
    [`${HEADER} \nm,1,AUD,a`, `"${HEADER} "`],
    [`\uFEFF${HEADER}\nm,1,AUD,a`, `"\\ufeff${HEADER}"`],
    [`"PaymentMethodId",Amount`, '"\\"PaymentMethodId\\",Amount"'],
    ['"PaymentMethodId,Amount,Currency,Reference"\nm,1,AUD,a', `"\\"${HEADER}\\""`],
    ['"PaymentMethodId,Amount,Currency,Reference\nm,1,AUD,a', `"\\"${HEADER}"`],
    ['x'.repeat(200), `"${'x'.repeat(80)}…"`],
    [`${HEADER}\u00a0\nm,1,AUD,a`, `"${HEADER}\\u00a0"`],
    [`${HEADER}\u200b\nm,1,AUD,a`, `"${HEADER}\\u200b"`],
  ])('for the header of %j', (text, found) => {
    const { message, refusal } = refusalOf(text);
    expect(refusal).toMatchObject({ code: 102, details: { Batch: `line 1 must be exactly ${HEADER}` } });
    expect(message).toBe(`Invalid batch data: Line 1 is ${found}; ${NEEDED}`);
  });

  test('without repeating a row that stands where the header should', () => {
    const { message } = refusalOf('4111111111111111,10.00,AUD,a\n');
    expect(message).toBe(`Invalid batch data: Line 1 is a row instead of the header; ${NEEDED}`);
  });

  test.each([
    [
      'an unclosed quote',
      csv('m,1,AUD,a', 'm,1,AUD,"b', 'm,1,AUD,c'),
      'the quotation mark opened in line 3 is never closed',
    ],
    [
      'an unclosed quote after line breaks in quotes',
      csv('m,1,AUD,"a\n\nb"', '"m,1,AUD,b'),
      'the quotation mark opened in line 5 is never closed',
    ],
  ])('for %s', (_, text, reason) => expectMalformed(text, reason));

  const STRAY_QUOTE = 'line 2 has a misplaced quotation mark';

  test.each([
    ['a row with three fields', csv('m,1,AUD,a', 'm,1,AUD'), 'line 3 has 3 fields'],
    ['a row with one field', csv('m'), 'line 2 has 1 field'],
    ['a row with five fields', csv('m,1,AUD,a,b'), 'line 2 has 5 fields'],
    ['a blank line between rows', csv('m,1,AUD,a', '', 'm,1,AUD,b'), 'line 3 is blank'],
    ['a blank line of a CR LF file', csv('m,1,AUD,a', '\r', 'm,1,AUD,b'), 'line 3 is blank'],
    ['a blank line at the end', `${csv('m,1,AUD,a')}\n\n`, 'line 3 is blank'],
    ['a line of blanks', csv('m,1,AUD,a', '  '), 'line 3 has 1 field'],
    ['a quote within a field', csv('m,1,AUD,say "hi"'), STRAY_QUOTE],
    ['text after a closing quote', csv('m,1,AUD,"a"b'), STRAY_QUOTE],
    ['a return after a closing quote', csv('m,1,"AUD"\r,b'), STRAY_QUOTE],
    [
      'several of these',
      csv('m', '', 'm,1,AUD,a', 'm,1,AUD,"x\ny"', 'm,1'),
      'line 2 has 1 field, line 3 is blank, line 7 has 2 fields',
    ],
  ])('for %s', (_, text, reason) => {
    expectMalformed(text, `${reason}; each row must have the 4 fields of the header`);
  });

  test('naming twenty lines at most', () => {
    const { message } = refusalOf(csv(...Array.from({ length: 50 }, () => 'm,1')));
    expect(message.match(/line \d+/g)).toHaveLength(20);
    expect(message).toContain('line 21 has 2 fields, and 30 more; each row must have');
  });

  test.each([
    ['no rows', HEADER, 1],
    ['no rows below a quoted header', QUOTED_HEADER, 1],
    ['no rows but a newline', `${HEADER}\r\n`, 0],
  ])('for %s', (_, text, count) => {
    const { message, refusal } = refusalOf(text, count);
    expect(refusal).toMatchObject({ code: 101, details: { Batch: 'has no rows' } });
    expect(message).toBe('Invalid batch: Batch has no rows below its header.');
  });

  test.each([
    ['fewer rows than Count', csv('m,1,AUD,a'), 2, 'must be 1, the number of rows in Batch, not 2'],
    [
      'more rows than Count',
      csv('m,1,AUD,a', 'm,1,AUD,b', 'm,1,AUD,c'),
      2,
      'must be 3, the number of rows in Batch, not 2',
    ],
    [
      'a Count far above the rows',
      csv(',,,'),
      999_999_999,
      'must be 1, the number of rows in Batch, not 999999999',
    ],
  ])('for %s', (_, text, count, reason) => {
    const { message, refusal } = refusalOf(text, count);
    expect(refusal).toMatchObject({ code: 101, details: { Count: reason } });
    expect(message).toBe(`Invalid batch: Count ${reason}.`);
  });
});
