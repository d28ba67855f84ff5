import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { maskPan, passesLuhn } from '../../src/core/cards/card.js';
import { STEADY, account, batchOf } from '../support/bodies.js';
import { bankCharge, chargeMethod } from '../support/instruments.js';
import {
  type Answer,
  asking,
  client,
  type Client,
  good,
  testSandbox,
  warningOf,
} from '../support/sandbox.js';
import { textIn } from '../support/stored.js';

/** A card number of 12 to 19 digits with a right check digit that is none of the published ones. */
const pan: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('35', '36', '4', '51', '59', '6011', '62', '9'),
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 7, maxLength: 14 }),
  )
  .map(([prefix, digits]) => withCheckDigit((prefix + digits.join('')).padEnd(11, '7')));

function withCheckDigit(digits: string): string {
  for (let check = 0; check < 10; check++) if (passesLuhn(digits + check)) return digits + check;
  throw new Error('One of ten check digits is right');
}

/** Three digits that stand in no message and no status by themselves. */
const ccv: fc.Arbitrary<string> = fc.integer({ min: 600, max: 999 }).map(String);

const secret = fc.record({ pan, ccv });
type Secret = typeof secret extends fc.Arbitrary<infer T> ? T : never;

/** The number as it stands, and grouped as on a card. */
const spellings = (number: string): string[] => [
  number,
  number.replaceAll(/\d{4}(?=\d)/g, '$& '),
  number.replaceAll(/\d{4}(?=\d)/g, '$&-'),
];

function expectNoSecret(answer: Answer, { pan: number, ccv: code }: Secret): void {
  const text = [answer.text, ...[...answer.headers].map((pair) => pair.join(': '))].join('\n');
  for (const form of spellings(number)) expect(text).not.toContain(form);
  // Amounts and statuses are numbers; a Ccv would be a word of its own within a text.
  const words = [...text.matchAll(/"(?:[^"\\]|\\.)*"|^x-.*$/gm)].map(([word]) => word).join('\n');
  expect(words).not.toMatch(new RegExp(String.raw`(?<![\w.:-])${code}(?![\w.:-])`));
}

const information = ({ pan: number, ccv: code }: Secret, more: object = {}): object => ({
  CardNumber: number,
  ExpiryDate: '10/30',
  Ccv: code,
  Cardholder: 'X',
  ...more,
});

const charge = (card: Secret, more: object = {}): object => ({
  Amount: 5,
  ProviderId: STEADY,
  PaymentInformation: information(card),
  ...more,
});

/** All answers in which a stored card could show. */
async function storeAndUse(api: Client, card: Secret): Promise<Answer[]> {
  const answers: Answer[] = [];
  const keep = async (sent: Promise<Answer>): Promise<Answer> => {
    const answer = await sent;
    answers.push(answer);
    return answer;
  };
  const stored = { ProviderId: STEADY, PaymentInformation: information(card), VaultCard: true };
  const customer = await keep(
    api.post('/customer/card', { ...stored, Email: 'jo@example.com', VaultExpireSeconds: 600 }),
  );
  const method = textIn(customer, 'DefaultPaymentMethod', 'PaymentMethodId');
  const token = await keep(
    api.post('/_sandbox/tokens', { ProviderId: STEADY, PaymentInformation: information(card) }),
  );
  const entry = await keep(api.post('/vault', { CardNumber: card.pan, Ccv: card.ccv }));
  const batch = await keep(api.post('/batch/transaction/payment_method', batchOf([`${method},5,AUD,r`])));
  await keep(api.post('/payment_method/card', stored));
  await keep(
    api.post('/payment_method/vault', { ProviderId: STEADY, PaymentMethodId: method, Ccv: card.ccv }),
  );
  await keep(api.charge(charge(card)));
  await keep(api.charge(charge(card), asking('incorrect_ccv')));
  await keep(api.post('/charge/token', { Amount: 5, Token: textIn(token, 'TokenId') }));
  await keep(api.post('/charge/token', { Amount: 5, Token: textIn(token, 'TokenId') }));
  await keep(
    api.post('/charge/customer', { Amount: 5, ProviderId: STEADY, CustomerId: customer.body['CustomerId'] }),
  );
  await keep(api.advance('1h'));
  await keep(api.get(`/batch/${textIn(batch, 'BatchId')}`));
  await keep(api.get('/charge'));
  await keep(api.get(`/charge?CardNumber=${card.pan}`));
  await keep(api.get('/customer?Email=jo@example.com'));
  await keep(api.get(`/customer/${textIn(customer, 'CustomerId')}`));
  await keep(api.get(`/payment_method/${method}`));
  const customerPath = `/customer/${textIn(customer, 'CustomerId')}`;
  await keep(api.post(`${customerPath}/payment_method/card`, stored));
  await keep(api.get(`${customerPath}/payment_method`));
  await keep(api.put(`/payment_method/${method}`, { Card: { ...information(card), Cardholder: 'Y' } }));
  await keep(api.get(`/payment_method?Search=${card.pan}`));
  await keep(api.get(`/customer?Search=${card.pan}`));
  await keep(api.del(customerPath));
  await keep(api.get('/_sandbox/world'));
  await keep(api.del(`/vault/${textIn(entry, 'VaultId')}`));
  await keep(api.get(`/vault/${textIn(entry, 'VaultId')}`));
  return answers;
}

/** Bodies that are refused, or warned of, with a card in them. */
const refusedBodies = (card: Secret): unknown[] => {
  const { pan: number, ccv: code } = card;
  const wrong = number.slice(0, -1) + ((Number(number.at(-1)) + 1) % 10);
  return [
    charge(card, { Amount: 0 }),
    charge(card, { Amount: undefined }),
    charge(card, { Currency: 'XXY' }),
    charge(card, { ProviderId: 'x' }),
    charge(card, { PaymentInformation: information(card, { ExpiryDate: '12/20' }) }),
    charge(card, { PaymentInformation: information(card, { ExpiryDate: '99/99' }) }),
    charge(card, { PaymentInformation: information(card, { CardNumber: Number(number) }) }),
    charge(card, { PaymentInformation: information(card, { CardNumber: [number] }) }),
    charge(card, { PaymentInformation: information(card, { CardNumber: `${number}x` }) }),
    charge(card, { PaymentInformation: information(card, { CardNumber: `${number}  1` }) }),
    charge(card, { PaymentInformation: information(card, { Ccv: Number(code) }) }),
    charge(card, { PaymentInformation: information(card, { Ccv: `${code}x` }) }),
    charge(card, { PaymentInformation: `${number} ${code}` }),
    charge(card, { PaymentInformation: { cardNumber: number, Card_Number: number, ccv: code } }),
    charge(card, { CardNumber: number, Ccv: code, Cvv: code }),
    ...spellings(number).map((form) =>
      charge(card, { Amount: 'x', PaymentInformation: information(card, { CardNumber: form }) }),
    ),
    // Bodies that are no JSON, or none that is taken.
    `{"PaymentInformation":{"CardNumber":"${number}","Ccv":"${code}"`,
    `{"PaymentInformation":{"CardNumber":"${number}","CardNumber":"${number}"}}`,
    `{"CardNumber":${number}x}`,
    `CardNumber=${number}&Ccv=${code}`,
    `"${number}"`,
    number,
    `["${number}","${code}"]`,
    charge({ pan: wrong, ccv: code }),
  ];
};

describe('a card number and its Ccv', () => {
  test('leave through GET /vault/{id} alone', async () => {
    await fc.assert(
      fc.asyncProperty(secret, async (card) => {
        const api = client(testSandbox());
        for (const answer of await storeAndUse(api, card)) expectNoSecret(answer, card);
        const entry = await api.post('/vault', { CardNumber: card.pan, Ccv: card.ccv });
        const whole = await api.get(`/vault/${textIn(entry, 'VaultId')}`);
        expect(whole.body).toMatchObject({ CardNumber: card.pan, Ccv: card.ccv });
        // What finds nothing elsewhere finds it here.
        expect(() => expectNoSecret(whole, card)).toThrow('not to contain');
        expect(() => expectNoSecret(whole, { ...card, pan: 'none' })).toThrow('not to match');
        expect(entry.body['MaskedCardNumber']).toBe(maskPan(card.pan));
      }),
      { numRuns: 20 },
    );
  });

  test.each([false, true])('are in no refusal and no warning (strict: %s)', async (strict) => {
    await fc.assert(
      fc.asyncProperty(secret, async (card) => {
        const api = client(testSandbox({ strict }));
        for (const body of refusedBodies(card)) {
          for (const path of ['/charge/card', '/customer/card', '/payment_method/card', '/vault']) {
            const answer = await api.post(path, body);
            expectNoSecret(answer, card);
            expect(answer.status).not.toBe(500);
          }
        }
      }),
      { numRuns: 8 },
    );
  });

  test('are in no refusal of a media type, or of a search', async () => {
    await fc.assert(
      fc.asyncProperty(secret, async (card) => {
        const api = client(testSandbox());
        const text = { 'content-type': 'text/plain' };
        expectNoSecret(await api.charge(charge(card), text), card);
        expectNoSecret(await api.get(`/charge?CardNumber=${card.pan}x`), card);
        expectNoSecret(await api.get(`/charge?CardNumber=${card.pan}&CardNumber=${card.pan}`), card);
        expectNoSecret(await api.get(`/charge?CardNumber=${card.pan}&Ccv=${card.ccv}`), card);
        expectNoSecret(await api.get(`/charge?CardNumbr=${card.pan}`), card);
      }),
      { numRuns: 15 },
    );
  });

  test('are in no refusal if the sandbox accepts only test cards', async () => {
    await fc.assert(
      fc.asyncProperty(secret, async (card) => {
        const api = client(testSandbox({ testCardsOnly: true }));
        const answer = await api.charge(charge(card));
        expect(answer.status).toBe(400);
        expectNoSecret(answer, card);
      }),
      { numRuns: 10 },
    );
  });
});

/** Texts that have broken programs before. */
const HOSTILE = [
  '</script><script>alert(1)</script>',
  `'; DROP TABLE charges; --`,
  '"\\\u0001\b\f\n\r\t\u007f',
  'a\r\nset-cookie: x=1\r\n\r\nHTTP/1.1 200 OK',
  '__proto__',
  'constructor',
  '=1+1',
  '${jndi:ldap://x}',
  '%00%0d%0a%zz',
  '\u2028\u2029\ufeff\u202e\u200d',
  '🙂👩‍👩‍👧‍👦\u{10ffff}',
  'é vs e\u0301',
  'null',
  '4111 1111 1111 1111',
  'a,b;c|d"e',
];

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  // NUL is the only character that is refused.
  fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }).map((text) => text.replaceAll('\0', '?')),
);

describe('a text of the caller', () => {
  async function expectUnchanged(text: string): Promise<void> {
    const api = client(testSandbox());
    const made = await good(
      api.charge({
        ...charge({ pan: '4111111111111111', ccv: '123' }),
        Reference: text,
        Descriptor: text,
        Metadata: { note: text },
      }),
    );
    expect(made.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect([...made.headers.keys()].sort()).toEqual([
      'content-type',
      'cross-origin-resource-policy',
      'x-content-type-options',
      'x-request-id',
      'x-sandbox-world',
    ]);
    expect(made.body).toMatchObject({ Reference: text, Descriptor: text, Metadata: { note: text } });
    const found = await api.get(`/charge?Reference=${encodeURIComponent(text)}`);
    expect(found.body).toMatchObject({ Count: 1, Charges: [{ Reference: text }] });
  }

  test.each(HOSTILE)('comes back as it was sent: %j', async (text) => {
    await expectUnchanged(text);
  });

  test('comes back as it was sent, whatever it is', async () => {
    await fc.assert(fc.asyncProperty(hostile, expectUnchanged), { numRuns: 75 });
  });

  test('comes back from a customer, and finds it', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const api = client(testSandbox());
        const made = await api.post('/customer/card', {
          ProviderId: STEADY,
          PaymentInformation: information({ pan: '4111111111111111', ccv: '123' }, { Cardholder: text }),
          FirstName: text,
          Email: text,
          Address: { Line1: text },
        });
        expect(made.body).toMatchObject({
          FirstName: text,
          Email: text,
          Address: { Line1: text },
          DefaultPaymentMethod: { Card: { Cardholder: text } },
        });
        const found = await api.get(`/customer?Email=${encodeURIComponent(text)}`);
        expect(found.body['Count']).toBe(1);
      }),
      { numRuns: 30 },
    );
  });

  test('is in a header only as printable ASCII', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const api = client(testSandbox());
        const known = charge({ pan: '4111111111111111', ccv: '123' });
        // These are refused wherever they stand as names; a known name with a number is refused too.
        fc.pre(!['__proto__', 'constructor', 'prototype', ...Object.keys(known)].includes(text));
        const made = await good(api.charge({ ...known, [text]: 1 }));
        expect(warningOf(made) ?? '').toMatch(/^[\x20-\x7e]{1,1024}$/);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a card number where it does not belong', () => {
  const PAN = '4539578763621486';

  test.each([
    ['a vault id', 'GET', `/vault/${PAN}`, undefined],
    ['a charge id', 'GET', `/charge/${PAN}`, undefined],
    ['an unknown path', 'GET', `/cards/${PAN}`, undefined],
    ['an unknown filter', 'GET', `/charge?${PAN}=1`, undefined],
    ['an amount', 'POST', '/charge/token', { Amount: PAN, Token: 'tok_approve' }],
    ['a customer', 'POST', '/charge/customer', { Amount: '1', ProviderId: '1'.repeat(32), CustomerId: PAN }],
    ['a provider', 'POST', '/charge/card', { Amount: '1', ProviderId: PAN }],
    ['an unknown field', 'POST', '/vault', { CardNumber: '4111111111111111', [PAN]: '1' }],
  ])('%s is not repeated', async (_, method, path, body) => {
    const sandbox = testSandbox();
    const headers = { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await sandbox.fetch(new Request(`http://localhost${path}`, init));
    const shown = [...response.headers.values(), await response.text()].join('\n');
    expect(shown).not.toContain(PAN);
    expect(shown).toContain('4539********1486');
  });
});

describe('the journal', () => {
  test('its exports and its live feed hold no card number and no key in a field of any name', async () => {
    const names = 'Number Pan card CardNo ccNumber CreditCardNumber PrimaryAccountNumber Note'.split(' ');
    await fc.assert(
      fc.asyncProperty(pan, fc.constantFrom(...names), async (number, name) => {
        fc.pre(number.length >= 13);
        const sandbox = testSandbox();
        const api = client(sandbox, 'sk_test_secret');
        const known = { CardNumber: '4242424242424242', ExpiryDate: '12/30', Ccv: '123' };
        const made = { Amount: 1, ProviderId: STEADY, PaymentInformation: known };
        for (const value of [...spellings(number), `${number}, please`, [number], { Number: number }]) {
          await api.charge({ ...made, [name]: value, SecurityCode: '987', ApiKey: 'k3y' });
        }
        await api.charge({ ...made, [name]: Number(number.slice(0, 15)) });
        await api.get(`/charge?${name}=${number}&SecurityCode=987&ApiKey=k3y`);
        await api.post('/charge/card', `${name}=${number}&SecurityCode=987`);
        await api.post('/batch/transaction/payment_method', batchOf([`${number},5,AUD,r`]));
        await api.get('/charge', { 'x-note': number, 'x-api-key': 'k3y', 'x-security-code': '987' });
        const live = await sandbox.fetch(
          new Request('http://localhost/_sandbox/live', { headers: { 'x-secretkey': 'sk_test_secret' } }),
        );
        const reader = live.body?.getReader();
        let fed = '';
        while (!/"EntryId":1\b/.test(fed) || !fed.endsWith('\n\n')) {
          const { value, done } = (await reader?.read()) ?? { done: true };
          if (done) break;
          fed += Buffer.from(value ?? []).toString();
        }
        await reader?.cancel();
        const texts = [fed];
        for (const path of ['', '/export?Format=har', '/export?Format=trace']) {
          texts.push((await api.get(`/_sandbox/journal${path}`)).text);
        }
        for (const text of texts) {
          expect(text.length).toBeGreaterThan(1_000);
          for (const form of spellings(number)) expect(text).not.toContain(form);
          expect(text).not.toMatch(/"987"|=987|k3y|sk_test_secret/);
        }
      }),
      { numRuns: 6 },
    );
  });

  test('and its exports hold no card number, no Ccv and no key', async () => {
    await fc.assert(
      fc.asyncProperty(pan, async (number) => {
        const api = client(testSandbox(), 'sk_test_secret');
        const card = { CardNumber: number, ExpiryDate: '10/30', Ccv: '987' };
        await api.charge({ Amount: 1, ProviderId: STEADY, PaymentInformation: card });
        const made = await api.post('/vault', { CardNumber: number, Ccv: '987' });
        await api.get(`/vault/${String(made.body['VaultId'])}`);
        await api.get(`/charge/${number}`);
        for (const path of ['', '/export?Format=har', '/export?Format=trace']) {
          const { status, text } = await api.get(`/_sandbox/journal${path}`);
          expect(status).toBe(200);
          expect(text).not.toContain(number);
          expect(text).not.toMatch(/"987"|sk_test_secret/);
        }
      }),
      { numRuns: 12 },
    );
  });
});

describe('the number of a bank account', () => {
  test('is in no answer, header, warning or document, good or refused', async () => {
    const number = fc.stringMatching(/^[1-8]{6}\d{3,28}$/);
    await fc.assert(
      fc.asyncProperty(number, async (made) => {
        const api = client(testSandbox());
        const BankPaymentInformation = account(made);
        const stored = { ProviderId: STEADY, BankPaymentInformation };
        const customer = await api.post('/customer/bank_account', stored);
        const method = await api.post('/payment_method/bank_account', stored);
        const answers = [
          customer,
          method,
          await api.post(`/customer/${textIn(customer, 'CustomerId')}/bank_account`, stored),
          await api.post('/charge/bank_account', bankCharge({ BankPaymentInformation })),
          await api.post('/charge/bank_account', bankCharge({ BankPaymentInformation: account(`${made}_`) })),
          await api.post('/charge/bank_account', bankCharge({ BankPaymentInformation: made })),
          await api.post('/charge/bank_account', bankCharge({ BankPaymentInformation }), {
            'x-sandbox-outcome': 'do_not_honor',
          }),
          await chargeMethod(api, textIn(method, 'PaymentMethodId')),
          await api.get('/charge'),
          await api.get('/_sandbox/state'),
        ];
        for (const { text, headers } of answers) {
          expect(`${text} ${[...headers].join(' ')}`).not.toContain(made.slice(0, -3));
        }
      }),
      { numRuns: 10 },
    );
  });
});

describe('An identifier that is repeated up to a length', () => {
  const ID = `${'z'.repeat(28)}-4000056655665556`;

  test.each([
    `/charge/${ID}`,
    `/customer/${ID}`,
    `/payment_method/${ID}`,
    `/vault/${ID}`,
    `/token/${ID}`,
    `/batch/${ID}`,
    `/subscription/${ID}`,
    `/transfer/${ID}`,
    `/payment_link/${ID}`,
    `/webhook/subscription/${ID}`,
    `/provider/${ID}`,
    `/_sandbox/journal/${ID}`,
    `/_sandbox/records/charges/${ID}`,
  ])('shows no digits of a card number at its end: %s', async (path) => {
    const { status, text } = await client(testSandbox()).get(path);
    expect(status, text).toBeGreaterThanOrEqual(400);
    expect(text).toContain('zzzz');
    expect(text).not.toMatch(/\d{9}/);
  });
});
