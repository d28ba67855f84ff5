import { inspect } from 'node:util';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { maskPan, parsePan, passesLuhn } from '../../src/core/cards/card.js';
import { NumberText } from '../../src/core/text/text.js';
import { Journal } from '../../src/journal/journal.js';
import { insertStandIns, standInPan } from '../../src/journal/mask.js';
import { parseBodyText } from '../../src/journal/completed-call.js';
import { isTestCard } from '../../src/outcomes/magic.js';
import { newestFirst, exchanged, journalOf, jsonOf, sentOf, shown } from './support.js';

/** A card number of 12 to 19 digits with a right check digit. */
const pan = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 10, maxLength: 17 })
  .map((digits) => withCheckDigit(`4${digits.join('')}`));

function withCheckDigit(digits: string): string {
  for (let check = 0; check < 10; check++) if (passesLuhn(digits + check)) return digits + check;
  throw new Error('One of ten check digits is right');
}

const ccv = fc.integer({ min: 600, max: 999 }).map(String);

const cardName = fc.constantFrom(
  'CardNumber',
  'cardnumber',
  'card_number',
  'CARD-NUMBER',
  '_Card_Number',
  'cardNumber2',
);
const ccvName = fc.constantFrom('Ccv', 'CCV', 'ccv', 'Cvv', 'cvv2', 'C-c-v', '_cvv', 'CVC');

/** A card member's value in the ways in which people write a number, and in some in which they should not. */
const formats = (digits: string): unknown[] => [
  digits,
  digits.replaceAll(/\d{4}(?=\d)/g, '$& '),
  digits.replaceAll(/\d{4}(?=\d)/g, '$&-'),
  ` ${digits}`,
  `${digits}x`,
  `${digits.slice(0, 6)}.${digits.slice(6)}`,
  new NumberText(`${digits}.0`),
  [digits],
  { value: digits },
  ...(digits.length < 16 ? [Number(digits)] : []),
];

/** A member at some depth, within objects and lists and beside other members. */
const placed = (inner: Record<string, unknown>): unknown[] => [
  inner,
  { Amount: 5, PaymentInformation: { ...inner, ExpiryDate: '10/30' } },
  { a: { b: [{ c: inner }, 1, null] } },
  { Cards: [inner, { ...inner }] },
];

/** A body as a client writes it, in one line or in many, whole or cut off. */
function writings(body: unknown): string[] {
  return [undefined, 2].flatMap((indent) => {
    const text = jsonOf(body, indent);
    return [text, text.slice(0, -1), text.replaceAll('4', '\\u0034').replaceAll(/(\d)\\u0034/g, '$14')];
  });
}

/** Whether the digits stand in a text, whatever stands between them. */
function holds(text: string, digits: string): boolean {
  return text.replaceAll(/[^\d*]/g, '').includes(digits);
}

describe('a card number and a Ccv', () => {
  test('are in no entry, however and wherever they were sent', () => {
    const secret = fc.record({ pan, ccv, cardName, ccvName });
    fc.assert(
      fc.property(secret, (made) => {
        for (const value of formats(made.pan)) {
          for (const body of placed({ [made.cardName]: value, [made.ccvName]: made.ccv, Amount: 5 })) {
            for (const text of writings(body)) {
              const journal = journalOf({ request: sentOf(text), responseBody: body });
              expect(holds(shown(journal), made.pan), text).toBe(false);
              expect(shown(journal), text).not.toMatch(new RegExp(`"${made.ccv}\\\\?"`));
            }
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ['a bare number', '4242424242424242'],
    ['a bare number with a point', '4242424242424242.0'],
    ['a number where an object belongs', '{"PaymentInformation":4242424242424242.0}'],
    ['a bare text', '"4242424242424242"'],
    ['a list', '["4242424242424242"]'],
    ['a name', '{"4242424242424242":1}'],
    ['a name that ends in a letter', '{"4242424242424242x":1}'],
    ['a text where an object belongs', '{"PaymentInformation":"4242424242424242"}'],
    ['a text where a bank account belongs', '{"BankPaymentInformation":"424242987"}'],
    ['no JSON at all', 'CardNumber=4242424242424242&Ccv=987'],
    ['JSON that breaks off', '{"PaymentInformation":{"CardNumber":"4242424242424242","Ccv":"987"'],
  ])('are masked where the body is %s', (_, text) => {
    const told = shown(journalOf({ request: sentOf(text), responseBody: null }));
    expect(told).not.toMatch(/424242|987/);
  });

  test('are masked in a text with its other fields as they were sent', () => {
    const text = `{
  "Amount": 20.0, "CardNumber": "4242 4242 4242 4242",
  "Ccv": "123", "VaultCard": null, "Webhook": {"Url": "u", "Authorization": "Bearer x"}
}`;
    const [entry] = newestFirst(journalOf({ request: sentOf(text) }));
    expect(parseBodyText(entry?.request ?? null)).toEqual({
      Amount: 20,
      CardNumber: '4242********4242',
      Ccv: '***',
      VaultCard: null,
      Webhook: { Url: 'u', Authorization: '***' },
    });
    expect(entry?.standIns).toEqual(['4242424242424242', '123', '***']);
  });

  test('leave the rest of a body that is not JSON readable, as a text without digits', () => {
    const text = '{"Amount": 15.5, "Webhook": {"Authorization": "Basic abc"}';
    const [entry] = newestFirst(journalOf({ request: sentOf(text) }));
    expect(parseBodyText(entry?.request ?? null)).toBe('{"Amount": **.*, "Webhook": {"Authorization ***');
  });

  test.each([
    ['4', '4'],
    ['411111', '411111'],
    ['41111111', '411111**'],
    ['411111111', '4111*1111'],
    ['12x', '***'],
  ])('the query CardNumber=%s shows what is no secret: %s', (asked, seen) => {
    const journal = journalOf({ query: `CardNumber=${asked}` });
    expect(newestFirst(journal)[0]?.query).toBe(`CardNumber=${seen}`);
  });

  test('are in no entry when they are in the address or a header', () => {
    fc.assert(
      fc.property(pan, ccv, (number, code) => {
        const grouped = number.replaceAll(/\d{4}(?=\d)/g, '$&+');
        for (const query of [
          `CardNumber=${number}&Ccv=${code}`,
          `card_number=${grouped}`,
          `%43ardNumber=${number}x`,
          `q=${encodeURIComponent(number.replaceAll(/\d{4}(?=\d)/g, '$& '))}`,
          number,
          `${number}=1`,
        ]) {
          const journal = journalOf({
            query,
            path: `/vault/${number}`,
            headers: [['referer', `/?${number}`]],
          });
          expect(holds(decodeURIComponent(shown(journal)), number), query).toBe(false);
          expect(shown(journal)).not.toContain(`=${code}`);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('are not kept out of sight either: nothing in a journal is the number', () => {
    fc.assert(
      fc.property(
        pan.filter((number) => !isTestCard(number)),
        (number) => {
          const journal = journalOf({ requestBody: { PaymentInformation: { CardNumber: number } } });
          expect(shown(journal)).not.toContain(number);
          expect(inspect([...journal.entries()], { showHidden: true })).not.toContain(number);
        },
      ),
    );
  });

  test('are masked as everywhere: the first and the last four digits stay', () => {
    const journal = journalOf({
      requestBody: {
        CardNumber: '4242 4242 4242 4242',
        Ccv: '123',
        Webhook: { Url: 'u', Authorization: 'Bearer x' },
      },
      responseBody: { Card: { CardNumber: '4242********4242', CcvCheck: true } },
    });
    const [entry] = newestFirst(journal);
    expect(parseBodyText(entry?.request ?? null)).toEqual({
      CardNumber: maskPan('4242424242424242'),
      Ccv: '***',
      Webhook: { Url: 'u', Authorization: '***' },
    });
    expect(entry?.answer).toEqual({
      Card: { CardNumber: '4242********4242', CcvCheck: true },
    });
  });

  test.each([
    ['what the vault gives out', { CardNumber: '4539578763621486', Ccv: '321' }],
    ['a map of the caller', { Metadata: { card_number: '4539578763621486', cvv: '321' } }],
  ])('are masked in the text of an answer too: %s', (_, body) => {
    const journal = journalOf({ responseBody: body, responseText: JSON.stringify(body) });
    const [entry] = newestFirst(journal);
    expect(JSON.stringify(entry?.answer)).not.toMatch(/4539578763621486|321/);
  });

  test.each<[string, unknown]>([
    ['a bare text', '4242424242424242'],
    ['a bare number', 4_242_424_242_424_242],
    ['a bare list', ['4242424242424242', '123']],
    ['a list that is not of objects alone', [{ a: 1 }, '4242424242424242']],
    ['a list of lists', [['4242424242424242']]],
    ['a list where an object belongs', { PaymentInformation: ['4242424242424242'] }],
    ['a name alone', { '4242424242424242': null, '4242424242424242 ': true }],
  ])('are not kept of %s', (_, body) => {
    expect(shown(journalOf({ requestBody: body }))).not.toContain('4242424242424242');
  });

  test('are taken out of a list of objects, as some answers are; the rest of it stays', () => {
    const body = [{ CardNumber: '4242424242424242', Amount: 5 }, { Account: 'acct-1' }];
    expect(newestFirst(journalOf({ responseBody: body }))[0]?.answer).toEqual([
      { CardNumber: '4242********4242', Amount: 5 },
      { Account: 'acct-1' },
    ]);
    expect(newestFirst(journalOf({ responseBody: [] }))[0]?.answer).toEqual([]);
  });

  test('are taken out of names, and out of a text where an object belongs', () => {
    const body = { '4242424242424242': 1, PaymentInformation: '4242424242424242 123' };
    expect(parseBodyText(newestFirst(journalOf({ requestBody: body }))[0]?.request ?? null)).toEqual({
      '4242********4242': 1,
      PaymentInformation: '***',
    });
  });
});

describe('a number of a bank account', () => {
  // Long enough that what is hidden of it stands nowhere by chance.
  const accountNumber = fc.stringMatching(/^[1-8]{9}[\dA-Z]{1,23}$/);
  const accountName = fc.constantFrom('AccountNumber', 'accountNumber', 'account_number', 'ACCOUNT-NUMBER');

  test('is in no entry, however and wherever it was sent', () => {
    fc.assert(
      fc.property(accountNumber, accountName, (number, name) => {
        const grouped = number.replaceAll(/\w{2}(?=\w)/g, '$& ');
        for (const value of [
          number,
          grouped,
          number.toLowerCase(),
          `${number}_`,
          [number],
          { value: number },
        ]) {
          for (const body of placed({ [name]: value, Amount: 5 })) {
            for (const text of writings(body)) {
              const journal = journalOf({ request: sentOf(text), responseBody: body });
              const told = shown(journal).replaceAll(/[ _]/g, '').toUpperCase();
              expect(told, text).not.toContain(number.slice(0, -3));
            }
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  test('is masked as everywhere: its last three characters stay', () => {
    const requestBody = { BankPaymentInformation: { AccountNumber: '0001 23456', BankCode: '062-000' } };
    const responseBody = { BankPayment: { AccountNumber: '******456' } };
    const [entry] = newestFirst(journalOf({ requestBody, responseBody }));
    expect(parseBodyText(entry?.request ?? null)).toEqual({
      BankPaymentInformation: { AccountNumber: '******456', BankCode: '062-000' },
    });
    expect(entry?.answer).toEqual(responseBody);
  });

  test.each([
    ['000009995', '000009995'],
    ['0000-09995', '000009995'],
    ['123456789', '999999789'],
    ['123450002', '999999002'],
    ['de89370400440532013000', '9999999999999999999000'],
    ['12', 'x'],
    [12_345, 'x'],
  ])('%j is replayed as %s', (sent, replay) => {
    const requestBody = { BankPaymentInformation: { AccountNumber: sent } };
    const [entry] = newestFirst(journalOf({ requestBody }));
    expect(insertStandIns(parseBodyText(entry?.request ?? null), entry?.standIns ?? [])).toEqual({
      BankPaymentInformation: { AccountNumber: replay },
    });
  });
});

describe('what is kept', () => {
  test('is the body itself where it holds no secret, and the body of the caller never changes', () => {
    const requestBody = { Amount: 5, PaymentInformation: { CardNumber: '4242424242424242', Ccv: '123' } };
    const responseBody = { ChargeId: 'c-1' };
    const [entry] = newestFirst(journalOf({ requestBody, responseBody }));
    expect(entry?.answer).toEqual(responseBody);
    expect(requestBody.PaymentInformation).toEqual({ CardNumber: '4242424242424242', Ccv: '123' });
  });

  test.each([
    ['20.0', 20],
    ['1e2', 100],
    ['1e999', '1e999'],
  ])('is a number for the digits %s', (digits, value) => {
    const journal = journalOf({ requestBody: { Amount: new NumberText(digits) } });
    expect(parseBodyText(newestFirst(journal)[0]?.request ?? null)).toEqual({ Amount: value });
  });

  test.each<[string, unknown]>([
    ['a long text', { Note: 'x'.repeat(300_000) }],
    [
      'many members',
      Object.fromEntries(Array.from({ length: 15_000 }, (_, i) => [`member-${i}`, 'x'.repeat(20)])),
    ],
    ['a long list', { List: Array.from({ length: 50_000 }, () => ({ a: 1 })) }],
    ['a text behind a card', { CardNumber: '4242424242424242', Note: 'x'.repeat(300_000) }],
  ])('of %s is at most 256 KiB, and says so', (_, requestBody) => {
    const [entry] = newestFirst(journalOf({ requestBody }));
    expect(entry).toMatchObject({ truncated: true, requestTruncated: true });
    expect(entry?.request?.length).toBeLessThan(263_000);
  });

  test('that was cut is the one of the answer, where it was that', () => {
    const [entry] = newestFirst(journalOf({ responseBody: { Results: 'x'.repeat(20_000) } }));
    expect(entry).toMatchObject({ truncated: true, requestTruncated: false });
  });

  test('is no key, whichever header it came in', () => {
    const headers: [string, string][] = [
      ['X-SecretKey', 'sk_test_secret'],
      ['authorization', 'Bearer secret'],
      ['x-sandbox-admin', 'secret'],
      ['cookie', 'secret'],
      ['accept', '*/*'],
    ];
    const journal = journalOf({ headers }, { headers });
    expect(shown(journal)).not.toContain('secret"');
    expect(newestFirst(journal)[0]?.headers).toContain('*/*');
  });

  test('of headers is shared between requests that have the same, and of their own otherwise', () => {
    const journal = new Journal();
    const headers = (length: string): [string, string][] => [
      ['x-secretkey', 'k'],
      ['content-length', length],
    ];
    for (const length of ['1', '1', '2', '2']) journal.record(exchanged({ headers: headers(length) }));
    const [fourth, third, second, first] = newestFirst(journal).map((entry) => entry.headers);
    expect(second).toEqual(first);
    expect(fourth).toEqual(third);
    expect(third).toEqual(['x-secretkey', '***', 'content-length', '2']);
    expect(first).toEqual(['x-secretkey', '***', 'content-length', '1']);
    journal.record(exchanged({ headers: [['x-secretkey', 'k']] }));
    expect(newestFirst(journal)[0]?.headers).toEqual(['x-secretkey', '***']);
  });
});

describe('a stand-in', () => {
  test('of an ordinary card is another one with the same mask, length and scheme, and no test card', () => {
    fc.assert(
      fc.property(
        pan.filter((number) => !isTestCard(number)),
        (number) => {
          const made = standInPan(number);
          expect(made).not.toBe(number);
          expect(made.slice(0, 6)).toBe(number.slice(0, 6));
          expect(maskPan(made)).toBe(maskPan(number));
          expect(parsePan(made).fault).toBeUndefined();
          expect(isTestCard(made)).toBe(false);
          expect(standInPan(number)).toBe(made);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test.each(['4111111111111112', '41111', '4'.repeat(25), 'abc', ''])(
    'of the malformed %j is malformed alike',
    (text) => {
      expect(parsePan(standInPan(text)).fault).toBe(parsePan(text).fault);
    },
  );

  test('comes back for each masked field of a request, in its place', () => {
    const body = {
      Ccv: '1234',
      List: [{ CardNumber: '4242 4242 4242 4242' }, { CardNumber: 5 }],
      PaymentInformation: { CardNumber: '4000000000009995', Ccv: '999', Cardholder: 'Jo' },
      Webhook: { Authorization: 'Bearer x' },
    };
    const [entry] = newestFirst(journalOf({ requestBody: body }));
    expect(insertStandIns(parseBodyText(entry?.request ?? null), entry?.standIns ?? [])).toEqual({
      Ccv: '1234',
      List: [{ CardNumber: '4242424242424242' }, { CardNumber: '4000000000000001' }],
      PaymentInformation: { CardNumber: '4000000000009995', Ccv: '123', Cardholder: 'Jo' },
      Webhook: { Authorization: '***' },
    });
  });
});
