import { describe, expect } from 'vitest';
import { card, cardCharge, chargeOf, stateOf, withLiteral, without, wholeCharge } from './support.js';
import { good, triggerOf, warningOf } from '../../support/sandbox.js';
import { AMEX, OTHER, STEADY, VISA } from '../../support/bodies.js';
import { expectRefused, ID, textIn } from '../../support/stored.js';
import { words } from '../../support/tables.js';
import { setup, test } from '../../support/tests.js';

describe('POST /charge/card', () => {
  test('answers with the whole charge', async ({ api }) => {
    const body = cardCharge({
      Amount: '15.50',
      Reference: 'order-1',
      PaymentInformation: card({ Cardholder: 'Jo Smith' }),
    });
    const answer = await good(api.charge(body));
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toMatch(ID);
    expect(warningOf(answer)).toBeNull();
    expect(triggerOf(answer)).toBeNull();
    expect(answer.body).toEqual(wholeCharge({ Reference: 'order-1' }, 'Jo Smith'));
  });

  test('stores the charge as it was answered', async ({ api }) => {
    const answer = await api.charge(cardCharge({ Reference: 'r' }));
    const read = await api.get(`/charge/${textIn(answer, 'ChargeId')}`);
    const search = await api.get('/charge?reference=r');
    expect(read.body).toEqual(answer.body);
    expect(search.body['Charges']).toEqual([answer.body]);
  });

  test('answers the same to the same requests in another sandbox', async () => {
    const answers = await Promise.all([setup(), setup()].map(({ api }) => api.charge(cardCharge())));
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });

  test('makes a second charge of a repeated request', async ({ api }) => {
    const [one, two] = [await api.charge(cardCharge()), await api.charge(cardCharge())];
    expect(textIn(one, 'ChargeId')).not.toBe(textIn(two, 'ChargeId'));
    expect((await api.read('/charge'))['Count']).toBe(2);
  });
});

describe('the card of a charge', () => {
  test.for([
    ['4111111111111111', 'VISA', 'CREDIT', '4111********1111', '411111'],
    ['4000056655665556', 'VISA', 'DEBIT', '4000********5556', '400005'],
    ['5555555555554444', 'MASTERCARD', 'CREDIT', '5555********4444', '555555'],
    ['5200828282828210', 'MASTERCARD', 'DEBIT', '5200********8210', '520082'],
    [AMEX, 'AMEX', 'CREDIT', '3782*******0005', '378282'],
    ['6011111111111117', 'DISCOVER', 'CREDIT', '6011********1117', '601111'],
    ['3056930009020004', 'DINERS', 'CREDIT', '3056********0004', '305693'],
    ['3566002020360505', 'JCB', 'CREDIT', '3566********0505', '356600'],
    ['6200000000000005', 'UNIONPAY', 'CREDIT', '6200********0005', '620000'],
  ])(
    '%s is shown masked, with its scheme',
    async ([number, Type, CardType, CardNumber, CardIin], { api }) => {
      const { body } = await api.charge(chargeOf(number));
      expect(body['PaymentInformation']).toMatchObject({ Card: { CardNumber, Type, CardType, CardIin } });
    },
  );

  test.for(['4111 1111 1111 1111', '4111-1111-1111-1111', '4111 1111-11111111'])(
    'may be written as %s',
    async (number, { api }) => {
      const answer = await api.charge(chargeOf(number));
      expect(answer.body).toMatchObject({ PaymentInformation: { Card: { CardNumber: '4111********1111' } } });
      expect(warningOf(answer)).toBeNull();
    },
  );

  test.for([
    ['no Ccv', {}, null],
    ['a Ccv of null', { Ccv: null }, null],
    ['a Ccv', { Ccv: '000' }, true],
  ])('with %s says what the provider said of it', async ([, more, CcvCheck], { api }) => {
    const PaymentInformation = { CardNumber: VISA, ExpiryDate: '12/30', ...more };
    const { body } = await api.charge(cardCharge({ PaymentInformation }));
    expect(body).toMatchObject({ PaymentInformation: { Card: { CcvCheck } } });
  });

  test('of American Express takes a Ccv of four digits', async ({ api }) => {
    const PaymentInformation = card({ CardNumber: AMEX, Ccv: '1234' });
    const { body } = await api.charge(cardCharge({ PaymentInformation }));
    expect(body).toMatchObject({ PaymentInformation: { Card: { CcvCheck: true } } });
  });

  test.for(['5105105105105100', '4222222222222', '6304000000000000'])(
    '%s, which is not a published test card, approves with a warning',
    async (number, { api }) => {
      const answer = await api.charge(chargeOf(number));
      expect(answer.body['Status']).toBe('SUCCESS');
      expect(warningOf(answer)).toContain('not a published test card');
      expect(warningOf(answer)).not.toContain(number);
    },
  );

  test('must be a published one if only test cards are accepted', async () => {
    const { api } = setup({ testCardsOnly: true });
    const before = await stateOf(api);
    expectRefused(await api.charge(chargeOf('5105105105105100')), 400, 5);
    expect(await stateOf(api)).toEqual(before);
    await good(api.charge(chargeOf(VISA)));
  });
});

describe('the ExpiryDate', () => {
  test.for(['01/26', '12/30', '12/99'])('%s is good in January 2026', async (ExpiryDate, { api }) => {
    await good(api.charge(cardCharge({ PaymentInformation: card({ ExpiryDate }) })));
  });

  test.for(['12/25', '01/00', '06/20'])(
    '%s is a refusal that stores nothing',
    async (ExpiryDate, { api }) => {
      const before = await stateOf(api);
      const answer = await api.charge(cardCharge({ PaymentInformation: card({ ExpiryDate }) }));
      expectRefused(answer, 400, 14, 'PaymentInformation.ExpiryDate');
      expect(answer.body).toMatchObject({ GatewayCode: null, GatewayMessage: null, IsRetryable: false });
      expect(answer.body).not.toHaveProperty('ChargeId');
      expect(await stateOf(api)).toEqual(before);
    },
  );

  test('ends with its month on the clock, also in a leap year', async ({ api }) => {
    const body = cardCharge({ PaymentInformation: card({ ExpiryDate: '02/28' }) });
    await api.put('/_sandbox/clock', { Mode: 'manual', Now: '2028-02-29T23:59:59.999Z' });
    await good(api.charge(body));
    await api.advance('1ms');
    expectRefused(await api.charge(body), 400, 14);
  });
});

describe('a malformed field', () => {
  const refused = async (more: object, code: number, member: string): Promise<void> => {
    const { api } = setup();
    const before = await stateOf(api);
    expectRefused(await api.charge(cardCharge(more)), 400, code, member);
    expect(await stateOf(api)).toEqual(before);
  };

  test.for([
    ['too short', STEADY.slice(1)],
    ['not hexadecimal', `g${STEADY.slice(1)}`],
    ['a UUID with a misplaced hyphen', '0000000-00000-0000-0000-000000000001'],
    ['empty', ''],
    ['a number', 1],
    ['an object', {}],
    ['the reserved one', '0000000000000000000000000000dead'],
    ['the reserved one as a UUID', '00000000-0000-0000-0000-00000000dead'],
  ])('ProviderId that is %s has code 39', ([, ProviderId]) => refused({ ProviderId }, 39, 'ProviderId'));

  test.for([
    ['fails the check digit', 5, '4111111111111112'],
    ['holds letters', 5, '4111x11111111111'],
    ['is empty', 55, ''],
    ['has 11 digits', 55, '41111111111'],
  ])('CardNumber that %s has code %i', ([, code, CardNumber]) =>
    refused({ PaymentInformation: card({ CardNumber }) }, code, 'PaymentInformation.CardNumber'),
  );

  test.for([
    ['has five digits', VISA, '12345'],
    ['has four digits on a Visa card', VISA, '1234'],
    ['has three digits on an Amex card', AMEX, '123'],
    ['is true', VISA, true],
  ])('Ccv that %s has code 6', ([, CardNumber, Ccv]) =>
    refused({ PaymentInformation: card({ CardNumber, Ccv }) }, 6, 'PaymentInformation.Ccv'),
  );

  // Others are in test/hostile/cards.ts, as are card numbers and Ccvs.
  test.for(['13/30', ' 12/30', 'aa/bb', '', { Month: 12, Year: 30 }])(
    'ExpiryDate %j has code 9',
    (ExpiryDate) => refused({ PaymentInformation: card({ ExpiryDate }) }, 9, 'PaymentInformation.ExpiryDate'),
  );

  test.for([['text'], [[]], [1], [true]])('PaymentInformation %j has code 81', ([PaymentInformation]) =>
    refused({ PaymentInformation }, 81, 'PaymentInformation'),
  );

  test.for([
    ['a number', 1],
    ['an object', {}],
    ['longer than 256 characters', 'x'.repeat(257)],
  ])('Cardholder that is %s has code 90', ([, Cardholder]) =>
    refused({ PaymentInformation: card({ Cardholder }) }, 90, 'PaymentInformation.Cardholder'),
  );

  test('is named with every other wrong one, under the code of the first', async ({ api }) => {
    const answer = await api.charge({
      Amount: 'x',
      ProviderId: 'x',
      PaymentInformation: { CardNumber: 'x', ExpiryDate: 'x', Ccv: 'x' },
      Currency: 'x',
    });
    expectRefused(answer, 400, 2);
    expect(Object.keys(answer.body['Details'] as object)).toEqual(words`
      Amount ProviderId PaymentInformation.CardNumber PaymentInformation.ExpiryDate PaymentInformation.Ccv
      Currency
    `);
  });
});

describe('a ProviderId', () => {
  test.for([
    ['a built-in one as a UUID', '00000000-0000-0000-0000-000000000001', 'steady'],
    ['one that nobody configured', OTHER, 'steady'],
    ['one in capitals', OTHER.toUpperCase(), 'steady'],
  ])('may be %s', async ([, ProviderId, Name], { api }) => {
    const { body } = await api.charge(cardCharge({ ProviderId }));
    expect(body).toMatchObject({ ProviderId, Provider: { ProviderId, Type: 'dummy', Name } });
  });
});

describe('a required field', () => {
  test.for([
    ['Amount', 90],
    ['ProviderId', 90],
    ['PaymentInformation', 81],
  ])('%s that is missing or null has code %i', async ([member, code], { api }) => {
    const before = await stateOf(api);
    const missing = await api.charge(without(cardCharge(), member));
    const nothing = await api.charge(withLiteral(cardCharge(), member, 'null'));
    expectRefused(missing, 400, code, member);
    expectRefused(nothing, 400, code, member);
    expect(await stateOf(api)).toEqual(before);
  });

  test.for(['CardNumber', 'ExpiryDate'])(
    'PaymentInformation.%s that is missing has code 90',
    async (member, { api }) => {
      const PaymentInformation = without(card(), member);
      const answer = await api.charge(cardCharge({ PaymentInformation }));
      expectRefused(answer, 400, 90, `PaymentInformation.${member}`);
    },
  );
});
