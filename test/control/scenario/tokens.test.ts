import { describe, expect, test } from 'vitest';

import { RESERVED_PROVIDER_ID } from '../../../src/outcomes/built-in.js';
import type { SandboxOptions } from '../../../src/sandbox.js';
import { asking, client, good, testSandbox, triggerOf, warningOf } from '../../support/sandbox.js';

const PROVIDER = '00000000000000000000000000000001';
const CARD = { CardNumber: '4111111111111111', ExpiryDate: '10/30', Ccv: '123', Cardholder: 'Ada Byron' };
const REQUEST = { ProviderId: PROVIDER, PaymentInformation: CARD };

function setup(options?: SandboxOptions) {
  const sandbox = testSandbox(options);
  return { a: client(sandbox), host: sandbox.host };
}

function withCard(card: object): object {
  return { ProviderId: PROVIDER, PaymentInformation: { ...CARD, ...card } };
}

describe('POST /_sandbox/tokens', () => {
  test('answers a token and the masked card', async () => {
    const { status, body, text } = await setup().a.post('/_sandbox/tokens', REQUEST);
    expect([status, body]).toMatchObject([
      200,
      {
        TokenId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        ProviderId: PROVIDER,
        DateAdded: '2026-01-01T00:00:00.000Z',
        ExpiresAt: '2026-01-01T00:15:00.000Z',
        Type: 'CARD',
        PayToStatus: null,
        Card: {
          CardNumber: '4111********1111',
          ExpiryDate: '10/30',
          Cardholder: 'Ada Byron',
          Type: 'VISA',
          CardType: 'CREDIT',
          CardIin: '411111',
          CcvCheck: null,
        },
      },
    ]);
    expect(text).not.toContain('4111111111111111');
    expect(text).not.toContain('Ccv":"');
  });

  test('makes what can be charged once, with its card, provider and Ccv', async () => {
    const { a } = setup();
    const Token = (await a.post('/_sandbox/tokens', REQUEST)).body['TokenId'];
    const charged = await a.post('/charge/token', { Amount: 5, Token });
    expect(charged.body).toMatchObject({
      Status: 'SUCCESS',
      ProviderId: PROVIDER,
      PaymentTokenId: Token,
      PaymentInformation: { Card: { CardNumber: '4111********1111', CcvCheck: true } },
    });
    const again = await a.post('/charge/token', { Amount: 5, Token });
    expect([again.status, again.body['Code']]).toEqual([400, 51]);
  });

  test('makes tokens that belong to the key', async () => {
    const sandbox = testSandbox();
    const { body } = await client(sandbox, 'sk_test_a').post('/_sandbox/tokens', REQUEST);
    const charge = { Amount: 5, Token: body['TokenId'] };
    expect((await client(sandbox, 'sk_test_b').post('/charge/token', charge)).status).toBe(400);
  });

  test('lives as long as the sandbox was told', async () => {
    const { body } = await setup({ tokenTtl: 1500 }).a.post('/_sandbox/tokens', REQUEST);
    expect(body['ExpiresAt']).toBe('2026-01-01T00:00:01.500Z');
  });

  test('takes cards that only fail when they are charged', async () => {
    const { a } = setup();
    const made = await good(a.post('/_sandbox/tokens', withCard({ CardNumber: '4000000000009995' })));
    const charged = await a.post('/charge/token', { Amount: 5, Token: made.body['TokenId'] });
    expect([charged.status, charged.body['Code']]).toEqual([402, 15]);
  });

  test('answers the card that cannot be tokenised with 402 code 42 and makes nothing', async () => {
    const { a } = setup();
    const { status, body, headers } = await a.post(
      '/_sandbox/tokens',
      withCard({ CardNumber: '4000000000000424' }),
    );
    expect([status, body['Code'], body['HttpStatus'], body['GatewayMessage']]).toEqual([
      402,
      42,
      402,
      'Tokenise card error',
    ]);
    expect(body).not.toHaveProperty('ChargeId');
    expect(headers.get('x-sandbox-trigger')).toBe('card:4000000000000424');
    expect(await a.read('/_sandbox/world')).toMatchObject({ Counts: { Tokens: 0, QueuedJobs: 0 } });
  });

  test.each([
    ['tokenise_error', 402, 42],
    ['provider_unavailable', 502, 34],
    ['gateway_timeout', 504, 80],
    ['retry_later', 503, 37],
    ['insufficient_funds', 402, 15],
  ])('answers as x-sandbox-outcome: %s asks, with %d code %d', async (outcome, status, code) => {
    const { a } = setup();
    const answer = await a.post('/_sandbox/tokens', REQUEST, asking(outcome));
    expect([answer.status, answer.body['Code']]).toEqual([status, code]);
    expect(triggerOf(answer)).toBe(`header:${outcome}`);
    expect(await a.read('/_sandbox/world')).toMatchObject({ Counts: { Tokens: 0 } });
  });

  test('lets x-sandbox-outcome approve what the card would not, after the delay it asks for', async () => {
    const { a, host } = setup();
    const request = withCard({ CardNumber: '4000000000000424' });
    const answer = await a.post('/_sandbox/tokens', request, asking('approve, delay=2s'));
    expect([answer.status, host.slept]).toEqual([200, [2000]]);
  });

  test.each<[string, unknown, number, number]>([
    ['no members', {}, 400, 90],
    ['no card', { ProviderId: PROVIDER }, 400, 81],
    ['no provider', { PaymentInformation: CARD }, 400, 90],
    ['a malformed provider', { ...REQUEST, ProviderId: 'visa' }, 400, 39],
    ['a reserved provider', { ...REQUEST, ProviderId: RESERVED_PROVIDER_ID }, 400, 39],
    ['a wrong check digit', withCard({ CardNumber: '4111111111111112' }), 400, 5],
    ['a short number', withCard({ CardNumber: '41111111111' }), 400, 55],
    ['a malformed expiry', withCard({ ExpiryDate: '13/30' }), 400, 9],
    ['an expired card', withCard({ ExpiryDate: '12/25' }), 402, 14],
    ['a malformed Ccv', withCard({ Ccv: '12' }), 400, 6],
    ['a Ccv of the wrong length for the card', withCard({ Ccv: '1234' }), 400, 6],
    ['an unknown member', { ...REQUEST, Amount: 5 }, 400, 90],
    ['an unknown member of the card', withCard({ Cvv: '123' }), 400, 90],
  ])('refuses %s', async (_, body, status, code) => {
    const { a } = setup();
    const answer = await a.post('/_sandbox/tokens', body);
    expect([answer.status, answer.body['Code']]).toEqual([status, code]);
    expect(answer.text).not.toMatch(/41111111111/);
    expect(await a.read('/_sandbox/world')).toMatchObject({ Counts: { Tokens: 0 } });
  });

  test('warns of a number that is not a test card, or refuses it where only those are taken', async () => {
    const request = withCard({ CardNumber: '4012888888881881' });
    const warned = await setup().a.post('/_sandbox/tokens', request);
    expect(warned.status).toBe(200);
    expect(warningOf(warned)).toContain('not a published test card');
    const refused = await setup({ testCardsOnly: true }).a.post('/_sandbox/tokens', request);
    expect([refused.status, refused.body['Code']]).toEqual([400, 5]);
  });
});
