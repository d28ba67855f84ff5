import { describe, expect, test } from 'vitest';

import { cardOf, STEADY, UNKNOWN_ID, VISA } from '../../support/bodies.js';
import { good, triggerOf, type Client } from '../../support/sandbox.js';
import { expectRefused } from '../../support/stored.js';
import {
  authenticate,
  CHALLENGE,
  charge,
  expectDeclined,
  FAILED,
  FRICTIONLESS,
  NOTIFICATION_URL,
  setup,
  WORLD,
  tokenOf,
  UNAVAILABLE,
} from './support.js';

const simulate = (shop: Client, how: string, Ref: unknown) =>
  shop.post('/_sandbox/simulate', { Action: `challenge.${how}`, Ref });

describe('a page authenticates the payer of a token', () => {
  test('who is challenged and approves, and then the same token is charged', async () => {
    const { shop, page } = setup();
    const token = await tokenOf(shop, CHALLENGE);
    expectDeclined(await charge(shop, token), 113);
    const { id, begun, asked } = await authenticate(page, token);
    expect(begun).toMatchObject({
      threeDSServerTransID: id,
      threeDSAuthURL: 'http://localhost/3ds/auth',
      threeDSMethodAvailable: false,
    });
    expect(asked).toMatchObject({
      acsURL: `http://localhost/_sandbox/3ds/${WORLD}/${id}`,
      acsChallengeMandated: 'Y',
      transStatus: 'C',
      authenticationValue: null,
    });
    await good(simulate(shop, 'approve', id));
    const { body } = await good(page.post('/3ds/postauth', { threeDSServerTransID: id }));
    expect(body).toMatchObject({
      transStatus: 'Y',
      eci: '05',
      challengeCancel: null,
      interactionCounter: '01',
    });
    const paid = await good(charge(shop, token));
    expect(paid.body).toMatchObject({
      Status: 'SUCCESS',
      ThreeDSServerTransID: id,
      ThreeDsVerified: true,
      ThreeDsRedirectUrl: null,
    });
    expectRefused(await charge(shop, token), 400, 51);
  });

  test.each([
    ['fail', null, '01'],
    ['abandon', '01', null],
    ['timeOut', '04', null],
  ])('who ends the challenge with %s: the charge is declined with code 18', async (how, cancel, counter) => {
    const { shop, page } = setup();
    const token = await tokenOf(shop, CHALLENGE);
    const { id } = await authenticate(page, token);
    await good(simulate(shop, how, id));
    const { body } = await good(page.post('/3ds/postauth', { threeDSServerTransID: id }));
    expect(body).toMatchObject({ transStatus: 'N', challengeCancel: cancel, interactionCounter: counter });
    const refused = await charge(shop, token);
    expectDeclined(refused, 18);
    expect(triggerOf(refused)).toBe('3ds:failed');
    const stored = await shop.read(`/charge/${String(refused.body['ChargeId'])}`);
    expect(stored).toMatchObject({ Status: 'FAILED', ThreeDSServerTransID: id, ThreeDsVerified: false });
  });

  test('who approves although the token was charged too early', async () => {
    const { shop, page } = setup();
    const token = await tokenOf(shop, CHALLENGE);
    const { id } = await authenticate(page, token);
    expectDeclined(await charge(shop, token), 113);
    await good(simulate(shop, 'approve', id));
    expect((await good(charge(shop, token))).body).toMatchObject({ ThreeDSServerTransID: id });
  });

  test('who does not answer for ten minutes: the challenge fails by the clock', async () => {
    const { shop, page } = setup();
    const { id } = await authenticate(page, await tokenOf(shop, CHALLENGE));
    const read = async () =>
      (await good(page.post('/3ds/postauth', { threeDSServerTransID: id }))).body['transStatus'];
    await shop.advance('599s');
    expect(await read()).toBe('C');
    await shop.advance('1s');
    expect(await read()).toBe('N');
    expectRefused(await simulate(shop, 'approve', id), 409, 59);
  });

  test.each([
    [FRICTIONLESS, 'Y', 113, null, true],
    [FAILED, 'N', 113, 18, false],
    [UNAVAILABLE, 'U', null, null, false],
    [VISA, 'Y', null, null, true],
  ])('%s: the issuer says %s at once', async (card, transStatus, before, after, verified) => {
    const { shop, page } = setup();
    if (before !== null) expectDeclined(await charge(shop, await tokenOf(shop, card)), before);
    const token = await tokenOf(shop, card);
    const { asked } = await authenticate(page, token);
    expect(asked).toMatchObject({ transStatus, acsURL: null, acsChallengeMandated: 'N' });
    const charged = await charge(shop, token);
    if (after !== null) expectDeclined(charged, after);
    else expect(charged.body).toMatchObject({ Status: 'SUCCESS', ThreeDsVerified: verified });
  });

  test('of an ordinary card, which a rule demands: the payer is challenged', async () => {
    const { shop, page } = setup();
    await good(
      shop.play({
        name: 'strict',
        rules: [
          { when: { operation: 'charge.create', amount: { gt: 100 } }, then: { outcome: 'require_3ds' } },
        ],
      }),
    );
    const token = await tokenOf(shop, VISA);
    await good(page.post(`/3ds/preauth/token/${token}`, {}));
    expectDeclined(await charge(shop, token, { Amount: 101 }), 113);
    const { id, asked } = await authenticate(page, token);
    expect(asked['transStatus']).toBe('C');
    await good(simulate(shop, 'approve', id));
    expect((await good(charge(shop, token, { Amount: 101 }))).body['ThreeDsVerified']).toBe(true);
  });

  test('of a magic token, again for each charge', async () => {
    const { shop, page } = setup();
    const { id } = await authenticate(page, 'tok_require_3ds');
    await good(simulate(shop, 'approve', id));
    await good(charge(shop, 'tok_require_3ds'));
    expectDeclined(await charge(shop, 'tok_require_3ds'), 113);
  });

  test('and the charge is then decided by its provider', async () => {
    const { shop, page } = setup();
    const { id } = await authenticate(page, await tokenOf(shop, CHALLENGE));
    await good(simulate(shop, 'approve', id));
    const body = { Amount: '10.51', ProviderId: '00000000000000000000000000000002' };
    const PaymentInformation = cardOf(CHALLENGE);
    // The transaction of a token is for the token alone.
    expectRefused(await shop.charge({ ...body, PaymentInformation, ThreeDSServerTransID: id }), 400, 59);
    const begun = await good(page.post('/3ds/preauth', { AcctNumber: CHALLENGE }));
    const { threeDSServerTransID } = begun.body;
    await good(page.post('/3ds/auth', { threeDSServerTransID }));
    await good(simulate(shop, 'approve', threeDSServerTransID));
    const named = { ...body, PaymentInformation, ThreeDSServerTransID: threeDSServerTransID };
    expectDeclined(await shop.charge(named), 15);
    expectRefused(await shop.charge(named), 400, 59);
  });
});

describe('a charge with a ThreeDSNotificationUrl', () => {
  const body = (card: string, more: object = {}) => ({
    Amount: '15.50',
    ProviderId: STEADY,
    PaymentInformation: cardOf(card),
    ThreeDSNotificationUrl: NOTIFICATION_URL,
    ...more,
  });

  async function pending(more: object = {}) {
    const { shop, page } = setup();
    const { body: made } = await good(shop.charge(body(CHALLENGE, more)));
    const id = String(made['ThreeDSServerTransID']);
    return { shop, page, made, id, read: () => shop.read(`/charge/${String(made['ChargeId'])}`) };
  }

  test('waits for its payer, who approves', async () => {
    const { shop, made, id, read } = await pending();
    expect(made).toMatchObject({
      Status: 'PENDING',
      SuccessDate: null,
      ThreeDsVerified: false,
      ThreeDsRedirectUrl: `http://localhost/_sandbox/3ds/${WORLD}/${id}`,
    });
    expectRefused(
      await shop.post('/_sandbox/simulate', { Action: 'charge.settle', Ref: made['ChargeId'] }),
      409,
      54,
    );
    await good(simulate(shop, 'approve', id));
    expect(await read()).toMatchObject({
      Status: 'SUCCESS',
      ThreeDsVerified: true,
      ThreeDsRedirectUrl: null,
    });
  });

  test('is authorised then, where it was to be authorised only, and expires like any other', async () => {
    const { shop, id, read } = await pending({ Capture: false });
    expect(await read()).toMatchObject({ Status: 'PENDING', AuthorisationAmount: null });
    await good(simulate(shop, 'approve', id));
    expect(await read()).toMatchObject({ Status: 'Authorised', AuthorisationAmount: 15.5 });
    await shop.advance('8d');
    expect((await read())['Status']).toBe('AUTHORISE_CANCELLED');
  });

  test.each(['fail', 'abandon', 'timeOut'])('fails where the challenge ends with %s', async (how) => {
    const { shop, id, read } = await pending();
    await good(simulate(shop, how, id));
    expect(await read()).toMatchObject({
      Status: 'FAILED',
      ThreeDsVerified: false,
      FailedAttempts: [{ ErrorMessage: '3D Secure failed' }],
    });
  });

  test('fails if nobody answers in time, and sends webhooks', async () => {
    const Webhook = { Url: 'http://localhost:9/hook' };
    const { shop, made, read } = await pending({ Webhook });
    await shop.advance('10m');
    expect((await read())['Status']).toBe('FAILED');
    const { body: sent } = await good(shop.get('/_sandbox/webhooks'));
    expect(JSON.stringify(sent)).toContain(String(made['ChargeId']));
  });

  test.each([
    [FRICTIONLESS, null, true],
    [FAILED, 18, null],
    [UNAVAILABLE, null, false],
    [VISA, null, false],
  ])('of %s is decided at once', async (card, code, verified) => {
    const { shop } = setup();
    const answer = await shop.charge(body(card));
    if (code === null) expect(answer.body).toMatchObject({ Status: 'SUCCESS', ThreeDsVerified: verified });
    else expectDeclined(answer, code);
  });
});

describe('a transaction', () => {
  test.each([
    ['/3ds/auth', { threeDSServerTransID: UNKNOWN_ID }],
    ['/3ds/postauth', { threeDSServerTransID: UNKNOWN_ID }],
    ['/3ds/auth/token/tok_approve', {}],
    ['/3ds/auth/token/tok_approve', { threeDSServerTransID: UNKNOWN_ID }],
  ])('that is unknown is refused with code 59: %s', async (path, body) => {
    const { page } = setup();
    expectRefused(await page.post(path, body), 400, 59);
  });

  test('that is unknown is refused with code 59 by a charge, and nothing is stored', async () => {
    const { shop } = setup();
    const body = { Amount: 5, ProviderId: STEADY, PaymentInformation: cardOf() };
    expectRefused(await shop.charge({ ...body, ThreeDSServerTransID: UNKNOWN_ID }), 400, 59);
    expect((await shop.read('/charge'))['Count']).toBe(0);
  });

  test('of a token that there is not is refused with code 51', async () => {
    const { page } = setup();
    expectRefused(await page.post('/3ds/preauth/token/nothing', {}), 400, 51);
  });

  test('is answered in the same spelling in both dialects', async () => {
    const { page, shop } = setup();
    const documented = await good(page.post('/3ds/preauth', { AcctNumber: VISA }));
    const sdk = await good(shop.post('/3ds/preauth', { acctNumber: VISA }, { 'x-sandbox-dialect': 'sdk' }));
    expect(Object.keys(sdk.body)).toEqual(Object.keys(documented.body));
  });

  test('goes on after a restore', async () => {
    const { shop, page } = setup();
    const token = await tokenOf(shop, CHALLENGE);
    const { id } = await authenticate(page, token);
    const waiting = await good(
      shop.charge({
        Amount: 5,
        ProviderId: STEADY,
        PaymentInformation: cardOf(CHALLENGE),
        ThreeDSNotificationUrl: NOTIFICATION_URL,
      }),
    );
    const { text } = await good(shop.get('/_sandbox/state'));
    await good(shop.post('/_sandbox/reset'));
    await good(shop.put('/_sandbox/state', text));
    await good(simulate(shop, 'approve', id));
    expect((await good(charge(shop, token))).body['ThreeDsVerified']).toBe(true);
    await shop.advance('10m');
    const left = await shop.read(`/charge/${String(waiting.body['ChargeId'])}`);
    expect(left).toMatchObject({ Status: 'FAILED' });
  });
});
