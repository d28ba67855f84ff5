import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonFault } from '../../src/http/json-fault.js';
import { LIFT_MIN, LargeText, SLICE_BYTES, readLargeJson } from '../../src/http/json-large.js';
import type { JsonLargeValue, ReadLargeOptions } from '../../src/http/json-large.js';
import { NumberText, readJson } from '../../src/http/json.js';
import { SKELETON_MAX } from '../../src/http/large-reader.js';
import { decodeUtf8 } from '../../src/http/utf8.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const pause = (): Promise<void> => Promise.resolve();

/** Cuts bytes at the given places, which wrap around. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...sorted].map((from, n) => bytes.subarray(from, sorted[n] ?? bytes.length));
}

function read(body: string | Uint8Array, options: Partial<ReadLargeOptions> = {}): Promise<JsonLargeValue> {
  return readLargeJson([typeof body === 'string' ? encode(body) : body], { pause, ...options });
}

/** The value with its large texts as strings. */
function small(value: JsonLargeValue): JsonLargeValue {
  if (value instanceof LargeText) return value.toString();
  if (Array.isArray(value)) return value.map(small);
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, small(member)]));
}

/** A value, or `line:column message` of the fault. */
async function outcome(work: () => JsonLargeValue | Promise<JsonLargeValue>): Promise<unknown> {
  try {
    return small(await work());
  } catch (error) {
    if (error instanceof JsonFault) return `${error.line}:${error.column} ${error.message}`;
    throw error;
  }
}

describe('what is lifted', () => {
  test('A batch body gives its text as bytes, and the rest as readJson would.', async () => {
    const csv = 'PaymentMethodId,Amount,Currency,Reference\n'.repeat(3000);
    const body = JSON.stringify({ Count: 3, Batch: csv, Webhook: { Url: 'https://a.test' } }).replace(
      '3',
      '3.0',
    );
    const value = (await read(body)) as { Batch: LargeText };
    expect(value.Batch).toBeInstanceOf(LargeText);
    expect(value.Batch.length).toBe(csv.length);
    expect(value.Batch.bytes).toHaveLength(csv.length);
    expect(value.Batch.toString()).toBe(csv);
    expect(value).toEqual({
      Count: new NumberText('3.0'),
      Batch: value.Batch,
      Webhook: { Url: 'https://a.test' },
    });
  });

  test('A string of 64 KiB stays a string, one byte more makes it large.', async () => {
    const at = 'a'.repeat(LIFT_MIN);
    expect(await read(`["${at}"]`)).toEqual([at]);
    const [value] = (await read(`["${at}b"]`)) as [LargeText];
    expect(value.toString()).toBe(`${at}b`);
  });

  test('The length that counts is the one that was written, escapes and all.', async () => {
    const options = { liftMin: 11 };
    expect(await read('["\\u00e9abcde"]', options)).toEqual(['éabcde']);
    expect(((await read('["\\u00e9abcdef"]', options)) as [LargeText])[0].toString()).toBe('éabcdef');
  });

  test('Values are lifted wherever they stand; names never are.', async () => {
    const value = await read('{"a long name":"a long value","b":["one","a second",{"c":"the third"}]}', {
      liftMin: 3,
    });
    expect(value).toEqual({
      'a long name': new LargeText(encode('a long value')),
      b: ['one', new LargeText(encode('a second')), { c: new LargeText(encode('the third')) }],
    });
    const spaced = await read('{ "a" :\n "a long value" }', { liftMin: 3 });
    expect(spaced).toEqual({ a: new LargeText(encode('a long value')) });
    expect(await read('"alone"', { liftMin: 3 })).toEqual(new LargeText(encode('alone')));
  });

  test.each(['"\\ud800#0"', '"\\uD800\\u00230"'])(
    '%s, written to look like a stand-in, is refused.',
    async (forged) => {
      const body = `["a long string",${forged}]`;
      expect(await outcome(() => read(body, { liftMin: 10 }))).toBe(
        '1:19 Found half of a surrogate pair in an escape, expected both halves',
      );
    },
  );

  test('A character that begins as a stand-in does stays what it is.', async () => {
    const value = await read('["a long string","\u{10023}0","#0","\\u00000"]', { liftMin: 10 });
    expect(value).toEqual([new LargeText(encode('a long string')), '\u{10023}0', '#0', '\u00000']);
  });
});

describe('slices', () => {
  const body = `{"Batch":"${'0123456789'.repeat(300_000)}"}`;

  async function countPauses(chunkBytes: number, expectedBytes: number): Promise<number> {
    let pauses = 0;
    const bytes = encode(body);
    const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, n) =>
      bytes.subarray(n * chunkBytes, (n + 1) * chunkBytes),
    );
    const counting = (): Promise<void> => {
      pauses += 1;
      return pause();
    };
    await readLargeJson(chunks, { pause: counting, expectedBytes });
    return pauses;
  }

  test('It pauses after every slice, however the body is cut into chunks.', async () => {
    // Three short slices of 32, 64 and 128 KiB come first.
    const expected = 3 + Math.floor((body.length - 224 * 1024) / SLICE_BYTES);
    expect(await countPauses(1e9, body.length)).toBe(expected);
    expect(await countPauses(1000, body.length)).toBe(expected);
  });

  test('It pauses while the buffer grows, too, which an expected length saves.', async () => {
    expect(await countPauses(1e9, 0)).toBeGreaterThan(await countPauses(1e9, body.length));
  });

  test.each([
    ['exact', body.length],
    ['too small', 10],
    ['too large', 2 * body.length],
    ['absurd', 1e15],
    ['absent', 0],
  ])('An expected length that is %s changes nothing.', async (_, expectedBytes) => {
    const value = (await read(body, { expectedBytes })) as { Batch: LargeText };
    expect(value.Batch.toString()).toBe(body.slice(10, -2));
  });

  test('Chunks may be empty, may come asynchronously, and may be reused by their source.', async () => {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      const buffer = new Uint8Array(1);
      for (const byte of encode('{"a":"é and \\ud83d\\ude00","b":"\\u6f22"}')) {
        buffer[0] = byte;
        yield new Uint8Array(0);
        yield await Promise.resolve(buffer);
      }
    }
    const value = await readLargeJson(chunks(), { pause, liftMin: 2 });
    expect(small(value)).toEqual({ a: 'é and 😀', b: '漢' });
  });

  test('A source that is not read to its end is told so.', async () => {
    let isClosed = false;
    function* chunks(): Generator<Uint8Array> {
      try {
        for (;;) yield encode('[');
      } finally {
        isClosed = true;
      }
    }
    const refusal = await outcome(() => readLargeJson(chunks(), { pause }));
    expect(refusal).toBe('1:33 Found "[" nested too deep, expected at most 32 levels');
    expect(isClosed).toBe(true);
  });
});

describe('the same as readJson', () => {
  /** Non-ASCII characters as escapes, where `which` says so. */
  const escapeSome = (text: string, which: number): string =>
    Array.from(text, (character, n) => {
      if (character <= '\x7f' || (which >> (n % 30)) % 2 === 0) return character;
      const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
      return units.map((unit) => `\\u${unit}`).join('');
    }).join('');
  const text = fc.string({ unit: fc.constantFrom(...'ab"\\/\n\t\u0001é漢😀'), maxLength: 40 });
  const value = fc.oneof(
    fc.jsonValue({ stringUnit: 'binary' }),
    fc.dictionary(text, fc.oneof(text, fc.array(text), fc.double())),
    fc.array(text),
  );
  const body = fc
    .tuple(value, fc.nat(), fc.constantFrom(0, 1, '\t'))
    .map(([json, which, indent]) => escapeSome(JSON.stringify(json, null, indent), which));
  const options = fc.record({
    liftMin: fc.constantFrom(0, 1, 5, 20),
    sliceBytes: fc.constantFrom(1, 2, 3, 7, 1000),
    expectedBytes: fc.constantFrom(0, 1000),
  });
  const cuts = fc.array(fc.nat(), { maxLength: 30 });

  test('Any value, however it is cut.', async () => {
    await fc.assert(
      fc.asyncProperty(body, cuts, options, async (json, places, chosen) => {
        const chunks = cut(encode(json), places);
        expect(await outcome(() => readLargeJson(chunks, { pause, ...chosen }))).toEqual(
          await outcome(() => readJson(json)),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test('Any damaged text: the same fault at the same line and column.', async () => {
    const fragments = [
      ...'{}[]:,"\\ \n\t17.e-aux/é😀\u0000',
      '\\u00',
      '\\ud83d',
      '\\ude00',
      '\\u1',
      '\\n',
      'null',
    ];
    const damage = fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.constantFrom('', ...fragments));
    const damages = fc.array(damage, { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(body, damages, cuts, options, async (json, damaged, places, chosen) => {
        const characters = Array.from(json);
        for (const [place, removed, insert] of damaged) {
          characters.splice(place % (characters.length + 1), removed, ...insert);
        }
        const broken = characters.join('');
        const chunks = cut(encode(broken), places);
        expect(await outcome(() => readLargeJson(chunks, { pause, ...chosen }))).toEqual(
          await outcome(() => readJson(broken)),
        );
      }),
      { numRuns: 3000 },
    );
  });

  test('A byte that is not UTF-8: the same fault at the same offset.', async () => {
    const bad = fc.constantFrom(0x80, 0xc0, 0xff, 0xf5);
    // A member that is refused by its name comes first for the reader that goes along.
    const named = body.filter((json) => !/"(?:__proto__|constructor|prototype)"/.test(json));
    await fc.assert(
      fc.asyncProperty(named, fc.nat(), bad, cuts, options, async (json, place, byte, places, chosen) => {
        const bytes = encode(json);
        // A continuation byte is wrong only where no sequence asks for one.
        const at = place % bytes.length;
        bytes[at] = byte === 0x80 && (bytes[at] ?? 0) >= 0x80 ? 0xff : byte;
        const chunks = cut(bytes, places);
        expect(await outcome(() => readLargeJson(chunks, { pause, ...chosen }))).toBe(
          await outcome(() => readJson(decodeUtf8(bytes))),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('faults', () => {
  const lifted = { liftMin: 4 };

  test.each([
    ['{"a":"long enough\\x"}', '1:19 Found a letter, expected one of " \\ / b f n r t u after a backslash'],
    [
      '{\n"a":"é漢😀 long\\',
      '2:15 Found the end of the text, expected one of " \\ / b f n r t u after a backslash',
    ],
    ['{"a":"long enough\n"}', '1:18 Found a line feed in a string, expected an escape such as \\n'],
    ['{"a":"long enough', '1:18 Found the end of the text, expected the closing quote of the string'],
    ['{"a":"long enough\\u12', '1:22 Found the end of the text, expected four hexadecimal digits after \\u'],
    ['{"a":"long enough\\ud83d"}', '1:18 Found half of a surrogate pair in an escape, expected both halves'],
    ['{"a":"long enough" "b":1}', '1:20 Found a double quote, expected "," or "}" after the member'],
    [
      '["long enough",\n"long enough" "long enough"]',
      '2:15 Found a double quote, expected "," or "]" after the element',
    ],
    [
      '["long enough","long enough",]',
      '1:30 Found "]", expected an object, an array, a string, a number, true, false or null',
    ],
    [
      '{"a":"long enough","a":"long enough"}',
      '1:20 Found a second member "a" in an object, expected each name once',
    ],
    ['{"a" "long enough\\x"}', '1:6 Found a double quote, expected ":" after the member name'],
    ['{} "long enough\\x"', '1:4 Found a double quote, expected the end of the text after the JSON value'],
    ['', '1:1 The text is empty, expected a JSON value'],
  ])('%j', async (body, expected) => {
    expect(await outcome(() => read(body, lifted))).toBe(expected);
  });

  test('Bytes outside long strings are limited to 256 KiB, wherever the chunks end.', async () => {
    const blanks = ' '.repeat(SKELETON_MAX - 3);
    const body = (tail: string): Uint8Array => encode(`["a long string"${blanks}${tail}`);
    expect(await outcome(() => read(body(',1]'), lifted))).toBe(
      '1:262160 Found more than 256 KiB besides long strings, expected at most 256 KiB',
    );
    expect(await outcome(() => read(body(' ]'), lifted))).toEqual(['a long string']);
    const inTime = cut(body(',"a long string"]'), [262_164]);
    expect(await outcome(() => readLargeJson(inTime, { pause, ...lifted }))).toEqual(
      Array(2).fill('a long string'),
    );
    const chunks = cut(body('   "abc'), [262_158, 262_159, 262_160, 262_162]);
    expect(await outcome(() => readLargeJson(chunks, { pause, ...lifted }))).toBe(
      '1:262160 Found more than 256 KiB besides long strings, expected at most 256 KiB',
    );
  });

  test('A name without an end is held to the same limit.', async () => {
    expect(await outcome(() => read(`{"${'n'.repeat(SKELETON_MAX)}`))).toContain('Found more than 256 KiB');
  });
});

describe('hostile bodies', () => {
  test.each([
    ['100,000 open arrays', '['.repeat(100_000), 'nested too deep'],
    ['100,000 open objects', '{"a":'.repeat(100_000), 'nested too deep'],
    ['200,000 digits', '1'.repeat(200_000), 'number longer than'],
    ['a million digits', '1'.repeat(1_000_000), 'more than 256 KiB'],
    ['a string of 8 MB without an end', `["${'a'.repeat(8_000_000)}`, 'the closing quote'],
    ['a string of backslashes without an end', `["${'\\'.repeat(2_000_000)}`, 'the closing quote'],
    ['a thousand long strings and a fault', `[${`"${'a'.repeat(70_000)}",`.repeat(100)}`, 'a number'],
  ])('%s: refused in one pass.', async (_, body, message) => {
    expect(await outcome(() => read(body))).toContain(message);
  });

  test('Many long strings share one buffer.', async () => {
    const body = encode(`[${`"${'a'.repeat(70_000)}",`.repeat(100)}0]`);
    const values = (await read(body, { expectedBytes: body.length })) as LargeText[];
    const buffers = new Set(values.slice(0, -1).map((value) => value.bytes.buffer));
    expect(buffers.size).toBe(1);
    expect(values[99]?.length).toBe(70_000);
  });
});
