import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HEADER, quoteField, readRow, splitRow } from '../../src/batches/csv.js';
import { indexRows } from '../../src/batches/csv-index.js';
import { ApiError } from '../../src/core/errors.js';
import { csv, noPause } from './support.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The rows of a text as lists of fields. */
async function rowsOf(text: string, count: number): Promise<string[][]> {
  const indexed = await indexRows(bytes(text), count, noPause);
  return Array.from({ length: count }, (_, row) => {
    const read = readRow(indexed.text, indexed.starts[row] ?? 0, indexed.starts[row + 1] ?? 0);
    return [read.paymentMethodId, read.amount, read.currency, read.reference];
  });
}

async function refusalOf(text: string, count = 1): Promise<ApiError> {
  const outcome: unknown = await indexRows(bytes(text), count, noPause).catch((error: unknown) => error);
  if (outcome instanceof ApiError) return outcome;
  throw new Error('The text was taken');
}

test('Reading a long text tells how far it is.', async () => {
  const rows = 40_000;
  const text = bytes(`${HEADER}${'\nm1,10.00,AUD,a'.repeat(rows)}`);
  const told: number[] = [];
  await indexRows(text, rows, noPause, (done, total) => {
    expect(total).toBe(text.length);
    told.push(done);
  });
  expect(told.length).toBeGreaterThan(2);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.at(-1)).toBe(text.length);
});

describe('reading rows', () => {
  test.each([
    ['lines parted by LF', `${HEADER}\nm1,10.00,AUD,a\nm2,20,JPY,b`],
    ['a last newline', `${HEADER}\nm1,10.00,AUD,a\nm2,20,JPY,b\n`],
    ['lines parted by CR LF', `${HEADER}\r\nm1,10.00,AUD,a\r\nm2,20,JPY,b`],
    ['CR LF and a last newline', `${HEADER}\r\nm1,10.00,AUD,a\r\nm2,20,JPY,b\r\n`],
    ['quotes around any field', `${HEADER}\n"m1",10.00,"AUD",a\r\nm2,"20",JPY,"b"\r\n`],
  ])('takes %s', async (_, text) => {
    expect(await rowsOf(text, 2)).toEqual([
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
  ])('reads a Reference with %s', async (_, written, read) => {
    expect(await rowsOf(csv(`m1,1,AUD,${written}`, 'm2,2,AUD,b'), 2)).toEqual([
      ['m1', '1', 'AUD', read],
      ['m2', '2', 'AUD', 'b'],
    ]);
  });

  test('reads empty fields, whose content is judged when the row is processed', async () => {
    expect(await rowsOf(csv(',,,', 'm,1,AUD,'), 2)).toEqual([
      ['', '', '', ''],
      ['m', '1', 'AUD', ''],
    ]);
  });

  test('reads a very long field', async () => {
    const long = 'x'.repeat(100_000);
    expect(await rowsOf(csv(`m,1,AUD,${long}`), 1)).toEqual([['m', '1', 'AUD', long]]);
  });

  test('gives way to the event loop while a long text is read, and reads the same', async () => {
    const rows = Array.from({ length: 40_000 }, (_, n) => `m${n},1,AUD,"order, ${n}\n"`);
    let pauses = 0;
    const indexed = await indexRows(bytes(csv(...rows)), rows.length, () => {
      pauses++;
      return Promise.resolve();
    });
    expect(pauses).toBeGreaterThanOrEqual(3);
    const last = readRow(indexed.text, indexed.starts[39_999] ?? 0, indexed.starts[40_000] ?? 0);
    expect(last).toEqual({
      paymentMethodId: 'm39999',
      amount: '1',
      currency: 'AUD',
      reference: 'order, 39999\n',
    });
  });

  test('keeps no larger buffer than the text needs', async () => {
    const text = bytes(csv('m,1,AUD,a'));
    const large = new Uint8Array(1_000_000);
    large.set(text, 500);
    const indexed = await indexRows(large.subarray(500, 500 + text.length), 1, noPause);
    expect(indexed.text.buffer.byteLength).toBe(text.length);
    expect(indexed.text).toEqual(text);
  });
});

describe('quoting', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '1', ' ', ',', '"', '\n', '\r', 'é', '😀', '.') });

  test('any fields come back as they were written, whatever quotes, commas and line breaks they have', async () => {
    const row = fc.tuple(field, field, field, field);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
        const lines = rows.map((fields) => fields.map(quoteField).join(','));
        expect(await rowsOf(csv(...lines), rows.length)).toEqual(rows);
        expect(await rowsOf(`${csv(...lines)}\n`, rows.length)).toEqual(rows);
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
  const NEEDED = 'it must be exactly PaymentMethodId,Amount,Currency,Reference.';

  test.each([
    ['', 'empty'],
    ['\nm,1,AUD,a', 'empty'],
    ['paymentMethodId,Amount,Currency,Reference\nm,1,AUD,a', '"paymentMethodId,Amount,Currency,Reference"'],
    ['PaymentMethodId;Amount;Currency;Reference\nm,1,AUD,a', '"PaymentMethodId;Amount;Currency;Reference"'],
    ['PaymentMethodId,Amount\r\nm,1', '"PaymentMethodId,Amount"'],
    [`${HEADER},Extra\nm,1,AUD,a`, `"${HEADER},Extra"`],
    [`${HEADER} \nm,1,AUD,a`, `"${HEADER} "`],
    [`\uFEFF${HEADER}\nm,1,AUD,a`, `"\\uFEFF${HEADER}"`],
    [`"PaymentMethodId",Amount`, '"\\"PaymentMethodId\\",Amount"'],
    ['x'.repeat(200), `"${'x'.repeat(80)}…"`],
  ])('for the header of %j', async (text, found) => {
    const { message, refusal } = await refusalOf(text);
    expect(refusal).toMatchObject({ code: 102, details: { Batch: `line 1 must be exactly ${HEADER}` } });
    expect(message).toBe(`Invalid batch data: Line 1 is ${found}; ${NEEDED}`);
  });

  test('without repeating a row that stands where the header should', async () => {
    const { message } = await refusalOf('4111111111111111,10.00,AUD,a\n');
    expect(message).toBe(`Invalid batch data: Line 1 is not the header but looks like a row; ${NEEDED}`);
  });

  test.each([
    [
      'an unclosed quote',
      csv('m,1,AUD,a', 'm,1,AUD,"b', 'm,1,AUD,c'),
      'the quote that opens in line 3 is never closed',
    ],
    [
      'an unclosed quote after line breaks in quotes',
      csv('m,1,AUD,"a\n\nb"', '"m,1,AUD,b'),
      'the quote that opens in line 5 is never closed',
    ],
    [
      'a row with three fields',
      csv('m,1,AUD,a', 'm,1,AUD'),
      'line 3 has 3 fields; each row needs the 4 fields of the header',
    ],
    ['a row with one field', csv('m'), 'line 2 has 1 field; each row needs the 4 fields of the header'],
    [
      'a row with five fields',
      csv('m,1,AUD,a,b'),
      'line 2 has 5 fields; each row needs the 4 fields of the header',
    ],
    [
      'a blank line between rows',
      csv('m,1,AUD,a', '', 'm,1,AUD,b'),
      'line 3 is blank; each row needs the 4 fields of the header',
    ],
    [
      'a blank line of a CR LF file',
      csv('m,1,AUD,a', '\r', 'm,1,AUD,b'),
      'line 3 is blank; each row needs the 4 fields of the header',
    ],
    [
      'a blank line at the end',
      `${csv('m,1,AUD,a')}\n\n`,
      'line 3 is blank; each row needs the 4 fields of the header',
    ],
    [
      'a line of blanks',
      csv('m,1,AUD,a', '  '),
      'line 3 has 1 field; each row needs the 4 fields of the header',
    ],
    [
      'a quote within a field',
      csv('m,1,AUD,say "hi"'),
      'line 2 has a quote that neither opens nor closes a field; each row needs the 4 fields of the header',
    ],
    [
      'text after a closing quote',
      csv('m,1,AUD,"a"b'),
      'line 2 has a quote that neither opens nor closes a field; each row needs the 4 fields of the header',
    ],
    [
      'a return after a closing quote',
      csv('m,1,"AUD"\r,b'),
      'line 2 has a quote that neither opens nor closes a field; each row needs the 4 fields of the header',
    ],
    [
      'several of these',
      csv('m', '', 'm,1,AUD,a', 'm,1,AUD,"x\ny"', 'm,1'),
      'line 2 has 1 field, line 3 is blank, line 7 has 2 fields; each row needs the 4 fields of the header',
    ],
  ])('for %s', async (_, text, reason) => {
    const { message, refusal } = await refusalOf(text);
    expect(refusal).toMatchObject({ code: 102, details: { Batch: reason } });
    expect(message).toBe(`Invalid batch data: Batch is not taken: ${reason}.`);
  });

  test('naming twenty lines at most', async () => {
    const { message } = await refusalOf(csv(...Array.from({ length: 50 }, () => 'm,1')));
    expect(message.match(/line \d+/g)).toHaveLength(20);
    expect(message).toContain('line 21 has 2 fields, and 30 more; each row needs');
  });

  test.each([
    ['no rows', HEADER, 1, { Batch: 'has no rows' }, 'Invalid batch: Batch has no rows below its header.'],
    [
      'no rows but a newline',
      `${HEADER}\r\n`,
      0,
      { Batch: 'has no rows' },
      'Invalid batch: Batch has no rows below its header.',
    ],
    [
      'fewer rows than Count',
      csv('m,1,AUD,a'),
      2,
      { Count: 'is 2, Batch has 1 row' },
      'Invalid batch: Count is 2, Batch has 1 row.',
    ],
    [
      'more rows than Count',
      csv('m,1,AUD,a', 'm,1,AUD,b', 'm,1,AUD,c'),
      2,
      { Count: 'is 2, Batch has 3 rows' },
      'Invalid batch: Count is 2, Batch has 3 rows.',
    ],
    [
      'a Count far above the rows',
      csv(',,,'),
      999_999_999,
      { Count: 'is 999999999, Batch has 1 row' },
      'Invalid batch: Count is 999999999, Batch has 1 row.',
    ],
  ])('for %s', async (_, text, count, details, expected) => {
    const { message, refusal } = await refusalOf(text, count);
    expect(refusal).toMatchObject({ code: 101, details });
    expect(message).toBe(expected);
  });
});
