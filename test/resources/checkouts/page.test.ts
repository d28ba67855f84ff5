import { describe, expect, test } from 'vitest';

import { STEADY, UNKNOWN_ID } from '../../support/bodies.js';
import { good } from '../../support/sandbox.js';
import { expectRefused, textIn } from '../../support/stored.js';
import { begin, BEGIN, beginCharged, setup } from './support.js';

const PUBLIC = { 'x-publickey': 'pk_test_a' };
const pathOf = (url: string): string => new URL(url).pathname;

describe('the page of a wallet', () => {
  test('needs no key, shows what is to be paid, and other pages may frame it', async () => {
    const { api, keyless } = setup();
    const { url } = await beginCharged(api);
    const { status, text, headers } = await keyless.get(pathOf(url));
    expect(status).toBe(200);
    expect(text).toContain('PAYPAL');
    expect(text).toContain('AUD 15.50');
    expect(text).toContain('<b>shop.example</b>');
    expect(text).toContain('data-answer="decline"');
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
  });

  test.each([
    ['approve', 'APPROVED', 'SUCCESS'],
    ['decline', 'DECLINED', 'FAILED'],
  ])(
    '%s: the payer returns with the identifiers, and later answers change nothing',
    async (Answer, ...ended) => {
      const { api, keyless } = setup();
      const { id, externalId, url, charge } = await beginCharged(api);
      const [Status, ChargeStatus] = ended;
      const { body } = await good(keyless.post(pathOf(url), { Answer }));
      expect(body).toEqual({
        Status,
        ChargeStatus,
        ReturnUrl: `https://shop.example/back?order=7&checkoutId=${id}&externalId=${externalId}&chargeId=${charge}`,
        Fields: { checkoutId: id, externalId, chargeId: charge },
      });
      expect((await good(keyless.post(pathOf(url), { Answer: 'approve' }))).body).toEqual(body);
      expect((await keyless.get(pathOf(url))).text).not.toContain('data-answer');
    },
  );

  test('says how the check-out stands, until it expires', async () => {
    const { api, keyless } = setup();
    const { url } = await begin(api, { RedirectUrl: undefined });
    const stands = async () => (await good(keyless.post(pathOf(url), {}))).body;
    expect(await stands()).toMatchObject({ Status: 'PENDING', ChargeStatus: null, ReturnUrl: null });
    await api.advance('30m');
    expect(await stands()).toMatchObject({ Status: 'EXPIRED' });
  });

  test('of a check-out that does not exist is refused with code 50', async () => {
    const { keyless, world } = setup();
    expectRefused(await keyless.get(`/_sandbox/wallet/${world.keyHash}/${UNKNOWN_ID}`), 404, 50);
  });
});

describe('a public key', () => {
  test('begins a check-out, which the secret key charges', async () => {
    const { api, keyless } = setup();
    const begun = await good(keyless.post('/checkout', BEGIN, PUBLIC));
    const made = await good(api.post('/charge/checkout', { CheckoutId: textIn(begun, 'CheckoutId') }));
    expect(made.body).toMatchObject({ Status: 'PENDING_CHECKOUT', ProviderId: STEADY });
  });

  test('begins one with its charge, as addCheckout of the page script does, and reads none', async () => {
    const { api, keyless } = setup();
    const { body } = await good(keyless.post('/charge/checkout', BEGIN, PUBLIC));
    expect(await api.read(`/charge/${String(body['ChargeId'])}`)).toMatchObject({
      Status: 'PENDING_CHECKOUT',
    });
    expectRefused(await keyless.get(`/checkout/${String(body['CheckoutId'])}`, PUBLIC), 401, 40);
    expectRefused(await keyless.post('/payment_method/checkout', {}, PUBLIC), 401, 40);
  });
});
