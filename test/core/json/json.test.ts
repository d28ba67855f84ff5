import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

import { JsonFault } from '../../../src/core/json/json-fault.js';
import {
  ELEMENTS_MAX,
  FIELDS_MAX,
  NESTING_MAX,
  NUMBER_LENGTH_MAX,
  readJson,
} from '../../../src/core/json/json.js';
import type { JsonValue } from '../../../src/core/json/json.js';
import { NumberText } from '../../../src/core/text/text.js';
import { decodeUtf8 } from '../../../src/http/body/utf8.js';

/** The fault, or undefined where nothing is refused. */
function attempt(read: () => unknown): JsonFault | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof JsonFault) return error;
    throw error;
  }
}

function faultOf(read: () => unknown): JsonFault {
  const fault = attempt(read);
  if (fault === undefined) throw new Error('Nothing was refused');
  return fault;
}

/** `line:column message` */
function refusal(text: string): string {
  const { line, column, message } = faultOf(() => readJson(text));
  return `${line}:${column} ${message}`;
}

function list(count: number, item: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => item(n)).join(',');
}

const VALUE = 'an object, an array, a string, a number, true, false or null';

describe('what is read', () => {
  test.each<[string, JsonValue]>([
    ['null', null],
    ['true', true],
    ['false', false],
    ['""', ''],
    ['"é漢😀"', 'é漢😀'],
    ['"\u007f\u2028\u2029"', '\u007f\u2028\u2029'],
    ['"a\\"\\\\\\/\\b\\f\\n\\r\\tz"', 'a"\\/\b\f\n\r\tz'],
    ['"\\u0041\\u00e9\\u6F22\\uD83D\\uDE00\\u0001"', 'Aé漢😀\u0001'],
    ['"\\\\u0000"', '\\u0000'],
    ['"a string longer than twelve characters"', 'a string longer than twelve characters'],
    ['"exactly 12ch"', 'exactly 12ch'],
    ['"exactly 13chr"', 'exactly 13chr'],
    [' \t\r\n[ ] \t\r\n', []],
    ['{}', {}],
    ['{ "a" : 1 , "b" : [ 2 , { } ] }', { a: 1, b: [2, {}] }],
    ['{"":0}', { '': 0 }],
    ['{"toString":1,"hasOwnProperty":2}', { toString: 1, hasOwnProperty: 2 }],
    ['{"Proto":1,"CONSTRUCTOR":2}', { Proto: 1, CONSTRUCTOR: 2 }],
    ['[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
  ])('%s is read', (text, value) => {
    expect(readJson(text)).toStrictEqual(value);
  });

  test('Members keep their order.', () => {
    expect(Object.keys(readJson('{"b":1,"a":2,"c":3}') as object)).toEqual(['b', 'a', 'c']);
  });

  test.each([0, 1, -1, 10, 15.5, -0.5, 999_999_999.99, 0.000001, 1e21, 1e-7, 9_007_199_254_740_991])(
    'The number %d, as JS prints it, is a number.',
    (number) => {
      expect(readJson(String(number))).toBe(number);
    },
  );

  test.each(
    '-0 0.0 20.0 12.50 1e2 1E2 1e+2 1E-2 1e21 0e0 10.000000000000000001 9007199254740993 1e999 -1e-999'.split(
      ' ',
    ),
  )('The number %s keeps its digits as text.', (literal) => {
    expect(readJson(`[${literal}]`)).toStrictEqual([new NumberText(literal)]);
  });
});

describe('what is refused, where, and in which words', () => {
  test.each([
    ['', '1:1 Found an empty text, expected a JSON value'],
    [' \n ', `2:2 Found the end of the text, expected ${VALUE}`],
    ['\ufeff{}', '1:1 Found a byte order mark, expected a JSON value without one'],
    ['nul', `1:1 Found a letter, expected ${VALUE}`],
    ['True', `1:1 Found a letter, expected ${VALUE}`],
    ["'a'", `1:1 Found "'", expected ${VALUE}`],
    ['NaN', `1:1 Found a letter, expected ${VALUE}`],
    ['+1', `1:1 Found "+", expected ${VALUE}`],
    ['.5', `1:1 Found ".", expected ${VALUE}`],
    ['\u00a01', `1:1 Found a non-ASCII character, expected ${VALUE}`],
    ['\u00001', `1:1 Found a control character, expected ${VALUE}`],
    ['\u007f', `1:1 Found a control character, expected ${VALUE}`],
    ['// a\n1', `1:1 Found "/", expected ${VALUE}`],
    ['{} {}', '1:4 Found "{", expected the end of the text after the JSON value'],
    ['1 2', '1:3 Found a digit, expected the end of the text after the JSON value'],
    ['nulll', '1:5 Found a letter, expected the end of the text after the JSON value'],
  ])('%j', (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });

  test.each([
    ['{', '1:2 Found the end of the text, expected a field name in double quotes or "}"'],
    ['{a:1}', '1:2 Found a letter, expected a field name in double quotes or "}"'],
    ['{1:1}', '1:2 Found a digit, expected a field name in double quotes or "}"'],
    ['{"a":1,}', '1:8 Found "}", expected a field name in double quotes'],
    ['{"a":1,\n', '2:1 Found the end of the text, expected a field name in double quotes'],
    ['{"a" 1}', '1:6 Found a digit, expected ":" after the field name'],
    ['{"a"', '1:5 Found the end of the text, expected ":" after the field name'],
    ['{"a":}', `1:6 Found "}", expected ${VALUE}`],
    ['{"a":1 "b":2}', '1:8 Found a double quote, expected "," or "}" after the field'],
    ['{"a":1', '1:7 Found the end of the text, expected "," or "}" after the field'],
    ['{"a":1]', '1:7 Found "]", expected "," or "}" after the field'],
    ['[', `1:2 Found the end of the text, expected ${VALUE}, or "]"`],
    ['[,1]', `1:2 Found ",", expected ${VALUE}, or "]"`],
    ['[1,]', `1:4 Found "]", expected ${VALUE}`],
    ['[1 2]', '1:4 Found a digit, expected "," or "]" after the element'],
    ['[1}', '1:3 Found "}", expected "," or "]" after the element'],
    ['[\n  1,\n  é\n]', `3:3 Found a non-ASCII character, expected ${VALUE}`],
    ['["é😀", x]', `1:8 Found a letter, expected ${VALUE}`],
  ])('%j', (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });

  test.each([
    ['-', '1:2 Found the end of the text, expected a digit after "-"'],
    ['-a', '1:2 Found a letter, expected a digit after "-"'],
    ['01', '1:2 Found a digit, expected ".", an exponent or the end of the number after a leading zero'],
    ['-00', '1:3 Found a digit, expected ".", an exponent or the end of the number after a leading zero'],
    ['1.', '1:3 Found the end of the text, expected a digit after "."'],
    ['1.e2', '1:3 Found a letter, expected a digit after "."'],
    ['1e', '1:3 Found the end of the text, expected a digit in the exponent'],
    ['1e+', '1:4 Found the end of the text, expected a digit in the exponent'],
    ['[1.2.3]', '1:5 Found ".", expected "," or "]" after the element'],
    ['0x10', '1:2 Found a letter, expected the end of the text after the JSON value'],
    ['1_000', '1:2 Found "_", expected the end of the text after the JSON value'],
  ])('%j', (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });

  test.each([
    ['"abc', '1:5 Found the end of the text, expected the closing quote of the string'],
    ['"a\nb"', '1:3 Found a line feed in a string, expected an escape such as \\n'],
    ['"a\tb"', '1:3 Found a tab in a string, expected an escape such as \\n'],
    ['"a\rb"', '1:3 Found a carriage return in a string, expected an escape such as \\n'],
    ['"a\\u0000"', '1:3 Found the escape of a NUL character, expected text without it'],
    [`"${'a'.repeat(2000)}\\u0000"`, '1:2002 Found the escape of a NUL character, expected text without it'],
    ['{"\\u0000":1}', '1:3 Found the escape of a NUL character, expected text without it'],
    ['"\u0000"', '1:2 Found a control character in a string, expected an escape such as \\n'],
    ['"\\', '1:3 Found the end of the text, expected one of " \\ / b f n r t u after a backslash'],
    ['"\\x41"', '1:3 Found a letter, expected one of " \\ / b f n r t u after a backslash'],
    ['"\\0"', '1:3 Found a digit, expected one of " \\ / b f n r t u after a backslash'],
    ['"\\u00g0"', '1:6 Found a letter, expected four hexadecimal digits after \\u'],
    ['"\\u00"', '1:6 Found a double quote, expected four hexadecimal digits after \\u'],
    ['"\\u\u0010123"', '1:4 Found a control character, expected four hexadecimal digits after \\u'],
    ['"\\ud83d"', '1:2 Found half of a surrogate pair in an escape, expected both halves'],
    ['"x\\uDE00"', '1:3 Found half of a surrogate pair in an escape, expected both halves'],
    ['"\\ud83d\\ud83d"', '1:2 Found half of a surrogate pair in an escape, expected both halves'],
    ['"\\ud83d\\ue000"', '1:2 Found half of a surrogate pair in an escape, expected both halves'],
    ['"\\ude00\\ude00"', '1:2 Found half of a surrogate pair in an escape, expected both halves'],
    ['"\\ud83d\\n"', '1:2 Found half of a surrogate pair in an escape, expected both halves'],
    ['"\\ud83d\\u12"', '1:12 Found a double quote, expected four hexadecimal digits after \\u'],
  ])('%j', (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });
});

describe('names', () => {
  test('A second field of the same name is refused, at its name.', () => {
    expect(refusal('{"a":1,\n "b":2, "a":1}')).toBe('2:9 Found the field "a" twice in an object');
  });

  test('Names are compared as they read, not as they are written.', () => {
    expect(refusal('{"a":1,"\\u0061":1}')).toContain('the field "a" twice');
    expect(refusal('{"toString":1,"toString":1}')).toContain('the field "toString" twice');
    expect(refusal('{"a":null,"a":null}')).toContain('the field "a" twice');
  });

  test.each(['__proto__', 'constructor', 'prototype'])(
    'A field named %s is refused, however deep.',
    (name) => {
      const message = `Found a field named ${name}; __proto__, constructor and prototype are not allowed as names`;
      expect(refusal(`{"${name}":1}`)).toBe(`1:2 ${message}`);
      expect(refusal(`[{"a":{"${name.replace('p', '\\u0070').replace('c', '\\u0063')}":1}}]`)).toBe(
        `1:8 ${message}`,
      );
    },
  );

  test('A value may be called like a forbidden name.', () => {
    expect(readJson('["__proto__"]')).toEqual(['__proto__']);
  });

  test('A refused name is shown to 20 characters, its digits and control characters hidden.', () => {
    expect(refusal('{"Line1":1,"Line1":1}')).toContain('"Line#"');
    expect(refusal('{"4111 1111 ١٢":1,"4111 1111 ١٢":1}')).toContain('"#### #### ##"');
    expect(refusal('{"a\\u202eb\\nc":1,"a\\u202eb\\nc":1}')).toContain('"a b c"');
    const long = 'a'.repeat(21);
    expect(refusal(`{"${long}":1,"${long}":1}`)).toContain(`"${'a'.repeat(20)}…"`);
  });
});

describe('limits', () => {
  test('Values nest 32 deep, and no deeper.', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => readJson(nested(NESTING_MAX))).not.toThrow();
    expect(refusal(nested(NESTING_MAX + 1))).toBe('1:33 Found "[" nested too deep; the maximum is 32 levels');
    expect(refusal('{"a":'.repeat(33))).toBe('1:161 Found "{" nested too deep; the maximum is 32 levels');
  });

  test('An object has 1,000 fields, and no more.', () => {
    const object = (count: number): string => `{${list(count, (n) => `"m${n}":0`)}}`;
    expect(Object.keys(readJson(object(FIELDS_MAX)) as object)).toHaveLength(FIELDS_MAX);
    expect(refusal(object(FIELDS_MAX + 1))).toMatch(/Found more than 1000 fields in an object$/);
  });

  test('An array has 10,000 elements, and no more.', () => {
    const array = (count: number): string => `[${list(count, () => '0')}]`;
    expect(readJson(array(ELEMENTS_MAX))).toHaveLength(ELEMENTS_MAX);
    expect(refusal(array(ELEMENTS_MAX + 1))).toBe('1:20002 Found more than 10000 elements in an array');
  });

  test('A number has 400 characters, and no more.', () => {
    const digits = '7'.repeat(NUMBER_LENGTH_MAX);
    expect(readJson(digits)).toStrictEqual(new NumberText(digits));
    expect(refusal(`[${digits}7]`)).toBe('1:2 Found a number longer than 400 characters');
  });
});

describe('hostile texts', () => {
  test.each([
    ['100,000 open arrays', '['.repeat(100_000), 'nested too deep'],
    ['100,000 open objects', '{"a":'.repeat(100_000), 'nested too deep'],
    ['a million digits', '1'.repeat(1_000_000), 'number longer than'],
    ['a string without an end', `"${'a'.repeat(1_000_000)}`, 'the closing quote'],
    ['a string of escapes without an end', `"${'\\u00e9'.repeat(200_000)}`, 'the closing quote'],
    ['a million lines', '\n'.repeat(1_000_000), 'the end of the text'],
  ])('%s: refused in one pass.', (_, text, message) => {
    expect(refusal(text)).toContain(message);
  });

  test('No message repeats digits of the text.', () => {
    const pan = '4111111111111111';
    const places = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(pan, `"${pan}"`, `{"${pan}":1,"${pan}":1}`));
    fc.assert(
      fc.property(places, ([text, place, insert]) => {
        const at = place % (text.length + 1);
        const fault = attempt(() => readJson(text.slice(0, at) + insert + text.slice(at)));
        expect(fault?.message ?? '').not.toMatch(/4|11/);
      }),
    );
  });
});

describe('against the parser of the platform', () => {
  const parse = (text: string): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return 'refused';
    }
  };
  const plain = (value: JsonValue): unknown => {
    if (value instanceof NumberText) return Number(value.text);
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
  };
  const isStricter =
    /twice in an object|field named|surrogate|nested too deep|elements in an array|fields in an object|longer than|NUL/;

  test('Whatever JSON.stringify writes is read back.', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(!/"(__proto__|constructor|prototype)"|\\u0000/.test(text));
        expect(readJson(text)).toStrictEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test('A number is a number exactly when it prints as it was written.', () => {
    const printed = fc
      .tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: 0, max: 20 }))
      .chain(([n, digits]) => fc.constantFrom(String(n), n.toExponential(digits), n.toFixed(digits)));
    fc.assert(
      fc.property(printed, (text) => {
        const isGivenBack = String(Number(text)) === text;
        expect(readJson(text)).toStrictEqual(isGivenBack ? Number(text) : new NumberText(text));
      }),
      { numRuns: 1000 },
    );
  });

  test('A damaged text is refused by both or read alike by both, but for what is refused on purpose.', () => {
    const fragments = [...'{}[]:,"\\ \n\t0123456789.eE+-aubx/é\u0000', '\\u00', '\\ud83d', 'null', '{"a":1}'];
    const damage = fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.constantFrom('', ...fragments));
    fc.assert(
      fc.property(fc.json(), fc.array(damage, { minLength: 1, maxLength: 3 }), (json, damages) => {
        let text = json;
        for (const [place, removed, insert] of damages) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + insert + text.slice(at + removed);
        }
        const fault = attempt(() => readJson(text));
        fc.pre(fault === undefined || !isStricter.test(fault.message));
        expect(fault === undefined ? plain(readJson(text)) : 'refused').toEqual(parse(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('long strings', () => {
  test.each(['\\"', '\\\\', '"', '\\u0041', '"\\"'])('of nothing but %s are looked at once', (unit) => {
    const text = `"${unit.repeat(5_000)}`;
    const look = vi.spyOn(String.prototype, 'charCodeAt');
    const cut = vi.spyOn(String.prototype, 'slice');
    attempt(() => readJson(text));
    const looked = look.mock.calls.length;
    const copied = cut.mock.results.map(({ value }) => String(value).length);
    vi.restoreAllMocks();
    // Each character and each cut a few times; a second pass for each escape would be thousands.
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThan(text.length * 4);
    expect(copied.reduce((sum, length) => sum + length, 0)).toBeLessThan(text.length * 4);
  });
});

describe('decodeUtf8', () => {
  const bytes = (...parts: (string | number)[]): Uint8Array =>
    new Uint8Array(
      parts.flatMap((part) => (typeof part === 'number' ? part : [...new TextEncoder().encode(part)])),
    );

  test('Text of every length of UTF-8 sequence is decoded, a byte order mark is kept.', () => {
    expect(decodeUtf8(bytes(''))).toBe('');
    expect(decodeUtf8(bytes('\ufeffaé漢😀\u{10ffff}'))).toBe('\ufeffaé漢😀\u{10ffff}');
  });

  test.each<[string, Uint8Array, number, string]>([
    ['a stray continuation byte', bytes('ab', 0x80), 2, '1:3'],
    ['a byte that never occurs', bytes('é\n漢x', 0xff, 'y'), 7, '2:3'],
    ['an overlong form of two bytes', bytes(0xc1, 0xbf), 0, '1:1'],
    ['an overlong form of three bytes', bytes('a', 0xe0, 0x9f, 0xbf), 1, '1:2'],
    ['an overlong form of four bytes', bytes(0xf0, 0x8f, 0xbf, 0xbf), 0, '1:1'],
    ['a surrogate', bytes(0xed, 0xa0, 0x80), 0, '1:1'],
    ['a point above U+10FFFF', bytes(0xf4, 0x90, 0x80, 0x80), 0, '1:1'],
    ['a sequence that is cut by the end', bytes('ab', 0xf0, 0x9f, 0x98), 2, '1:3'],
    ['a sequence that is cut by a quote', bytes('\ufeffa', 0xe6, 0xbc, '"'), 4, '1:3'],
  ])('%s is refused, with its offset.', (_, input, offset, place) => {
    const fault = faultOf(() => decodeUtf8(input));
    expect(fault.message).toBe(`Found a byte that is not UTF-8 at offset ${offset}, expected UTF-8 text`);
    expect(`${fault.line}:${fault.column}`).toBe(place);
  });

  test('It refuses what the platform refuses, and names the first wrong byte.', () => {
    const accepts = (decode: () => string): boolean => {
      try {
        decode();
        return true;
      } catch {
        return false;
      }
    };
    const wild = fc.constantFrom(
      0x41,
      0x80,
      0x8f,
      0x90,
      0x9f,
      0xa0,
      0xbf,
      0xc1,
      0xc2,
      0xe0,
      0xe6,
      0xed,
      0xf0,
      0xf4,
      0xf5,
    );
    fc.assert(
      fc.property(fc.array(wild, { maxLength: 6 }), (numbers) => {
        const input = new Uint8Array(numbers);
        const valid = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
        const fault = attempt(() => decodeUtf8(input));
        const offset = Number(/offset (\d+)/.exec(fault?.message ?? '')?.[1] ?? input.length);
        expect(() => valid.decode(input.subarray(0, offset))).not.toThrow();
        expect(fault === undefined).toBe(accepts(() => valid.decode(input)));
      }),
      { numRuns: 2000 },
    );
  });
});
