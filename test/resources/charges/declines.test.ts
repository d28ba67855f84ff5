import { describe, expect } from 'vitest';

import { type Answer, asking, type Client, good } from '../../support/sandbox.js';
import { account, agreement, cardOf, NO_FUNDS, STEADY } from '../../support/bodies.js';
import { textIn } from '../../support/stored.js';
import { SDK } from '../../support/sdk.js';
import { test } from '../../support/tests.js';

const NO_FUNDS_RAW = { '51': '{"code":"51","message":"Insufficient funds"}' };
const CARD = {
  Email: null,
  PaymentType: 'CARD',
  Cardholder: 'Jo Smith',
  ExpiryDate: '10/30',
  CardType: 'VISA',
};
const AMOUNT = { Amount: 5, Currency: 'AUD' };
const PAID_BY = { ProviderId: STEADY, PaymentInformation: cardOf(NO_FUNDS) };

async function made(sent: Promise<Answer>, id: string): Promise<string> {
  return textIn(await good(sent), id);
}

/** A declined charge by each way to name what is charged, and what its refusal says. */
const CHARGES: readonly [how: string, send: (api: Client) => Promise<Answer>, details: object][] = [
  ['a card', (api) => api.charge({ ...AMOUNT, ...PAID_BY }), CARD],
  [
    'a card, with the Email of the payer',
    (api) => api.charge({ ...AMOUNT, ...PAID_BY, Email: 'jo@example.com' }),
    { ...CARD, Email: 'jo@example.com' },
  ],
  [
    'a card at the cheapest provider',
    (api) => api.post('/charge/card/least_cost', { ...AMOUNT, ...PAID_BY }),
    CARD,
  ],
  [
    'a token',
    async (api) => {
      const Token = await made(api.post('/_sandbox/tokens', PAID_BY), 'TokenId');
      return api.post('/charge/token', { ...AMOUNT, Token });
    },
    CARD,
  ],
  [
    'a magic token',
    (api) => api.post('/charge/token', { ...AMOUNT, Token: 'tok_insufficient_funds' }),
    { ...CARD, Cardholder: null, ExpiryDate: '12/99' },
  ],
  [
    'a payment method',
    async (api) => {
      const PaymentMethodId = await made(api.post('/payment_method/card', PAID_BY), 'PaymentMethodId');
      return api.post('/charge/payment_method', { ...AMOUNT, PaymentMethodId });
    },
    CARD,
  ],
  [
    'a customer',
    async (api) => {
      const person = { ...PAID_BY, Email: 'kim@example.com' };
      const CustomerId = await made(api.post('/customer/card', person), 'CustomerId');
      return api.post('/charge/customer', { ...AMOUNT, ProviderId: STEADY, CustomerId });
    },
    { ...CARD, Email: 'kim@example.com' },
  ],
];

describe('the Details of a declined charge', () => {
  test.for(CHARGES)('of %s are those of the public sample', async ([, send, details], { api }) => {
    const answer = await send(api);
    expect(answer.body).toMatchObject({ Code: 15, GatewayCode: '51' });
    expect(answer.body['Details']).toEqual({ ...NO_FUNDS_RAW, ...details });
    expect(answer.text).not.toContain(NO_FUNDS);
  });

  test('of a bank account have no fields of a card', async ({ api }) => {
    const body = { ...AMOUNT, ProviderId: STEADY, BankPaymentInformation: account('000000002') };
    const { body: answered } = await api.post('/charge/bank_account', body);
    expect(answered['Details']).toEqual({
      '05': '{"code":"05","message":"Do not honor"}',
      Email: null,
      PaymentType: 'BANK_ACCOUNT',
    });
  });

  test('of an agreement have the address of its PayId', async ({ api }) => {
    const PaymentMethodId = await made(api.post('/payment_method/payto', agreement()), 'PaymentMethodId');
    const body = { ...AMOUNT, PaymentMethodId };
    const { body: answered } = await api.post('/charge/payment_method', body, asking('do_not_honor'));
    expect(answered['Details']).toMatchObject({ Email: 'jo@example.com', PaymentType: 'PAYTO' });
  });

  test.for(['blocked_by_fraud_rules', 'provider_unavailable', 'gateway_timeout'])(
    'have no entry of a gateway that gave no code: %s',
    async (outcome, { api }) => {
      const { body } = await api.charge({ ...AMOUNT, ...PAID_BY }, asking(outcome));
      expect(body).toMatchObject({ GatewayCode: null, Details: CARD });
      expect(Object.keys(body['Details'] as object)).toEqual(Object.keys(CARD));
    },
  );

  test('are the same in the sdk dialect, where their names keep their case', async ({ api }) => {
    const { body } = await api.charge({ ...AMOUNT, ...PAID_BY }, SDK);
    expect(body).toMatchObject({ code: 15, resource: '/charge/card', gatewayCode: '51' });
    expect(body['details']).toEqual({ ...NO_FUNDS_RAW, ...CARD });
  });

  test('hide a card number that stands where a name belongs', async ({ api }) => {
    const PaymentInformation = cardOf(NO_FUNDS, { Cardholder: '4242424242424242' });
    const { text } = await api.charge({ ...AMOUNT, ...PAID_BY, PaymentInformation });
    expect(text).toContain('"Cardholder":"4242********4242"');
  });
});

describe('the Details of a decline behind a charge', () => {
  test.for([
    ['capture', 'unable_to_capture', false],
    ['void', 'unable_to_void', false],
    ['refund', 'unable_to_refund', true],
  ] as const)('(%s) name the payer of the charge', async ([what, outcome, Capture], { api }) => {
    const body = {
      ...AMOUNT,
      ProviderId: STEADY,
      PaymentInformation: cardOf(),
      Email: 'jo@example.com',
      Capture,
    };
    const id = await made(api.charge(body), 'ChargeId');
    const asked = asking(outcome);
    const paths = { capture: `/charge/${id}`, void: `/charge/${id}/void`, refund: `/refund/${id}` };
    const declined =
      what === 'capture'
        ? await api.post(paths[what], { Amount: 5 }, asked)
        : await api.del(paths[what], asked);
    // The Email of a charge is stored nowhere.
    expect(declined.body['Details']).toEqual({
      '12': '{"code":"12","message":"Invalid transaction"}',
      ...CARD,
    });
  });
});

describe('the Message where the provider gave no answer', () => {
  const REASONS = [
    ['gateway_timeout', 'Gateway timeout: The provider did not answer in time'],
    ['provider_unavailable', 'Provider Service Error: The provider is not available'],
  ] as const;

  test.for(REASONS)('does not call it a decline: %s', async ([outcome, reason], { api }) => {
    const asked = asking(outcome);
    const paid = { ...AMOUNT, ProviderId: STEADY, PaymentInformation: cardOf() };
    const said = async (answer: Promise<Answer>): Promise<unknown> => (await answer).body['Message'];
    expect(await said(api.charge(paid, asked))).toMatch(
      new RegExp(`^${reason}; the charge is stored as \\w+ with Status FAILED\\.$`),
    );
    const held = await made(api.charge({ ...paid, Capture: false }), 'ChargeId');
    const taken = await made(api.charge(paid), 'ChargeId');
    for (const answer of [
      api.post(`/charge/${held}`, { Amount: 5 }, asked),
      api.del(`/charge/${held}/void`, asked),
      api.del(`/refund/${taken}`, asked),
    ]) {
      expect(await said(answer)).toBe(`${reason}; the charge is unchanged.`);
    }
    expect(await said(api.post('/payment_method/card', paid, asked))).toBe(
      `${reason}; no payment method was created.`,
    );
  });

  test('calls a decline one', async ({ api }) => {
    const { body } = await api.charge({ ...AMOUNT, ...PAID_BY });
    expect(body['Message']).toMatch(
      /^Insufficient Funds: The provider declined the charge; it is stored as /,
    );
  });
});

describe('the Details of a declined storage', () => {
  test.for(['/_sandbox/tokens', '/payment_method/card', '/customer/card'])(
    'by %s name the payer',
    async (path, { api }) => {
      const { body } = await api.post(path, PAID_BY, asking('incorrect_ccv'));
      expect(body['Details']).toEqual({ N7: '{"code":"N7","message":"CVV2 mismatch"}', ...CARD });
    },
  );

  test('by an agreement have the address of its PayId', async ({ api }) => {
    const { body } = await api.post('/payment_method/payto', agreement(), asking('unmapped'));
    expect(body['Details']).toMatchObject({ Email: 'jo@example.com', PaymentType: 'PAYTO' });
  });
});

describe('a gateway’s refusal that maps to no code', () => {
  const UNMAPPED = {
    Code: 1,
    IsRetryable: false,
    GatewayCode: 'E999',
    GatewayMessage: 'Unmapped gateway response',
    Details: { E999: '{"code":"E999","message":"Unmapped gateway response"}', ...CARD },
  };
  const charge = { ...AMOUNT, ProviderId: STEADY, PaymentInformation: cardOf() };

  const expectUnmapped = ({ status, body }: Answer): void => {
    expect([status, body]).toEqual([400, expect.objectContaining(UNMAPPED)]);
    expect(body['Message']).toContain('Unknown Error');
  };

  test('is asked for by header', async ({ api }) => {
    expectUnmapped(await api.charge(charge, asking('unmapped')));
  });

  test('is asked for by a queued outcome', async ({ api }) => {
    await good(api.queue('charge.create', ['unmapped']));
    expectUnmapped(await api.charge(charge));
  });

  test('is asked for by a rule', async ({ api }) => {
    const rules = [{ name: 'odd', when: { operation: 'charge.create' }, then: { outcome: 'unmapped' } }];
    await good(api.play({ name: 'test', rules }));
    expectUnmapped(await api.charge(charge));
  });

  test('is asked for by card', async ({ api }) => {
    const PaymentInformation = cardOf('4000000000000010');
    expectUnmapped(await api.charge({ ...charge, PaymentInformation }));
  });

  test('is asked for by token, and leaves a failed charge', async ({ api }) => {
    const { status, body } = await api.post('/charge/token', { ...AMOUNT, Token: 'tok_unmapped' });
    expect([status, body['Code']]).toEqual([400, 1]);
    const stored = await api.read(`/charge/${String(body['ChargeId'])}`);
    expect(stored).toMatchObject({
      Status: 'FAILED',
      FailedAttempts: [{ ErrorMessage: 'Unknown Error', GatewayCode: 'E999' }],
    });
  });
});
