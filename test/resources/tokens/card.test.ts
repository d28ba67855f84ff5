import { describe, expect, test } from 'vitest';

import type { InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { type Answer, client, good, testSandbox, warningOf } from '../../support/sandbox.js';
import { AMOUNTS, cardOf, DOWN, RESERVED, STEADY } from '../../support/bodies.js';
import {
  after,
  AN_ID,
  EMPTY,
  expectRefused,
  ID,
  NOW,
  SHOWN_CARD,
  textIn,
  NEVER_IN_TOKEN,
} from '../../support/stored.js';

const FROM = { providerid: STEADY };
const REQUEST = { PaymentInformation: cardOf() };

function setup(options?: InnerSandboxOptions) {
  const api = client(testSandbox(options));
  const tokenise = (body: unknown = REQUEST, headers: Record<string, string> = FROM): Promise<Answer> =>
    api.post('/token/card', body, headers);
  return { api, tokenise };
}

describe('POST /token/card', () => {
  test('answers a token with every field, those without a value as null, and the card masked', async () => {
    const { status, body, text } = await setup().tokenise({
      ...REQUEST,
      Ip: '203.0.113.9',
      Metadata: { cart: '7' },
    });
    expect([status, body]).toEqual([
      201,
      {
        TokenId: AN_ID,
        ProviderId: STEADY,
        DateAdded: NOW,
        VaultId: null,
        Type: 'CARD',
        PayToStatus: null,
        Ip: '203.0.113.9',
        Metadata: { cart: '7' },
        ...NEVER_IN_TOKEN,
        Card: SHOWN_CARD,
      },
    ]);
    expect(text).not.toMatch(/4111111111111111|"Ccv"/);
  });

  test('makes what is charged once, through the provider of the header', async () => {
    const { api, tokenise } = setup();
    const Token = textIn(await tokenise(REQUEST, { ProviderId: AMOUNTS }), 'TokenId');
    const declined = await api.post('/charge/token', { Amount: 10.05, Token });
    expectRefused(declined, 400, 905);
    expectRefused(await api.post('/charge/token', { Amount: 10, Token }), 400, 51);
    expect((await api.read('/charge'))['Charges']).toMatchObject([
      { ProviderId: AMOUNTS, PaymentTokenId: Token, PaymentInformation: { Card: { CcvCheck: true } } },
    ]);
  });

  test('takes a provider as a UUID and gives it back as it was sent', async () => {
    const ProviderId = '01234567-89ab-cdef-0123-456789ABCDEF';
    expect((await setup().tokenise(REQUEST, { ProviderId })).body).toMatchObject({ ProviderId });
  });

  const of = (more: object) => ({ PaymentInformation: cardOf(undefined, more) });

  test.each<[string, unknown, Record<string, string>, number, number, RegExp]>([
    ['no provider', REQUEST, {}, 400, 90, /header ProviderId is required/],
    ['an empty provider', REQUEST, { providerid: '' }, 400, 39, /header ProviderId is ""/],
    ['a malformed provider', REQUEST, { providerid: 'visa' }, 400, 39, /header ProviderId is "visa"/],
    ['two providers', REQUEST, { providerid: `${STEADY}, ${STEADY}` }, 400, 39, /header ProviderId is/],
    ['a reserved provider', REQUEST, { providerid: RESERVED }, 400, 39, /is unknown/],
    ['a provider in the body alone', { ...REQUEST, ProviderId: STEADY }, {}, 400, 90, /header/],
    ['no card', {}, FROM, 400, 81, /PaymentInformation is required/],
    ['a wrong check digit', of({ CardNumber: '4111111111111112' }), FROM, 400, 5, /check digit/],
    ['an expired card', of({ ExpiryDate: '12/25' }), FROM, 400, 14, /12\/25/],
    ['a Ccv of a wrong length', of({ Ccv: '1234' }), FROM, 400, 6, /Ccv/],
    [
      'two ends for the vault',
      { ...REQUEST, VaultExpireSeconds: 5, VaultExpireDate: after(9e6) },
      FROM,
      400,
      85,
      /./,
    ],
    ['a past end for the vault', { ...REQUEST, VaultExpireDate: NOW }, FROM, 400, 86, /future/],
    ['an end that is no number', { ...REQUEST, VaultExpireSeconds: 0 }, FROM, 400, 86, /seconds/],
    ['Metadata that is a list', { ...REQUEST, Metadata: [] }, FROM, 400, 90, /Metadata/],
  ])('refuses %s and makes nothing', async (_, body, headers, status, code, reason) => {
    const { api, tokenise } = setup();
    const answer = await tokenise(body, headers);
    expect(expectRefused(answer, status, code)).toMatch(reason);
    expect(answer.text).not.toMatch(/411111111111111/);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test.each([
    ['4000000000000424', [400, 400], 42],
    ['4000000000005027', [201, 200], undefined],
    ['4000000000009995', [201, 200], undefined],
    ['4000000000000341', [201, 200], undefined],
    ['4000000000000127', [201, 200], undefined],
  ])(
    'a token of the test card %s is answered with %j, the one by POST /_sandbox/tokens, too',
    async (number, statuses, code) => {
      const { api, tokenise } = setup();
      const answers = [
        await tokenise({ PaymentInformation: cardOf(number) }),
        await api.post('/_sandbox/tokens', { ProviderId: STEADY, PaymentInformation: cardOf(number) }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(statuses);
      for (const { body } of answers) expect(body['Code']).toBe(code);
      expect(answers.map(({ headers }) => headers.get('x-sandbox-trigger'))).toEqual(
        Array(2).fill(`card:${number}`),
      );
    },
  );

  test('a provider that is down makes no token, and nothing is left in the vault', async () => {
    const { api, tokenise } = setup();
    expectRefused(await tokenise({ ...REQUEST, VaultCard: true }, { providerid: DOWN }), 400, 34);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('an outcome that is asked for, queued or ruled acts on the call', async () => {
    const { api, tokenise } = setup();
    expectRefused(await tokenise(REQUEST, { ...FROM, 'x-sandbox-outcome': 'tokenise_error' }), 400, 42);
    await api.queue('token.create', ['gateway_timeout']);
    expectRefused(await tokenise(), 400, 80);
    const rules = [
      { when: { operation: 'token.create', provider: AMOUNTS }, then: { respond: { status: 418 } } },
    ];
    await api.play({ name: 'picky', rules });
    expect((await tokenise(REQUEST, { providerid: AMOUNTS })).status).toBe(418);
    expect((await tokenise()).status).toBe(201);
  });

  test('warns of a number that is not a test card, or refuses it if only those are accepted', async () => {
    const body = { PaymentInformation: cardOf('4012888888881881') };
    const warned = await setup().tokenise(body);
    expect(warned.status).toBe(201);
    expect(warningOf(warned)).toContain('not a published test card');
    expectRefused(await setup({ testCardsOnly: true }).tokenise(body), 400, 5);
  });

  test('is in a trace with its provider, so that a replay can send it again', async () => {
    const { api, tokenise } = setup();
    await tokenise();
    const { body } = await api.get('/_sandbox/journal/export?Format=trace');
    const [entry] = body['Entries'] as { Headers: object }[];
    expect(entry?.Headers).toEqual({ 'content-type': 'application/json', providerid: STEADY });
  });

  test('is asked and answered in the dialect of client libraries as well', async () => {
    const { api } = setup();
    const sdk = { 'x-sandbox-dialect': 'sdk' };
    const paymentInformation = {
      cardNumber: '4111111111111111',
      expiryDate: '10/30',
      cardHolder: 'Jo Smith',
    };
    const made = await api.post('/token/card', { paymentInformation, ip: null }, { ...FROM, ...sdk });
    expect([made.status, made.body]).toMatchObject([
      201,
      { tokenId: AN_ID, type: 'CARD', card: { cardholder: 'Jo Smith' } },
    ]);
    const listed = await api.get('/token?limit=1&addedAfter=2000-01-01', sdk);
    expect(listed.body).toMatchObject({ limit: 1, count: 1, tokens: [{ tokenId: made.body['tokenId'] }] });
  });

  test('through a provider that was removed is refused', async () => {
    const { api, tokenise } = setup();
    const settings = { Type: 'dummy', Name: 'mine', Environment: 'SANDBOX', Currency: 'AUD' };
    const providerid = textIn(await api.post('/provider', settings), 'ProviderId');
    expect((await tokenise(REQUEST, { providerid })).body).toMatchObject({ ProviderId: providerid });
    await api.del(`/provider/${providerid}`);
    expectRefused(await tokenise(REQUEST, { providerid }), 400, 39);
  });
});

describe('VaultCard', () => {
  const VAULTED = { ...REQUEST, VaultCard: true };

  test('puts the card into the vault with the token, until the given end', async () => {
    const { api, tokenise } = setup();
    const VaultId = textIn(await tokenise({ ...VAULTED, VaultExpireSeconds: 60 }), 'VaultId');
    expect(await api.read(`/vault/${VaultId}`)).toMatchObject({
      CardNumber: '4111111111111111',
      Ccv: '123',
      ExpireDate: after(60_000),
    });
    await api.advance('60s');
    expectRefused(await api.get(`/vault/${VaultId}`), 404, 62);
  });

  test('keeps the card until it is deleted where no end is given, also after the token’s', async () => {
    const { api, tokenise } = setup();
    const VaultId = textIn(await tokenise(VAULTED), 'VaultId');
    await api.advance('1d');
    await good(api.get(`/vault/${VaultId}`));
  });

  test('a charge of the token uses the stored Ccv up', async () => {
    const { api, tokenise } = setup();
    const made = await tokenise(VAULTED);
    await good(api.post('/charge/token', { Amount: 1, Token: textIn(made, 'TokenId') }));
    expect(await api.read(`/vault/${textIn(made, 'VaultId')}`)).toMatchObject({ Ccv: null });
  });

  test('a payment method that is made from the token has its entry, and no second one is made', async () => {
    for (const more of [{}, { VaultCard: true }]) {
      const { api, tokenise } = setup();
      const made = await tokenise(VAULTED);
      const VaultId = textIn(made, 'VaultId');
      const method = await api.post('/payment_method/token', { Token: textIn(made, 'TokenId'), ...more });
      expect(method.body).toMatchObject({ VaultId });
      expect(await api.counts()).toMatchObject({ VaultEntries: 1, PaymentMethods: 1 });
    }
  });

  test.each([
    ['after the seconds of the payment method', { VaultCard: true, VaultExpireSeconds: 5 }, after(5_000)],
    ['as its token said, without VaultCard', { VaultExpireSeconds: 5 }, after(60_000)],
    ['as its token said, without an expiry', { VaultCard: true }, after(60_000)],
  ])('the shared entry expires %s', async (_, more, ExpireDate) => {
    const { api, tokenise } = setup();
    const made = await tokenise({ ...VAULTED, VaultExpireSeconds: 60 });
    await good(api.post('/payment_method/token', { Token: textIn(made, 'TokenId'), ...more }));
    const path = `/vault/${textIn(made, 'VaultId')}`;
    expect(await api.read(path)).toMatchObject({ ExpireDate, Ccv: '123' });
    await api.post('/_sandbox/clock/advance', { To: ExpireDate });
    expectRefused(await api.get(path), 404, 62);
  });

  test('a payment method that is created after the entry has gone has none', async () => {
    const { api, tokenise } = setup();
    const made = await tokenise(VAULTED);
    await api.del(`/vault/${textIn(made, 'VaultId')}`);
    const method = await api.post('/payment_method/token', { Token: textIn(made, 'TokenId') });
    expect(method.body).toMatchObject({ VaultId: null });
  });

  test('a token and its entry are part of the world’s document', async () => {
    const sandbox = testSandbox();
    const [one, other] = [client(sandbox), client(sandbox, 'sk_test_b')];
    const body = { ...VAULTED, Ip: '203.0.113.9', Metadata: { cart: '7' } };
    const Token = textIn(await one.post('/token/card', body, FROM), 'TokenId');
    const document = (await one.get('/_sandbox/state')).text;
    await good(other.put('/_sandbox/state', document));
    expect(await other.read(`/token/${Token}`)).toEqual(await one.read(`/token/${Token}`));
    expect((await other.post('/payment_method/token', { Token })).body['VaultId']).toMatch(ID);
  });
});

describe('POST /token/card/least_cost', () => {
  const LEAST = { ...REQUEST, Amount: '15.50', Currency: 'AUD' };

  test('returns a token of the cheapest provider: the first, if no provider has costs', async () => {
    const { api } = setup();
    const made = await api.post('/token/card/least_cost', {
      ...LEAST,
      VaultCard: true,
      Metadata: { a: 'b' },
    });
    expect([made.status, made.body]).toMatchObject([
      201,
      { ProviderId: STEADY, Card: SHOWN_CARD, Metadata: { a: 'b' }, VaultId: AN_ID },
    ]);
    await good(api.post('/charge/token', { Amount: 15.5, Token: textIn(made, 'TokenId') }));
  });

  test('compares what each provider costs for the card and the amount', async () => {
    const { api } = setup();
    const configured = async (cost: object): Promise<string> => {
      const settings = { Type: 'dummy', Name: 'mine', Environment: 'SANDBOX', Currency: 'AUD' };
      const made = await api.post('/provider', { ...settings, CostData: [cost] });
      return textIn(made, 'ProviderId');
    };
    const flat = await configured({ TransactionCost: '0.50' });
    const share = await configured({ TransactionPercentage: '2' });
    for (const [Amount, ProviderId] of [
      ['20.00', share],
      ['30.00', flat],
    ]) {
      const made = await api.post('/token/card/least_cost', { ...LEAST, Amount });
      expect([made.status, made.body['ProviderId']]).toEqual([201, ProviderId]);
    }
  });

  test.each<[string, object, number, number]>([
    ['no amount', { Amount: undefined }, 400, 90],
    ['a malformed amount', { Amount: '1e2' }, 400, 2],
    ['an amount of nothing', { Amount: 0 }, 400, 74],
    ['more decimals than the currency has', { Amount: '15.50', Currency: 'JPY' }, 400, 2],
    ['an unknown currency', { Currency: 'XYZ' }, 400, 29],
    ['no card', { PaymentInformation: undefined }, 400, 81],
  ])('refuses %s', async (_, change, status, code) => {
    const { api } = setup();
    expectRefused(await api.post('/token/card/least_cost', { ...LEAST, ...change }), status, code);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('takes an amount without a currency, whose decimals the charge will judge', async () => {
    const { api } = setup();
    const body = { ...LEAST, Amount: '15.501', Currency: undefined };
    await good(api.post('/token/card/least_cost', body));
  });
});
