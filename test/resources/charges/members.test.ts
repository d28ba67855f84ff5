import { describe, expect } from 'vitest';
import type * as z from 'zod';

import { listFields } from '../../../src/openapi/request-fields.js';
import { rowOf } from '../../support/conformity.js';
import { card, cardCharge, customer, stateOf, stored, withLiteral } from './support.js';
import { type Client, warningOf } from '../../support/sandbox.js';
import { SDK } from '../../support/sdk.js';
import { byName, cells } from '../../support/tables.js';
import { STEADY, UNKNOWN_ID } from '../../support/bodies.js';
import { expectRefused, textIn } from '../../support/stored.js';
import { setup, test } from '../../support/tests.js';

/** A way to charge: its path, and a body that is approved. */
interface Creation {
  readonly path: string;
  readonly body: object;
}

/** The four ways to charge; what they have in common is tested on each. */
const CREATIONS: [path: string, prepare: (api: Client) => Promise<object>][] = [
  ['/charge/card', () => Promise.resolve(cardCharge())],
  ['/charge/token', () => Promise.resolve({ Amount: 15.5, Token: 'tok_approve' })],
  [
    '/charge/customer',
    async (api) => ({ Amount: 15.5, ProviderId: STEADY, CustomerId: (await customer(api)).customerId }),
  ],
  [
    '/charge/payment_method',
    async (api) => ({ Amount: 15.5, Currency: 'AUD', PaymentMethodId: await stored(api) }),
  ],
];

describe.each(CREATIONS)('POST %s', (path, prepare) => {
  const creation = async (api: Client): Promise<Creation> => ({ path, body: await prepare(api) });
  const create = async (api: Client, more: object) => {
    const { body } = await creation(api);
    return api.post(path, { ...body, ...more });
  };

  const expectNothingDone = async (send: (api: Client, made: Creation) => Promise<void>) => {
    const { api } = setup();
    const made = await creation(api);
    const before = await stateOf(api);
    await send(api, made);
    expect(await stateOf(api)).toEqual(before);
  };

  test.for([
    ['Reference', 'order-1', 'order-1'],
    ['Reference', '', ''],
    ['Reference', 'Bestellung "ä" 🦄', 'Bestellung "ä" 🦄'],
    ['Reference', '4111111111111111', '4111111111111111'],
    ['Currency', 'USD', 'USD'],
    ['Currency', 'usd', 'USD'],
    ['Currency', 'Aud', 'AUD'],
    ['Initiator', 'CUSTOMER', 'CUSTOMER'],
    ['Initiator', 'MERCHANT', 'MERCHANT'],
    ['Initiator', 'customer', 'CUSTOMER'],
    ['Descriptor', 'PLAYMONEY*SHOP', 'PLAYMONEY*SHOP'],
    ['Metadata', {}, {}],
    ['Metadata', { orderId: 'x', 'a key': '' }, { orderId: 'x', 'a key': '' }],
    [
      'Metadata',
      { n: 1.5, big: 12_345_678, flag: true, none: null },
      { n: '1.5', big: '12345678', flag: 'true' },
    ],
    ['Metadata', { amount: 'kept', Amount: 'kept' }, { amount: 'kept', Amount: 'kept' }],
  ])('%s %j is kept as %j', async ([member, given, kept], { api }) => {
    const answer = await create(api, { [member]: given });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body[member]).toEqual(kept);
    expect(warningOf(answer)).toBeNull();
    const read = await api.get(`/charge/${textIn(answer, 'ChargeId')}`);
    expect(read.body[member]).toEqual(kept);
  });

  test('Capture true charges at once, and so does leaving it out', async ({ api }) => {
    for (const more of [{}, { Capture: true }, { Capture: null }]) {
      const { body } = await create(api, more);
      expect(body).toMatchObject({ Status: 'SUCCESS', Amount: 15.5, AuthorisationAmount: null });
      expect(body['SuccessDate']).toBe(body['DateAdded']);
    }
  });

  test('Capture false authorises', async ({ api }) => {
    const { body } = await create(api, { Capture: false });
    expect(body).toMatchObject({
      Status: 'Authorised',
      Amount: 15.5,
      AuthorisationAmount: 15.5,
      SuccessDate: null,
      VoidDate: null,
    });
  });

  test.for([[[]], ['Sydney'], [5]])(
    'refuses the Address %j: it must be an object',
    async ([Address], { api }) => {
      for (const headers of [{}, SDK]) {
        const { body } = await creation(api);
        const answer = await api.post(path, { ...body, Address }, headers);
        expect(answer.status).toBe(400);
        expect(answer.text).toMatch(/"Address":"must be an object, not (an array|a string|a number)"/);
      }
    },
  );

  test('fields without an effect here are accepted', async ({ api }) => {
    const answer = await create(api, {
      Ip: '203.0.113.9',
      Address: {
        Line1: '1 Main St',
        Line2: '',
        City: 'Sydney',
        Country: 'AU',
        PostalCode: '2000',
        State: 'NSW',
      },
      Order: {
        OrderNumber: '1',
        FreightAmount: '0',
        Items: [{ Description: 'Tea', Quantity: 2, Amount: 4.5 }],
      },
      CustomerCode: 'c',
      InvoiceNumber: 'i',
      FirstName: 'Jo',
      LastName: 'Smith',
      Email: 'jo@example.com',
      Phone: '+61400000000',
      Geolocation: { Latitude: 1, Longitude: 2 },
      Recurring: true,
      Webhook: { Url: 'https://example.com/hook', Authorization: 'Bearer x' },
    });
    expect(answer.status, answer.text).toBe(201);
    expect(warningOf(answer)).toBeNull();
    expect(answer.text).not.toContain('Bearer');
  });

  test('null stands for every optional field that is absent', async () => {
    const [plain, nulled] = [setup(), setup()];
    const { body } = await creation(plain.api);
    const absent = await plain.api.post(path, { ...body, Currency: 'AUD' });
    const optional = listFields(rowOf('POST', path)?.body as z.ZodType).filter(([name]) => !(name in body));
    expect(optional.map(([name]) => name)).toContain('Descriptor');
    const nulls = Object.fromEntries(optional.map(([name]) => [name, null]));
    const answer = await create(nulled.api, { ...nulls, Currency: 'AUD' });
    expect(warningOf(answer)).toBeNull();
    expect(answer.body).toEqual(absent.body);
  });

  test.for([
    ['Currency', 'that does not exist', 29, 'ABC'],
    ['Currency', 'that nobody can be charged in', 29, 'XXX'],
    ['Currency', 'that is empty', 29, ''],
    ['Capture', 'that is a text', 90, 'true'],
    ['Reference', 'that is a number', 90, 1],
    ['Reference', 'of more than 1024 characters', 90, 'x'.repeat(1025)],
    ['Initiator', 'that does not exist', 90, 'SOMEBODY'],
    ['Descriptor', 'that is a list', 90, []],
    ['Order', 'that is a text', 90, 'text'],
    ['Geolocation', 'that is a list', 90, []],
    ['Ip', 'that is a number', 90, 1],
    ['Address', 'that is a text', 90, 'text'],
    ['Webhook', 'that is a text', 90, 'https://example.com'],
    ['Metadata', 'that is a text', 90, 'text'],
    ['Metadata', 'that is a list', 90, ['a']],
    ['Metadata', 'that holds an object', 90, { a: {} }],
    ['Metadata', 'that holds a long text', 90, { a: 'x'.repeat(1025) }],
    ['Metadata', 'with a long key', 90, { ['x'.repeat(1025)]: 'a' }],
  ])('refuses a %s %s with code %i', ([member, , code, value]) =>
    expectNothingDone(async (api, { body }) => {
      expectRefused(await api.post(path, { ...body, [member]: value }), 400, code, member);
    }),
  );

  test.for([
    ['http://example.com/hook'],
    ['https://8.8.8.8/hook'],
    ['ftp://example.com/hook'],
    ['/hook'],
    ['https:example.com'],
    [''],
    [5],
    [undefined],
  ])('a Webhook with the Url %j is refused', ([Url]) =>
    expectNothingDone(async (api, { body }) => {
      expectRefused(await api.post(path, { ...body, Webhook: { Url } }), 400, 90, 'Webhook.Url');
    }),
  );

  test.for([
    'https://example.com/hook',
    'http://localhost:3000/hook',
    'http://127.0.0.1/',
    'http://10.1.2.3/',
    'https://192.168.7.7/',
    'https://[::1]:9/',
    'https://8.8.8.8.example.com/',
  ])('a Webhook with the Url %s is taken', async (Url, { api }) => {
    expect((await create(api, { Webhook: { Url } })).status).toBe(201);
  });

  test('an unknown field is ignored and named with what was probably meant', async ({ api }) => {
    const answer = await create(api, { Refrence: 'x', reference: 'y', Zzzzzzzzz: 1 });
    expect(answer.status).toBe(201);
    expect(answer.body['Reference']).toBeNull();
    const warning = warningOf(answer) ?? '';
    expect(warning).toContain('"Refrence" (did you mean Reference?)');
    expect(warning).toContain('"reference" (did you mean Reference?)');
    expect(warning).toMatch(/Zzzzzzzzz(?! \(did)/);
  });

  test('an unknown field is a 400 in strict mode', async () => {
    const { api } = setup({ strict: true });
    const { body } = await creation(api);
    const before = await stateOf(api);
    const answer = await api.post(path, { ...body, Refrence: 'x', Zzzzzzzzz: 1 });
    expectRefused(answer, 400, 90);
    expect(answer.body['Details']).toEqual({
      Refrence: 'unknown field; did you mean Reference?',
      Zzzzzzzzz: 'unknown field',
    });
    expect(await stateOf(api)).toEqual(before);
  });

  test.for([
    ['AUD', '12', 12],
    ['AUD', '12.5', 12.5],
    ['AUD', '"12"', 12],
    ['AUD', '"12.50"', 12.5],
    ['AUD', '"0.01"', 0.01],
    ['AUD', '1.15', 1.15],
    ['AUD', '"5.000"', 5],
    ['AUD', '999999999.99', 999_999_999.99],
    ['JPY', '20', 20],
    ['JPY', '"20.0"', 20],
    ['JPY', '999999999', 999_999_999],
    ['BHD', '"1.234"', 1.234],
    ['BHD', '0.001', 0.001],
    ['BHD', '"999999999.990"', 999_999_999.99],
  ])('takes an Amount of %s %s', async ([Currency, literal, amount], { api }) => {
    const { body } = await creation(api);
    const answer = await api.post(path, withLiteral({ ...body, Currency }, 'Amount', literal));
    expect(answer.body).toMatchObject({ Status: 'SUCCESS', Amount: amount, Currency });
    expect(answer.text).toContain(`"Amount":${amount},`);
  });

  test.for(
    byName({
      'AUD 2': cells`
        "abc"|""|" 5"|"5 "|"+5"|"1,000"|"1_000"|"0x10"|"1e3"|1e3|1E+2|".5"|"5."|"007"|"NaN"|"٣"|"５"|
        "1.2.3"|true|[]|{}|{"Value":5}|1.005|"0.001"|10.000000000000000001|1000000000|"999999999.991"|
        "99999999999999999999999999999999999999999999999999999999999999999"
      `,
      'JPY 2': cells`20.5|"999999999.99"|1000000000`,
      'BHD 2': cells`"1.2345"|"999999999.991"`,
      'AUD 74': cells`0|-0|"0"|"0.00"|-5|"-5"|"-0.01"`,
      'JPY 74': cells`0`,
      'BHD 74': cells`"0.000"`,
    }),
  )('refuses an Amount with currency and code %s: %s', ([name, literal]) =>
    expectNothingDone(async (api, { body }) => {
      const [Currency = '', code] = name.split(' ');
      const answer = await api.post(path, withLiteral({ ...body, Currency }, 'Amount', literal));
      expectRefused(answer, 400, Number(code), 'Amount');
    }),
  );

  test('an Amount without a value is missing', () =>
    expectNothingDone(async (api, { body }) => {
      expectRefused(await api.post(path, withLiteral(body, 'Amount', 'null')), 400, 90, 'Amount');
      expectRefused(await api.post(path, { ...body, Amount: undefined }), 400, 90, 'Amount');
    }));
});

test.for([
  ['/charge/token', { Token: UNKNOWN_ID }],
  ['/charge/customer', { ProviderId: STEADY, CustomerId: UNKNOWN_ID }],
  ['/charge/payment_method', { PaymentMethodId: UNKNOWN_ID }],
])('POST %s checks the Amount before it looks for anything', async ([path, body], { api }) => {
  expectRefused(await api.post(path, { Amount: 20.5, Currency: 'JPY', ...body }), 400, 2, 'Amount');
});

describe('an unknown field', () => {
  test('inside another is named with its path', async ({ api }) => {
    const PaymentInformation = card({ Cvv: '123' });
    const answer = await api.charge(cardCharge({ PaymentInformation, Address: { Line3: '' } }));
    expect(warningOf(answer)).toContain('"PaymentInformation.Cvv" (did you mean Ccv?)');
    expect(warningOf(answer)).toContain('Address.Line3');
  });
});
