import { describe, expect, test } from 'vitest';

import { RESERVED_PROVIDER_ID } from '../../../src/outcomes/built-in.js';
import type { InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { asking, client, good, testSandbox, triggerOf, warningOf } from '../../support/sandbox.js';
import { AN_ID, cardOf, expectRefused, NOW, SHOWN_CARD, STEADY, storing } from '../../support/stored.js';

const CARD = { ...cardOf(), Cardholder: 'Ada Byron' };
const REQUEST = storing({ PaymentInformation: CARD });

function setup(options?: InnerSandboxOptions) {
  const sandbox = testSandbox(options);
  return { a: client(sandbox), host: sandbox.host };
}

const withCard = (card: object): object => storing({ PaymentInformation: { ...CARD, ...card } });

describe('POST /_sandbox/tokens', () => {
  test('answers a token and the masked card', async () => {
    const { body, text } = await good(setup().a.post('/_sandbox/tokens', REQUEST));
    expect(body).toMatchObject({
      TokenId: AN_ID,
      ProviderId: STEADY,
      DateAdded: NOW,
      ExpiresAt: '2026-01-01T00:15:00.000Z',
      Type: 'CARD',
      PayToStatus: null,
      Card: { ...SHOWN_CARD, Cardholder: 'Ada Byron' },
    });
    expect(text).not.toContain('4111111111111111');
    expect(text).not.toContain('Ccv":"');
  });

  test('makes what can be charged once, with its card, provider and Ccv', async () => {
    const { a } = setup();
    const Token = (await a.post('/_sandbox/tokens', REQUEST)).body['TokenId'];
    const charged = await a.post('/charge/token', { Amount: 5, Token });
    expect(charged.body).toMatchObject({
      Status: 'SUCCESS',
      ProviderId: STEADY,
      PaymentTokenId: Token,
      PaymentInformation: { Card: { CardNumber: '4111********1111', CcvCheck: true } },
    });
    expectRefused(await a.post('/charge/token', { Amount: 5, Token }), 400, 51);
  });

  test('makes tokens that belong to the key', async () => {
    const sandbox = testSandbox();
    const { body } = await client(sandbox, 'sk_test_a').post('/_sandbox/tokens', REQUEST);
    const charge = { Amount: 5, Token: body['TokenId'] };
    expect((await client(sandbox, 'sk_test_b').post('/charge/token', charge)).status).toBe(400);
  });

  test('lives as long as the sandbox’s option says', async () => {
    const { body } = await setup({ tokenTtl: 1500 }).a.post('/_sandbox/tokens', REQUEST);
    expect(body['ExpiresAt']).toBe('2026-01-01T00:00:01.500Z');
  });

  test('takes cards that only fail when they are charged', async () => {
    const { a } = setup();
    const made = await good(a.post('/_sandbox/tokens', withCard({ CardNumber: '4000000000009995' })));
    expectRefused(await a.post('/charge/token', { Amount: 5, Token: made.body['TokenId'] }), 400, 15);
  });

  test('answers the card that cannot be tokenised with 400 code 42 and makes nothing', async () => {
    const { a } = setup();
    const answer = await a.post('/_sandbox/tokens', withCard({ CardNumber: '4000000000000424' }));
    expectRefused(answer, 400, 42);
    expect(answer.body['GatewayMessage']).toBe('Tokenise card error');
    expect(answer.body).not.toHaveProperty('ChargeId');
    expect(triggerOf(answer)).toBe('card:4000000000000424');
    expect(await a.read('/_sandbox/world')).toMatchObject({ Counts: { Tokens: 0, QueuedJobs: 0 } });
  });

  test.each([
    ['tokenise_error', 400, 42],
    ['provider_unavailable', 400, 34],
    ['gateway_timeout', 400, 80],
    ['retry_later', 400, 37],
    ['insufficient_funds', 400, 15],
  ])('answers as x-sandbox-outcome: %s asks, with %d code %d', async (outcome, status, code) => {
    const { a } = setup();
    const answer = await a.post('/_sandbox/tokens', REQUEST, asking(outcome));
    expectRefused(answer, status, code);
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
    ['no card', { ProviderId: STEADY }, 400, 81],
    ['no provider', { PaymentInformation: CARD }, 400, 90],
    ['a malformed provider', { ...REQUEST, ProviderId: 'visa' }, 400, 39],
    ['a reserved provider', { ...REQUEST, ProviderId: RESERVED_PROVIDER_ID }, 400, 39],
    ['a wrong check digit', withCard({ CardNumber: '4111111111111112' }), 400, 5],
    ['a short number', withCard({ CardNumber: '41111111111' }), 400, 55],
    ['a malformed expiry', withCard({ ExpiryDate: '13/30' }), 400, 9],
    ['an expired card', withCard({ ExpiryDate: '12/25' }), 400, 14],
    ['a malformed Ccv', withCard({ Ccv: '12' }), 400, 6],
    ['a Ccv of the wrong length for the card', withCard({ Ccv: '1234' }), 400, 6],
    ['an unknown field', { ...REQUEST, Amount: 5 }, 400, 90],
    ['an unknown member of the card', withCard({ Cvv: '123' }), 400, 90],
  ])('refuses %s', async (_, body, status, code) => {
    const { a } = setup();
    const answer = await a.post('/_sandbox/tokens', body);
    expectRefused(answer, status, code);
    expect(answer.text).not.toMatch(/41111111111/);
    expect(await a.read('/_sandbox/world')).toMatchObject({ Counts: { Tokens: 0 } });
  });

  test('warns of a number that is not a test card, or refuses it if only those are accepted', async () => {
    const request = withCard({ CardNumber: '4012888888881881' });
    const warned = await setup().a.post('/_sandbox/tokens', request);
    expect(warned.status).toBe(200);
    expect(warningOf(warned)).toContain('not a published test card');
    const refused = await setup({ testCardsOnly: true }).a.post('/_sandbox/tokens', request);
    expectRefused(refused, 400, 5);
  });
});
