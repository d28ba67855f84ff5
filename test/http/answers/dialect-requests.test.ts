import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { INTEGER_ENUMS, ODD_SPELLINGS } from '../../../src/core/dialect/sdk.js';
import { requiredAmount } from '../../../src/http/fields/amount-fields.js';
import { optionalInSdk } from '../../../src/http/fields/field.js';
import { optionalFlag, optionalText, optionalWord } from '../../../src/http/fields/fields.js';
import { optionalQueryInstant } from '../../../src/http/fields/list-fields.js';
import type { JsonValue } from '../../../src/core/json/json.js';
import { prepareSdkFields, shapeOf } from '../../../src/http/fields/shape.js';
import { UNKNOWN_ID } from '../../support/bodies.js';
import { card, cardCharge, withLiteral } from '../../resources/charges/support.js';
import { scenarioOf } from '../../scenarios/support.js';
import { type Answer, client, good, testSandbox, warningOf } from '../../support/sandbox.js';
import { expectSdkError, memberOf, SDK, sdkSetup, sdkText } from '../../support/sdk.js';
import { STEADY, VISA } from '../../support/stored.js';

/** An object with every name at every depth changed by a function; the keys of Metadata stay. */
function renamed(value: unknown, spell: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, spell));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      spell(name),
      name === 'Metadata' ? inner : renamed(inner, spell),
    ]),
  );
}

const camel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** What a member is read as that a schema of one member is made of. */
function readBy(schema: z.ZodType, sent: Record<string, JsonValue>): Record<string, unknown> {
  return prepareSdkFields(Object.entries(sent), shapeOf(schema));
}

describe('names', () => {
  const WHOLE = cardCharge({
    Reference: 'order-1',
    Capture: false,
    Initiator: 'MERCHANT',
    PaymentInformation: card({ Cardholder: 'Jo Smith' }),
    Webhook: { Url: 'https://example.com/w', Authorization: 'Basic x' },
    Metadata: { MerchantId: '1', merchant_id: '2' },
  });

  const mixed = fc
    .func(fc.boolean())
    .map(
      (isLarge) => (name: string) =>
        [...name].map((c, i) => (isLarge(name, i) ? c.toUpperCase() : c.toLowerCase())).join(''),
    );

  test('are taken in any case at every depth, without a warning', async () => {
    await fc.assert(
      fc.asyncProperty(mixed, async (spell) => {
        const { api, sandbox } = sdkSetup();
        const answer = await api.charge(renamed(WHOLE, spell));
        expect(answer.status, answer.text).toBe(201);
        expect(warningOf(answer)).toBeNull();
        expect(answer.body).toMatchObject({
          status: 'AUTHORISE',
          reference: 'order-1',
          initiator: 'MERCHANT',
          paymentInformation: { card: { cardholder: 'Jo Smith' } },
          metadata: { MerchantId: '1', merchant_id: '2' },
        });
        const stored = sandbox.worlds.open('sk_test_a').charges.at(0);
        expect(stored?.more.webhook).toEqual({ url: 'https://example.com/w', authorization: 'Basic x' });
      }),
      {
        numRuns: 20,
        examples: [[(name) => name], [camel], [(name) => name.toLowerCase()], [(name) => name.toUpperCase()]],
      },
    );
  });

  test('are exact in the documented dialect, as before', async () => {
    const { post } = client(testSandbox());
    const { status, headers } = await post('/charge/card', renamed(WHOLE, camel));
    expect(status).toBe(400);
    expect(headers.get('x-sandbox-warning')).toContain('did you mean');
  });

  test('that are unknown are ignored without a word, also in strict mode', async () => {
    for (const strict of [false, true]) {
      const { api } = sdkSetup({ strict });
      const body = cardCharge({
        threeDSNotificationUrl: 'u',
        Foo: 1,
        foo: 2,
        PaymentInformation: card({ Bar: { Baz: 1 } }),
      });
      for (const answer of [await api.charge(body), await api.get('/charge?Nonsense=1&nonsense=2')]) {
        expect(answer.status, answer.text).toBeLessThan(300);
        expect(warningOf(answer)).toBeNull();
      }
    }
  });

  test('of one field in two spellings are refused, and both are named', async () => {
    const { api } = sdkSetup();
    const twice = await api.charge(cardCharge({ amount: 20 }));
    expectSdkError(twice, 400, 90, 'Validation Error');
    expect(twice.body['details']).toEqual({ Amount: 'sent as Amount and as amount' });
    const below = await api.charge(
      cardCharge({ PaymentInformation: card({ cardHolder: 'a', Cardholder: 'b' }) }),
    );
    expect(below.body['details']).toEqual({
      'PaymentInformation.Cardholder': 'sent as cardHolder and as Cardholder',
    });
    const query = await api.get('/charge?Reference=a&reference=b');
    expect(query.body['details']).toEqual({ Reference: 'sent as Reference and as reference' });
    const same = await api.get('/charge?Reference=a&Reference=b');
    expect(same.body['details']).toEqual({ Reference: 'sent twice' });
    expect((await api.read('/charge'))['count']).toBe(0);
  });

  test('of one field in two spellings are accepted if one is null, or a key of Metadata', async () => {
    const { api } = sdkSetup();
    const body = cardCharge({ reference: null, Reference: 'r', Metadata: { a: '1', A: '2' } });
    const { body: made } = await good(api.charge(body));
    expect(made).toMatchObject({ reference: 'r', metadata: { a: '1', A: '2' } });
  });

  test.each([...ODD_SPELLINGS])('%s stands for %s, unless a contract has it for itself', (odd, name) => {
    const schema = z.object({ [name]: optionalText() });
    expect(readBy(schema, { [odd.toUpperCase()]: 'x' })).toEqual({ [name]: 'x' });
    const both = z.object({ [name]: optionalText(), [odd]: optionalText() });
    expect(readBy(both, { [odd]: 'x' })).toEqual({ [odd]: 'x' });
    expect(() => readBy(schema, { [odd]: 'x', [name]: 'y' })).toThrow(
      `${name} was sent as ${odd} and as ${name}`,
    );
  });

  test('are read through lists and whatever may be left out or null', () => {
    const Item = z.object({ Amount: requiredAmount(), When: optionalQueryInstant() });
    const schema = z
      .object({
        Items: z.array(Item).optional(),
        Only: Item.nullable(),
        Else: Item.default({ Amount: '1', When: 0 }),
      })
      .transform((body) => body);
    const sent = {
      items: [{ amount: '5', x: 1 }, null, 7],
      ONLY: { AMOUNT: '6', when: 0 },
      eLsE: { amount: '7' },
    };
    expect(readBy(schema, sent)).toEqual({
      Items: [{ Amount: '5' }, null, 7],
      Only: { Amount: '6', When: '1970-01-01T00:00:00.000Z' },
      Else: { Amount: '7' },
    });
  });
});

describe('explicit nulls', () => {
  test('count as absent at every depth', async () => {
    const { api } = sdkSetup();
    const body = cardCharge({
      reference: null,
      capture: null,
      order: null,
      webhook: null,
      address: { line1: 'l1', line2: null },
      metadata: null,
      PaymentInformation: card({ cardHolder: null }),
    });
    const answer = await api.charge(body);
    expect(answer.body).toMatchObject({ status: 'SUCCESS', reference: null, metadata: null });
  });

  test('of a required field are as if it were missing', async () => {
    const { api } = sdkSetup();
    const answer = await api.charge(cardCharge({ Amount: null }));
    expectSdkError(answer, 400, 90, 'Validation Error');
    expect(answer.body['details']).toEqual({ Amount: 'is required, for example 15.50' });
    expectSdkError(
      await api.charge(cardCharge({ PaymentInformation: null })),
      400,
      81,
      'Invalid PaymentInformation',
    );
  });
});

describe('values', () => {
  test.each([
    ['"15.50"', 15.5],
    ['"20"', 20],
    ['20.0', 20],
    ['20.50', 20.5],
    ['5', 5],
    ['"1E+2"', 100],
    ['"1E+1"', 10],
    ['"1.5E+2"', 150],
    ['"1.50e1"', 15],
    ['"1E-2"', 0.01],
    ['1E+2', 100],
    ['1.5e1', 15],
  ])('the amount %s, perhaps with an exponent as Java prints it, is %d', async (literal, sum) => {
    const { api } = sdkSetup();
    const authorised = await api.charge(withLiteral(cardCharge({ Capture: false }), 'Amount', literal));
    expect(authorised.body['amount']).toBe(sum);
    const path = `/charge/${sdkText(authorised, 'chargeId')}`;
    const text = literal.replaceAll('"', '');
    const captured = await good(api.post(path, { amount: text }));
    expect(captured.body['amount']).toBe(sum);
    const refunded = await good(api.del(`${path}?amount=${encodeURIComponent(text)}`));
    expect(refunded.body['refundedAmount']).toBe(sum);
  });

  test('amounts with an exponent are accepted in every query, and in a URL that does not encode the plus', async () => {
    const { api } = sdkSetup();
    const made = await api.charge(cardCharge({ Amount: '1E+2' }));
    expect((await api.read('/charge?AmountGreaterThan=9E%2B1&AmountLessThan=1.1E%2B2'))['count']).toBe(1);
    expect((await api.read('/charge?AmountGreaterThan=1E%2B2'))['count']).toBe(0);
    await good(api.get('/info/providers?amount=1E%2B2&currency=AUD'));
    const refunded = await good(api.del(`/refund/${sdkText(made, 'chargeId')}?amount=1E+1`));
    expect(refunded.body['refundedAmount']).toBe(10);
  });

  test('an amount with an exponent meets a rule as the number that it is', async () => {
    const rule = '{ when: { amount: 100 }, then: { outcome: insufficient_funds } }';
    const { api } = sdkSetup({ scenario: await scenarioOf(`name: test\nrules: [${rule}]\n`) });
    expectSdkError(await api.charge(cardCharge({ Amount: '1E+2' })), 400, 15, 'Insufficient Funds');
    expect((await api.charge(cardCharge({ Amount: '1E+1' }))).status).toBe(201);
  });

  test.each<[sent: string, code: number, message: string, detail: string]>([
    ['1E+9', 2, 'Invalid Amount', 'is 1000000000; the maximum is 999999999.99'],
    ['1E-3', 2, 'Invalid Amount', 'must have at most 2 decimals in AUD, not 0.001'],
    ['0E+2', 74, 'Invalid Amount. Amount must be positive', 'must be greater than 0'],
    ['-1E+2', 74, 'Invalid Amount. Amount must be positive', 'is -100; it must be greater than 0'],
    ['1E+999999999', 2, 'Invalid Amount', 'is "1E+999999999"; it must be a decimal number'],
    ['E+2', 2, 'Invalid Amount', 'is "E+2"; it must be a decimal number'],
  ])('the amount %s is refused with code %i', async (Amount, code, message, detail) => {
    const { api } = sdkSetup();
    const answer = await api.charge(cardCharge({ Amount }));
    expectSdkError(answer, 400, code, message);
    expect(warningOf(answer)).toContain(detail);
  });

  test('exponents are refused in the documented dialect, as before', async () => {
    const api = client(testSandbox());
    const body = await api.post('/charge/card', cardCharge({ Amount: '1E+2' }));
    expect(body.body).toHaveProperty('Code', 2);
    expect((await api.get('/charge?AmountGreaterThan=1E%2B2')).body).toHaveProperty('Code', 90);
  });

  test.each([...INTEGER_ENUMS])('%s is taken as the place of a word in its list', (name, words) => {
    const schema = z.object({ [name]: optionalWord(...words) });
    for (const [place, word] of words.entries()) {
      expect(readBy(schema, { [name.toLowerCase()]: place })).toEqual({ [name]: word });
    }
    for (const other of [-1, 0.5, words.length])
      expect(readBy(schema, { [name]: other })).toEqual({ [name]: other });
  });

  test.each<[sent: unknown, initiator: string]>([
    [0, 'CUSTOMER'],
    [1, 'MERCHANT'],
    ['MERCHANT', 'MERCHANT'],
    ['Customer', 'CUSTOMER'],
  ])('the Initiator %j is %s', async (sent, initiator) => {
    const { api } = sdkSetup();
    expect(memberOf(await api.charge(cardCharge({ Initiator: sent })), 'initiator')).toBe(initiator);
  });

  test.each([2, -1, 0.5, '0', true])('the Initiator %j is refused', async (sent) => {
    const { api } = sdkSetup();
    const answer = await api.charge(cardCharge({ Initiator: sent }));
    expect(answer.body['details']).toEqual({
      Initiator: `must be one of CUSTOMER, MERCHANT, not ${JSON.stringify(sent)}`,
    });
  });

  test('words are accepted in any case, one or a list of them', () => {
    const words = ['Transaction', 'PaymentMethod'];
    const listed = z.object({ Types: z.array(optionalWord(...words)) });
    expect(readBy(listed, { types: ['transaction', 'paymentMethod', 'other', 5] })).toEqual({
      Types: ['Transaction', 'PaymentMethod', 'other', 5],
    });
    const one = z.object({ Types: optionalWord(...words) });
    expect(readBy(one, { types: 'TRANSACTION' })).toEqual({ Types: 'Transaction' });
  });

  test('flags are accepted as words in any case, as in queries', () => {
    const schema = z.object({ IncludeRemoved: optionalFlag() });
    expect(readBy(schema, { includeremoved: 'True' })).toEqual({ IncludeRemoved: true });
    expect(readBy(schema, { IncludeRemoved: 'false' })).toEqual({ IncludeRemoved: false });
    expect(readBy(schema, { IncludeRemoved: true })).toEqual({ IncludeRemoved: true });
    expect(readBy(schema, { IncludeRemoved: 'yes' })).toEqual({ IncludeRemoved: 'yes' });
  });

  test.each(['x', 'None', '', 'Reference', '--Date'])('the order "%s" means no order', async (asked) => {
    const { api } = sdkSetup();
    const newestFirst = ['b', 'a'];
    for (const Reference of ['a', 'b']) await api.charge(cardCharge({ Reference }));
    const references = async (order: string): Promise<unknown> => {
      const { charges } = (await api.read(`/charge?SortBy=${order}`)) as { charges: object[] };
      return charges.map((charge) => 'reference' in charge && charge.reference);
    };
    expect(await references(asked)).toEqual(newestFirst);
    expect(await references('date')).toEqual(['a', 'b']);
    const documented = await api.get(`/charge?SortBy=${asked}`, { 'x-sandbox-dialect': 'documented' });
    expect(documented).toMatchObject({ status: 400, body: { Code: 90 } });
  });

  const EXPIRES = '2031-01-02T03:04:05.000Z';
  test.each<[sent: unknown]>([
    [Date.UTC(2031, 0, 2, 3, 4, 5)],
    [String(Date.UTC(2031, 0, 2, 3, 4, 5))],
    ['2031-01-02T03:04:05Z'],
    ['2031-01-02T03:04:05.0000000Z'],
    ['2031-01-02 03:04:05'],
    ['2031-01-02 03: 04:05'],
    ['2031-01-02T03:04:05'],
    ['Thu Jan 02 03:04:05 UTC 2031'],
    ['Thu Jan 02 14:04:05 AEDT 2031'],
    ['Thu Jan 02 08:34:05 IST 2031'],
    ['Wed Jan 01 22:04:05 EST 2031'],
  ])('the date %j is taken in bodies', async (sent) => {
    const { api } = sdkSetup();
    const made = await api.post('/vault', { cardNumber: VISA, expireDate: sent });
    expect(memberOf(made, 'expireDate')).toBe(EXPIRES);
    const stored = await api.post('/customer/card', {
      providerId: STEADY,
      paymentInformation: card(),
      vaultCard: true,
      vaultExpireDate: sent,
    });
    const entry = await api.get(`/vault/${sdkText(stored, 'defaultPaymentMethod', 'vaultId')}`);
    expect(memberOf(entry, 'expireDate')).toBe(EXPIRES);
  });

  test.each([-1, 1.5, '2031-02-30 00:00:00', 'tomorrow', true])(
    'the date %j is refused with the code of its field',
    async (sent) => {
      const { api } = sdkSetup();
      expectSdkError(
        await api.post('/vault', { cardNumber: VISA, expireDate: sent }),
        400,
        83,
        'Invalid ExpireDate or ExpireSeconds',
      );
    },
  );

  test('those dates are refused in the documented dialect, as before', async () => {
    const { post } = client(testSandbox());
    for (const ExpireDate of [Date.UTC(2031, 0, 1), '2031-01-02 03:04:05']) {
      expect((await post('/vault', { CardNumber: VISA, ExpireDate })).body).toHaveProperty('Code', 83);
    }
  });

  test.each<[text: string, isAfter: boolean]>([
    ['1767225599999', true],
    ['1767225600000', false],
    ['2025-12-31+23%3a59%3a59', true],
    ['2025-12-31+23%3a+59%3a59', true],
    ['2026-01-01+00%3a+00%3a00', false],
    ['Wed+Dec+31+23%3A59%3A59+UTC+2025', true],
    ['Thu%20Jan%2001%2000:00:00%20UTC%202026', false],
    ['Thu+Jan+01+10%3A59%3A59+AEDT+2026', true],
    ['Thu+Jan+01+11%3A00%3A00+AEDT+2026', false],
    ['Thu+Jan+01+05:29:59+GMT%2B05:30+2026', true],
    ['Thu+Jan+01+05:29:59+GMT+05:30+2026', true],
    ['2025-12-31T23%3A59%3A59', true],
    ['2026-01-01T00:00:00', false],
    ['2025-12-31T23:59:59Z', true],
    ['2026-01-01T00:59:59+01:00', true],
  ])('a search for what came after %s is answered', async (text, isAfter) => {
    const { api } = sdkSetup();
    await api.charge(cardCharge());
    const { body } = await good(api.get(`/charge?addedAfter=${text}`));
    expect(body['count']).toBe(isAfter ? 1 : 0);
  });
});

describe('fields that may be left out', () => {
  async function authorised(): Promise<{
    path: string;
    post: (body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  }> {
    const { api } = sdkSetup();
    const made = await api.charge(cardCharge({ Capture: false }));
    const path = `/charge/${sdkText(made, 'chargeId')}`;
    return { path, post: (body, headers) => api.post(path, body, headers) };
  }

  test.each([undefined, '', '{}', '[]', '{"Amount":null}', '{"amount":null}', '{"foo":1}'])(
    'a capture with %j takes the whole authorisation',
    async (body) => {
      const { post } = await authorised();
      expect((await post(body)).body).toMatchObject({
        status: 'SUCCESS',
        amount: 15.5,
        authorisationAmount: 15.5,
      });
    },
  );

  test('a capture without a body may have any media type', async () => {
    const { post } = await authorised();
    expect((await post(undefined, { 'content-type': 'text/plain' })).status).toBe(200);
  });

  test('a capture with an amount takes that, and a wrong one is refused', async () => {
    const { post } = await authorised();
    expectSdkError(await post({ amount: '0' }), 400, 74, 'Invalid Amount. Amount must be positive');
    expectSdkError(await post({ amount: '' }), 400, 2, 'Invalid Amount');
    expect((await post({ amount: '10.00' })).body).toMatchObject({ status: 'SUCCESS', amount: 10 });
  });

  test.each(['[1]', '[[]]', '[{}]', '5', 'null', '"x"'])(
    'a capture with the body %s is refused',
    async (body) => {
      const { post } = await authorised();
      expectSdkError(await post(body), 400, 90, 'Validation Error');
    },
  );

  test('a charge of a customer goes through the provider of its method, with what a script says of that', async () => {
    const { api, sandbox } = sdkSetup();
    const provider = 'c0ffee00c0ffee00c0ffee00c0ffee00';
    const made = await api.post('/customer/card', { providerId: provider, paymentInformation: card() });
    const charge = { amount: '5', customerId: sdkText(made, 'customerId') };
    expect((await api.post('/charge/customer', charge)).body).toMatchObject({
      status: 'SUCCESS',
      providerId: provider,
    });
    const { script } = sandbox.worlds.open('sk_test_a');
    script.enqueue({
      operation: 'charge.create',
      match: { providerId: provider },
      steps: [
        { fault: { kind: 'status', status: 429, body: null, retryAfterSeconds: null }, phase: 'before' },
      ],
    });
    expect((await api.post('/charge/customer', charge)).status).toBe(429);
    expect((await api.post('/charge/customer', { ...charge, customerId: 'nobody' })).body['code']).toBe(52);
  });

  test('a charge of a payment method is in the currency of its provider', async () => {
    const { api } = sdkSetup();
    const method = await api.post('/payment_method/card', { providerId: STEADY, paymentInformation: card() });
    const charge = { amount: '5', paymentMethodId: sdkText(method, 'paymentMethodId') };
    expect((await api.post('/charge/payment_method', charge)).body).toMatchObject({ currency: 'AUD' });
    const other = await api.post('/charge/payment_method', { ...charge, currency: 'USD' });
    expect(other.body).toMatchObject({ currency: 'USD' });
  });

  test('a customer is made from a token alone', async () => {
    const { api } = sdkSetup();
    const made = await api.post('/customer/token', { token: 'tok_approve' });
    expect(made.body).toMatchObject({ firstName: null, lastName: null, reference: null });
    expectSdkError(await api.post('/customer/token', {}), 400, 90, 'Validation Error');
    expectSdkError(await api.post('/customer/token', ''), 400, 90, 'Validation Error');
  });

  test('an empty name, Reference, Email or Phone counts as left out', async () => {
    const { api } = sdkSetup();
    const empty = { firstName: '', lastName: '', reference: '', email: '', Phone: '' };
    const nothing = { firstName: null, lastName: null, reference: null, email: null, phone: null };
    const made = await api.post('/customer/token', { token: 'tok_approve', ...empty });
    expect(made.body).toMatchObject(nothing);
    const fromCard = { providerId: STEADY, paymentInformation: card(), ...empty };
    expect((await api.post('/customer/card', fromCard)).body).toMatchObject(nothing);
    expect((await api.charge(cardCharge(empty))).body).toMatchObject({ reference: null });
    expect((await api.read('/charge?Reference='))['count']).toBe(1);
    const id = sdkText(made, 'customerId');
    const named = await api.put(`/customer/${id}`, { email: 'jo@example.com', phone: '1' });
    const after = await api.put(`/customer/${id}`, { email: '', phone: '' });
    expect(after.body).toEqual(named.body);
    expectSdkError(await api.post('/customer/token', { token: '' }), 400, 90, 'Validation Error');
  });

  test.each<[path: string, body: object, missing: string]>([
    [`/charge/${UNKNOWN_ID}`, {}, 'Amount'],
    ['/charge/customer', { Amount: 5, CustomerId: 'x' }, 'ProviderId'],
    ['/charge/customer', { Amount: 5, CustomerId: 'x', ProviderId: null }, 'ProviderId'],
    ['/charge/payment_method', { Amount: 5, PaymentMethodId: 'x' }, 'Currency'],
    ['/customer/token', { Token: 'x', LastName: 'x', Reference: 'x' }, 'FirstName'],
    ['/customer/token', { Token: 'x', FirstName: 'x', Reference: 'x' }, 'LastName'],
    ['/customer/token', { Token: 'x', FirstName: 'x', LastName: 'x' }, 'Reference'],
  ])('in the documented dialect %s asks for what %j lacks', async (path, body, missing) => {
    const { post } = client(testSandbox());
    const { status, body: refusal } = await post(path, body);
    expect(status).toBe(400);
    expect(refusal['Details']).toEqual({ [missing]: expect.stringMatching(/^is required/) as string });
    expect((await post(path, body, SDK)).body['code']).not.toBe(90);
  });

  test('what is left out is null for the contract, and what is given is checked', () => {
    const schema = z.object({ Amount: optionalInSdk(requiredAmount()), Else: optionalText() });
    expect(readBy(schema, {})).toEqual({ Amount: null });
    expect(schema.safeParse(readBy(schema, {})).data).toEqual({ Amount: null, Else: null });
    expect(schema.safeParse(readBy(schema, { amount: 'x' })).success).toBe(false);
    expect(schema.safeParse({}).success).toBe(false);
  });
});
