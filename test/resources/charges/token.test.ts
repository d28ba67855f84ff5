import { describe, expect } from 'vitest';
import { client, good, triggerOf } from '../../support/sandbox.js';
import { card, MINUTE, stateOf, token, withLiteral, without, wholeCharge } from './support.js';
import { AMOUNTS, NO_CAPTURE, NO_FUNDS, STEADY, UNKNOWN_ID } from '../../support/bodies.js';
import { expectRefused, textIn } from '../../support/stored.js';
import { setup, test } from '../../support/tests.js';

const TTL = 15 * MINUTE;

describe('POST /charge/token', () => {
  test('answers with the whole charge', async ({ api }) => {
    const Token = await token(api, { PaymentInformation: card({ Cardholder: 'Jo Smith' }) });
    const answer = await good(api.post('/charge/token', { Amount: 20, Token, Reference: 'order-1' }));
    expect(triggerOf(answer)).toBeNull();
    expect(answer.body).toEqual(
      wholeCharge({ Amount: 20, Reference: 'order-1', PaymentTokenId: Token }, 'Jo Smith'),
    );
  });

  test('charges through the provider of the token', async ({ api }) => {
    const Token = await token(api, { ProviderId: AMOUNTS });
    const answer = await api.post('/charge/token', { Amount: 10.51, Token });
    expectRefused(answer, 400, 15);
    expect(triggerOf(answer)).toBe('amount:10.51');
  });

  test('has no CcvCheck where the token was made without a Ccv', async ({ api }) => {
    const Token = await token(api, { PaymentInformation: card({ Ccv: null }) });
    const { body } = await api.post('/charge/token', { Amount: 1, Token });
    expect(body).toMatchObject({ PaymentInformation: { Card: { CcvCheck: null } } });
  });

  test.for(['Amount', 'Token'])('needs the field %s', async (member, { api }) => {
    const body = { Amount: 1, Token: 'tok_approve' };
    expectRefused(await api.post('/charge/token', without(body, member)), 400, 90, member);
    expectRefused(await api.post('/charge/token', withLiteral(body, member, 'null')), 400, 90, member);
  });

  test.for([
    ['empty', ''],
    ['blank', '  '],
    ['a number', 5],
    ['an object', {}],
    ['longer than 1024 characters', 'x'.repeat(1025)],
  ])('refuses a Token that is %s', async ([, Token], { api }) => {
    expectRefused(await api.post('/charge/token', { Amount: 1, Token }), 400, 90, 'Token');
  });
});

describe('a token', () => {
  test.for([
    UNKNOWN_ID,
    'abc',
    'TOK_APPROVE',
    'tok_',
    'tok_nonsense',
    'tok_approve|nonsense',
    'tok_used',
    'tok_expired',
  ])('%s cannot be charged', async (Token, { api }) => {
    const before = await stateOf(api);
    expectRefused(await api.post('/charge/token', { Amount: 1, Token }), 400, 51);
    expect(await stateOf(api)).toEqual(before);
  });

  test('is spent by its first charge', async ({ api }) => {
    const Token = await token(api);
    await good(api.post('/charge/token', { Amount: 1, Token }));
    const before = await stateOf(api);
    const again = await api.post('/charge/token', { Amount: 1, Token });
    expectRefused(again, 400, 51);
    expect(again.body['Message']).toContain('already used');
    expect(await stateOf(api)).toEqual(before);
  });

  test('is spent by an authorisation', async ({ api }) => {
    const Token = await token(api);
    const { body } = await api.post('/charge/token', { Amount: 1, Token, Capture: false });
    expect(body['Status']).toBe('Authorised');
    expectRefused(await api.post('/charge/token', { Amount: 1, Token }), 400, 51);
  });

  test('is spent by a declined charge', async ({ api }) => {
    const Token = await token(api, { PaymentInformation: card({ CardNumber: NO_FUNDS }) });
    const declined = await api.post('/charge/token', { Amount: 1, Token });
    expectRefused(declined, 400, 15);
    const charge = await api.get(`/charge/${textIn(declined, 'ChargeId')}`);
    expect(charge.body).toMatchObject({ Status: 'FAILED', PaymentTokenId: Token });
    expectRefused(await api.post('/charge/token', { Amount: 1, Token }), 400, 51);
  });

  test.for([
    ['a malformed Amount', { Amount: 'x' }],
    ['an Amount of zero', { Amount: 0 }],
    ['too many decimals', { Amount: 1.5, Currency: 'JPY' }],
    ['an unknown Currency', { Currency: 'ABC' }],
    ['a malformed Webhook', { Webhook: { Url: 'x' } }],
  ])('is not spent by a request that is refused for %s', async ([, more], { api }) => {
    const Token = await token(api);
    expect((await api.post('/charge/token', { Amount: 1, Token, ...more })).status).toBe(400);
    await good(api.post('/charge/token', { Amount: 1, Token }));
  });

  test('is not spent by a request that its provider cannot do', async ({ api }) => {
    const Token = await token(api, { ProviderId: NO_CAPTURE });
    expectRefused(await api.post('/charge/token', { Amount: 1, Token, Capture: false }), 400, 71);
    await good(api.post('/charge/token', { Amount: 1, Token }));
  });

  test('has expired at exactly 15 minutes', async ({ api }) => {
    const Token = await token(api);
    await api.advance(TTL);
    const answer = await api.post('/charge/token', { Amount: 1, Token });
    expectRefused(answer, 400, 51);
    expect(answer.body['Message']).toContain('expired');
  });

  test('lives as long as the sandbox’s option says', async () => {
    const { api } = setup({ tokenTtl: 1000 });
    const [early, late] = [await token(api), await token(api)];
    await api.advance(999);
    await good(api.post('/charge/token', { Amount: 1, Token: early }));
    await api.advance(1);
    expectRefused(await api.post('/charge/token', { Amount: 1, Token: late }), 400, 51);
  });

  test('expires while the wall clock runs', async () => {
    const { api, host } = setup({ clock: { mode: 'real' } });
    const [early, late] = [await token(api), await token(api)];
    host.wall += TTL - 1;
    await good(api.post('/charge/token', { Amount: 1, Token: early }));
    host.wall += 1;
    expectRefused(await api.post('/charge/token', { Amount: 1, Token: late }), 400, 51);
  });

  test('of a card that expires before the token is a refusal and stays', async () => {
    const { api } = setup({ tokenTtl: 60 * 86_400_000 });
    const Token = await token(api, { PaymentInformation: card({ ExpiryDate: '01/26' }) });
    await api.advance(31 * 86_400_000);
    const before = await stateOf(api);
    expectRefused(await api.post('/charge/token', { Amount: 1, Token }), 400, 14);
    expect(await stateOf(api)).toEqual(before);
  });
});

describe('a magic token', () => {
  test('is a fresh one each time', async ({ api }) => {
    for (let n = 0; n < 3; n++) {
      const { body } = await api.post('/charge/token', { Amount: 1, Token: 'tok_approve' });
      expect(body).toMatchObject({
        Status: 'SUCCESS',
        ProviderId: STEADY,
        PaymentTokenId: 'tok_approve',
        PaymentInformation: { Card: { CardNumber: '4111********1111', CcvCheck: null } },
      });
    }
  });

  test.for([
    ['tok_insufficient_funds', 400, 15],
    ['tok_do_not_honor', 400, 905],
    ['tok_incorrect_ccv', 400, 6],
    ['tok_expired_card', 400, 14],
    ['tok_tokenise_error', 400, 42],
    ['tok_retry_later', 400, 37],
    ['tok_provider_unavailable', 400, 34],
    ['tok_gateway_timeout', 400, 80],
    ['tok_exceeds_withdrawal_amount_limit', 400, 961],
  ])('%s is declined', async ([Token, status, code], { api }) => {
    const answer = await api.post('/charge/token', { Amount: 1, Token });
    expectRefused(answer, status, code);
    expect(triggerOf(answer)).toBe(`token:${Token}`);
    expect((await api.read(`/charge/${textIn(answer, 'ChargeId')}`))['Status']).toBe('FAILED');
  });

  test('with a list of outcomes gives one a call, and then the last again', async ({ api }) => {
    const Token = 'tok_issuer_unavailable|insufficient_funds|approve';
    const statuses: unknown[] = [];
    for (let n = 0; n < 4; n++) {
      const { body } = await api.post('/charge/token', { Amount: 1, Token });
      statuses.push(body['Code'] ?? body['Status']);
    }
    expect(statuses).toEqual([991, 15, 'SUCCESS', 'SUCCESS']);
  });

  test('with a list of outcomes is counted for each world alone', async ({ sandbox, api }) => {
    const Token = 'tok_issuer_unavailable|approve';
    for (const one of [api, client(sandbox, 'sk_test_b')])
      expectRefused(await one.post('/charge/token', { Amount: 1, Token }), 400, 991);
  });

  test.for([
    ['tok_unable_to_capture', 'POST', '', 47],
    ['tok_unable_to_void', 'DELETE', '/void', 48],
  ])('%s authorises and then fails', async ([Token, method, path, code], { api }) => {
    const made = await good(api.post('/charge/token', { Amount: 1, Token, Capture: false }));
    const url = `/charge/${textIn(made, 'ChargeId')}${path}`;
    expectRefused(await (method === 'POST' ? api.post(url, { Amount: 1 }) : api.del(url)), 400, code);
  });

  test('at storage stores the card with the outcome for later charges', async ({ api }) => {
    const names = { FirstName: 'Jo', LastName: 'Smith', Reference: 'r' };
    const made = await good(api.post('/customer/token', { ...names, Token: 'tok_insufficient_funds' }));
    const body = { Amount: 1, ProviderId: STEADY, CustomerId: textIn(made, 'CustomerId') };
    expectRefused(await api.post('/charge/customer', body), 400, 15);
  });
});
