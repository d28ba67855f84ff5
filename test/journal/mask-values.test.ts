import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { maskPan, parsePan, passesLuhn } from '../../src/core/cards/card.js';
import { insertStandIns } from '../../src/journal/mask.js';
import { parseBodyText } from '../../src/journal/completed-call.js';
import { isTestCard, MAGIC_CARDS } from '../../src/outcomes/magic.js';
import { journalOf, newestFirst, sentOf, shown } from './support.js';

/** A number of 13 to 19 digits with a right check digit that nobody published. */
const pan = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 17 })
  .map((digits) => withCheckDigit(`4${digits.join('')}`))
  .filter((number) => !isTestCard(number));

function withCheckDigit(digits: string): string {
  for (let check = 0; check < 10; check++) if (passesLuhn(digits + check)) return digits + check;
  throw new Error('One of ten check digits is right');
}

const PAN = '4539578763621486';
const MASKED = '4539********1486';

const SPELLINGS =
  'Number Pan PAN pan card Card CardNo card_no ccNumber cc-number CreditCardNumber PrimaryAccountNumber x Note OrderId Token';
const cardName = fc.constantFrom(...SPELLINGS.split(' '));

const ccvNames =
  'SecurityCode security_code SECURITY-CODE securityCode Cvv CVV2 cvc Csc CardSecurityCode cardCvc CardVerificationValue';
const keyNames =
  'SecretKey secret_key x-secretkey ApiKey api_key X-Api-Key AccessToken Password Authorisation authorization Proxy-Authorization ClientSecret PrivateKey admin_token';

const spellings = (digits: string): string[] => [
  digits,
  digits.replaceAll(/\d{4}(?=\d)/g, '$& '),
  digits.replaceAll(/\d{4}(?=\d)/g, '$&-'),
  digits.split('').join(' '),
  ...['\u00a0', '\u2009', '\u2013', '\u200b'].map((gap) => digits.split('').join(gap)),
  digits.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  `card ${digits}, please`,
  `PaymentMethodId,Amount\n${digits},5\n`,
];

function requestOf(body: object): unknown {
  const [entry] = newestFirst(journalOf({ request: sentOf(JSON.stringify(body)) }));
  return parseBodyText(entry?.request ?? null);
}

function sentAs(text: string): unknown {
  const [entry] = newestFirst(journalOf({ request: sentOf(text) }));
  return parseBodyText(entry?.request ?? null);
}

function replayOf(body: object): unknown {
  const [entry] = newestFirst(journalOf({ request: sentOf(JSON.stringify(body)) }));
  return insertStandIns(parseBodyText(entry?.request ?? null), entry?.standIns ?? []);
}

const digitsOf = (text: string): string => text.replaceAll(/[^\d*]/g, '');

describe('a card number in a field of any name', () => {
  test('is in no entry, in requests and answers, at any depth, however it is written', () => {
    fc.assert(
      fc.property(pan, cardName, (number, name) => {
        for (const value of [...spellings(number), [number], { Inner: number }, [[number], { a: number }]]) {
          for (const body of [{ [name]: value }, { a: [{ b: { [name]: value } }] }]) {
            const answer = journalOf({ responseBody: body, responseText: JSON.stringify(body) });
            const journal = journalOf({ request: sentOf(JSON.stringify(body)), responseBody: null });
            for (const text of [
              JSON.stringify(newestFirst(answer).map((entry) => entry.answer)),
              shown(journal),
              shown(journalOf({ request: sentOf(JSON.stringify(body, null, 2)) })),
              shown(journalOf({ requestBody: body })),
            ]) {
              expect(digitsOf(text), JSON.stringify(body)).not.toContain(number);
            }
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('is masked as a JSON number too, and as digits written with escapes', () => {
    expect(requestOf({ Pan: Number(PAN), Card: { Number: Number(PAN) } })).toEqual({
      Pan: MASKED,
      Card: { Number: MASKED },
    });
    for (const text of [
      `{"Note":${PAN}.0}`,
      `{"Note":"\\u0034539578763621486"}`,
      `{"Note":"4539578763621486\\u0020"}`,
    ]) {
      expect(shown(journalOf({ request: sentOf(text) }))).not.toContain('539578763621486');
    }
  });

  test.each(SPELLINGS.split(' ').filter((name) => name !== 'Card' && name !== 'card'))(
    'is masked in %s',
    (name) => {
      expect(requestOf({ [name]: PAN })).toEqual({ [name]: MASKED });
    },
  );

  test.each(MAGIC_CARDS.map(({ number }) => number))('%s is published, so it stays', (number) => {
    expect(requestOf({ Note: number, Card: { Number: number } })).toEqual({
      Note: number,
      Card: { Number: number },
    });
  });

  test.each(
    'Reference GroupReference Description Cardholder FirstName AccountName Email Phone Line1 PostalCode'.split(
      ' ',
    ),
  )('%s is a text of the caller: it stays', (name) => {
    expect(requestOf({ [name]: PAN })).toEqual({ [name]: PAN });
    expect(replayOf({ [name]: PAN })).toEqual({ [name]: PAN });
    const journal = journalOf({ query: `${name}=${PAN}` });
    expect(newestFirst(journal)[0]?.query).toBe(`${name}=${PAN}`);
  });

  test.each('DateAdded AddedAfter ExpiresAt purchaseDate created_at timestamp'.split(' '))(
    '%s is a date: digits that pass the check by chance stay, a card number does not',
    (name) => {
      const days = Array.from({ length: 20 }, (_, i) => `202601${String(i + 10)}120000`);
      const date = days.find((digits) => passesLuhn(digits)) ?? '';
      expect(requestOf({ [name]: date, Other: date })).toEqual({ [name]: date, Other: maskPan(date) });
      expect(replayOf({ [name]: date })).toEqual({ [name]: date });
      expect(requestOf({ [name]: PAN, ExpiryDate: PAN })).toEqual({ [name]: MASKED, ExpiryDate: MASKED });
    },
  );

  test.each([PAN, `n${PAN}n`, `${'x'.repeat(50)} ${PAN}`, `card ${PAN.slice(0, 4)} ${PAN.slice(4)}`])(
    'is masked in the name of a field: %s',
    (name) => {
      expect(JSON.stringify(requestOf({ [name]: 1, Amount: 5 }))).toMatch(/\*{4,}.*"Amount":5/);
      expect(shown(journalOf({ requestBody: { [name]: 1 }, responseBody: { [name]: 1 } }))).not.toContain(
        PAN,
      );
    },
  );

  test('stays in Metadata and in an address, where card fields are masked by their names', () => {
    const body = {
      Metadata: { order: PAN, card_number: PAN, list: [PAN] },
      Address: { Line1: PAN, Unit: PAN },
      Other: PAN,
    };
    expect(requestOf(body)).toEqual({
      Metadata: { order: PAN, card_number: MASKED, list: [PAN] },
      Address: { Line1: PAN, Unit: PAN },
      Other: MASKED,
    });
  });

  test.each([
    ['an identifier', { Id: '12345678901234567890123456789012' }],
    ['an identifier with hyphens', { Id: '45395787-6362-1486-8888-123456789012' }],
    ['a number of twelve digits', { Id: '123456789015' }],
    ['a number of twenty digits', { Id: '45395787636214860000' }],
    ['a wrong check digit', { Id: '4539578763621487' }],
    ['an instant', { At: '2026-01-01T00:00:00.000Z', Seen: '2026-01-01 10:00:00' }],
    ['a mask', { Id: MASKED }],
    ['a text with stars', { Id: '***' }],
  ])('is not seen in %s', (_, body) => {
    expect(requestOf(body)).toEqual(body);
    expect(replayOf(body)).toEqual(body);
  });

  test('is masked before a long text is cut, also where the end cuts it', () => {
    for (let length = 16_320; length < 16_420; length += 3) {
      const body = { Batch: `${'x'.repeat(length)} ${PAN} ${'y'.repeat(20_000)}` };
      const text = shown(journalOf({ request: sentOf(JSON.stringify(body)) }));
      expect(text).not.toMatch(/4539578\d/);
    }
  });

  test('of a body that has none is kept as it was sent', () => {
    const text = '{ "Amount": 20.0,  "Metadata": {"order": "4539578763621486"}, "Ccv": "123" }';
    const [entry] = newestFirst(journalOf({ request: sentOf(text) }));
    expect(entry?.request).toBe(text.replace('"123"', '"***"'));
  });
});

describe('a number', () => {
  test.each([
    '62.400000000000006',
    `${withCheckDigit('453957876362')}.5`,
    '6.2400000000000006e1',
    '20.0',
    '1e2',
    '4539578763621487',
  ])('stays a number if it is no card number: %s', (number) => {
    expect(sentAs(`{"Amount":${number},"List":[${number}]}`)).toEqual({
      Amount: Number(number),
      List: [Number(number)],
    });
    const responseBody = { Amount: Number(number) };
    const journal = journalOf({ responseBody, responseText: `{"Amount":${number}}` });
    expect(newestFirst(journal)[0]?.answer).toEqual(responseBody);
    expect(requestOf({ Note: `sum ${number}` })).toEqual({ Note: `sum ${number}` });
  });

  test.each(['4539578763621486', '4.539578763621486e15', '4539578763621486.0', '45395787636214860e-1'])(
    'that is a whole card number is shown as a masked text: %s',
    (number) => {
      expect(sentAs(`{"Pan":${number},"List":[${number}],"CardNumber":${number}}`)).toMatchObject({
        Pan: MASKED,
        List: [MASKED],
      });
      const entry = newestFirst(journalOf({ request: sentOf(`{"Note":${number}}`) }))[0];
      expect(
        parsePan(
          (insertStandIns(parseBodyText(entry?.request ?? null), entry?.standIns ?? []) as { Note: string })
            .Note,
        ).fault,
      ).toBeUndefined();
      const journal = journalOf({ responseBody: { Pan: Number(number) }, responseText: `{"Pan":${number}}` });
      expect(newestFirst(journal)[0]?.answer).toEqual({ Pan: MASKED });
    },
  );
});

describe('secrets within a text', () => {
  const json = `{"Ccv":"847","CardNumber":"${PAN}","apiKey":"a1b2"}`;
  const masked = `{"Ccv":"***","CardNumber":"${MASKED}","apiKey":"***"}`;

  test.each(['Note', 'Reference', 'Description'])('are masked in JSON in %s', (name) => {
    for (const [text, shownText] of [
      [json, masked],
      [JSON.stringify({ a: json }), JSON.stringify({ a: masked })],
      [encodeURIComponent(json), encodeURIComponent(masked)],
      ['a=1&Ccv=847&api_key=a1b2', 'a=1&Ccv=***&api_key=***'],
    ]) {
      expect(requestOf({ [name]: text, Metadata: { [name]: text } })).toEqual({
        [name]: shownText,
        Metadata: { [name]: shownText },
      });
      const answer = journalOf({
        responseBody: { [name]: text },
        responseText: JSON.stringify({ [name]: text }),
      });
      expect(newestFirst(answer)[0]?.answer).toEqual({ [name]: shownText });
    }
  });

  test('are masked in queries and headers, also encoded', () => {
    for (const text of [json, JSON.stringify({ a: json }), 'a=1&Ccv=847&api_key=a1b2']) {
      const query = `x=${encodeURIComponent(text)}&y=${encodeURIComponent(encodeURIComponent(text))}`;
      const headers: [string, string][] = [
        ['x-debug', text],
        ['x-query', encodeURIComponent(text)],
        ['referer', `https://shop.test/pay?${query}`],
      ];
      const told = shown(journalOf({ query, headers, reference: text }));
      expect(told).not.toMatch(/847|a1b2|4539578763621486/);
    }
  });

  test('have their stand-ins at the right place of a replay', () => {
    const body = { Note: json, Pan: PAN, Reference: json, Url: 'https://jo:pw@host/', Last: `${PAN} ***` };
    const sent = replayOf(body) as typeof body;
    expect(maskPan(sent.Pan)).toBe(MASKED);
    expect(sent.Reference).toBe(masked);
    expect(sent.Last).toBe(`${sent.Pan} ***`);
    expect(sent.Url).toBe('https://jo:***@host/');
  });
});

describe('a replay', () => {
  test('sends a stand-in with the same scheme and mask for each masked number, in its place', () => {
    const body = {
      Note: `${PAN} and 4242424242424242`,
      CardNumber: '4000000000009995',
      Metadata: { order: PAN },
      List: [PAN, 'x', { Pan: PAN }],
      Shown: MASKED,
      Card: { Number: PAN },
    };
    const sent = replayOf(body) as typeof body;
    const standIn = sent.Card.Number;
    expect(standIn).not.toBe(PAN);
    expect(maskPan(standIn)).toBe(MASKED);
    expect(parsePan(standIn).fault).toBeUndefined();
    expect(sent).toEqual({
      ...body,
      Note: `${standIn} and 4242424242424242`,
      List: [standIn, 'x', { Pan: standIn }],
      Card: { Number: standIn },
    });
  });
});

describe('secrets by the names of their fields', () => {
  test.each(ccvNames.split(' '))('%s is a security code', (name) => {
    expect(requestOf({ [name]: '847', Metadata: { [name]: '8471' } })).toEqual({
      [name]: '***',
      Metadata: { [name]: '***' },
    });
    expect(replayOf({ [name]: '847' })).toEqual({ [name]: '123' });
    expect(newestFirst(journalOf({ query: `${name}=847` }))[0]?.query).toBe(`${name}=***`);
  });

  test.each(keyNames.split(' '))('%s is a key', (name) => {
    expect(requestOf({ [name]: 'abc' })).toEqual({ [name]: '***' });
    expect(newestFirst(journalOf({ query: `${name}=abc` }))[0]?.query).toBe(`${name}=***`);
    const headers: [string, string][] = [[name.replaceAll('_', '-'), 'abc']];
    expect(newestFirst(journalOf({ headers }))[0]?.headers[1]).toBe('***');
  });

  test.each(['sk_live_4f9a8b7c', 'pk_live_4f9a8b7c', 'sk_test_4f9a8b7c'])('%s is a key by itself', (key) => {
    expect(JSON.stringify(requestOf({ Note: key, List: [`key ${key}`] }))).not.toContain('4f9a8b7c');
    expect(shown(journalOf({ request: sentOf(`{"Note":"${key}"`) }))).not.toContain(key.slice(8));
  });

  test('a key as the name of a field is masked', () => {
    expect(requestOf({ sk_test_4f9a8b7c: 1 })).toEqual({ 'sk_***': 1 });
  });

  test('what Apple encrypted and signed is hidden, and a replay can send it', () => {
    const Token = {
      PaymentData: { Data: 'AbCd', Signature: 'Ef', Header: { TransactionId: 'a' }, Version: 'EC_v1' },
      PaymentMethod: { Network: 'Visa' },
    };
    const hidden = {
      PaymentData: { Data: '***', Signature: '***', Header: { TransactionId: '***' }, Version: 'EC_v1' },
      PaymentMethod: { Network: 'Visa' },
    };
    expect(requestOf({ Amount: 5, Token })).toEqual({ Amount: 5, Token: hidden });
    expect(replayOf({ Amount: 5, Token })).toEqual({ Amount: 5, Token: hidden });
  });

  test.each([
    ['Secret', '"Secret": "abc", "a": 1'],
    ['API key', 'apiKey=abc&b=1'],
    ['authorisation', 'Authorisation: Bearer abc'],
    ['password', '{password: abc}'],
  ])('%s is hidden in a body that is not JSON', (_, text) => {
    expect(shown(journalOf({ request: sentOf(text) }))).not.toContain('abc');
  });
});
