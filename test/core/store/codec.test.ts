import { describe, expect, test } from 'vitest';

import * as field from '../../../src/core/store/field.js';
import { ValidationError } from '../../../src/core/validation-error.js';

const price = field.record({ minor: field.minor, currency: field.currency });
const order = field.record({
  reference: field.maybeText,
  status: field.tableKey({ OPEN: 1, PAID: 2 }),
  lines: field.list(price),
  paidBy: field.orNull(
    field.variants('type', { CARD: { masked: field.text(4) }, CASH: { isExact: field.flag } }),
  ),
});

/** Why a value is refused, and where. */
function refusal(codec: Pick<field.Codec<unknown>, 'read'>, value: unknown): string {
  try {
    return `read as ${JSON.stringify(codec.read(value))}`;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return `${error.path.join('.')}: ${error.message}`;
  }
}

describe('a codec', () => {
  test('writes fields in PascalCase, leaves out what is null or empty, and reads what it wrote', () => {
    const empty = { reference: null, status: 'OPEN', lines: [], paidBy: null } as const;
    const full = {
      reference: 'a',
      status: 'PAID',
      lines: [{ minor: 1550, currency: 'AUD' }],
      paidBy: { type: 'CASH', isExact: true },
    } as const;
    expect(JSON.stringify(order.write(empty))).toBe('{"Status":"OPEN"}');
    expect(JSON.stringify(order.write(full))).toBe(
      '{"Reference":"a","Status":"PAID","Lines":[{"Minor":1550,"Currency":"AUD"}],"PaidBy":{"Type":"CASH","IsExact":true}}',
    );
    for (const value of [empty, full])
      expect(order.read(JSON.parse(JSON.stringify(order.write(value))))).toEqual(value);
  });

  test.each<[document: unknown, refused: string]>([
    [7, ': must be an object, not a number'],
    [{}, 'Status: must be one of OPEN, PAID'],
    [{ Status: 'OPEN', Referense: 'a' }, ': has an unknown field "Referense". Did you mean Reference?'],
    [{ Status: 'OPEN', Zzz: 'a' }, ': has an unknown field "Zzz"'],
    [{ Status: 'OPEN', Reference: 7 }, 'Reference: must be a string, not a number'],
    [{ Status: 'OPEN', Lines: {} }, 'Lines: must be an array, not an object'],
    [
      { Status: 'OPEN', Lines: [{ Minor: 0.5 }] },
      'Lines.0.Minor: must be a whole number from 0 to 9007199254740991',
    ],
    [
      { Status: 'OPEN', Lines: [{ Minor: 1, Currency: 'aud' }] },
      'Lines.0.Currency: must be an ISO 4217 code such as AUD',
    ],
    [{ Status: 'OPEN', PaidBy: 'cash' }, 'PaidBy: must be an object, not a string'],
    [{ Status: 'OPEN', PaidBy: {} }, 'PaidBy.Type: must be one of CARD, CASH'],
    [
      { Status: 'OPEN', PaidBy: { Type: 'CARD', Masked: '12345' } },
      'PaidBy.Masked: is 5 characters long; the maximum is 4',
    ],
    [
      { Status: 'OPEN', PaidBy: { Type: 'CASH', IsExact: 1 } },
      'PaidBy.IsExact: must be true or false, not a number',
    ],
  ])('refuses %j and says where and why', (document, refused) => {
    expect(refusal(order, document)).toBe(refused);
  });

  test('makes one string of equal texts, and checks each other one', () => {
    const codec = field.shared(field.hexId);
    const [one, other] = ['a'.repeat(32), Buffer.from('a'.repeat(32)).toString()];
    expect([codec.read(one), codec.read(other)]).toEqual([one, one]);
    expect(refusal(codec, 'A'.repeat(32))).toBe(': must be 32 lower-case hexadecimal digits');
  });

  test('of a map that belongs to a caller bounds its keys and its texts', () => {
    expect(refusal(field.textMap(1, 3), { a: 'b' })).toBe('read as {"a":"b"}');
    expect(refusal(field.textMap(1, 3), { a: 'b', c: 'd' })).toBe(': has 2 keys; the maximum is 1');
    expect(refusal(field.textMap(1, 3), { abcd: 'b' })).toBe(': has a key longer than 3 characters');
    expect(refusal(field.textMap(1, 3), { a: 7 })).toBe('a: must be a string, not a number');
    expect(refusal(field.textMap(1, 3), [])).toBe(': must be an object of strings, not an array');
  });

  test('of bytes takes Base64 alone', () => {
    expect(field.utf8.read(field.utf8.write('\u{feff}é'))).toBe('\u{feff}é');
    expect(refusal(field.bytes, 'not base64')).toBe(': must be a Base64 string');
  });
});
