import { describe, expect, test } from 'vitest';

import { cardOf, STEADY, UNKNOWN_ID } from '../../support/bodies.js';
import { good } from '../../support/sandbox.js';
import { expectRefused } from '../../support/stored.js';
import { authenticate, CHALLENGE, NOTIFICATION_URL, setup, tokenOf, WORLD } from './support.js';

const pageOf = (id: string): string => `/_sandbox/3ds/${WORLD}/${id}`;

async function challenged() {
  const made = setup();
  const { id } = await authenticate(made.page, await tokenOf(made.shop, CHALLENGE));
  return { ...made, id };
}

describe('the page of a challenge', () => {
  test('needs no key, and other pages may frame it', async () => {
    const { keyless, id } = await challenged();
    const { status, text, headers } = await keyless.get(pageOf(id));
    expect(status).toBe(200);
    expect(text).toContain('4000********1133');
    expect(text).toContain('data-answer="approve"');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain('frame-ancestors *');
    expect(policy).toContain('form-action http: https:');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp');
  });

  test('shows the amount of the charge that waits for it', async () => {
    const { shop, keyless } = setup();
    const { body } = await good(
      shop.charge({
        Amount: '15.50',
        ProviderId: STEADY,
        PaymentInformation: cardOf(CHALLENGE),
        ThreeDSNotificationUrl: NOTIFICATION_URL,
      }),
    );
    const path = new URL(String(body['ThreeDsRedirectUrl'])).pathname;
    expect((await keyless.get(path)).text).toContain('AUD 15.50');
    const { body: answered } = await good(keyless.post(path, { Answer: 'approve' }));
    expect(answered).toMatchObject({ Status: 'PASSED', NotificationUrl: NOTIFICATION_URL });
    expect((await shop.read(`/charge/${String(body['ChargeId'])}`))['Status']).toBe('SUCCESS');
  });

  test.each([
    ['approve', 'PASSED', 'Y'],
    ['fail', 'FAILED', 'N'],
    ['abandon', 'FAILED', 'N'],
  ])(
    '%s: the shop is sent the result, and later answers change nothing',
    async (Answer, Status, transStatus) => {
      const { keyless, id } = await challenged();
      const { body } = await good(keyless.post(pageOf(id), { Answer }));
      expect(body).toMatchObject({ Status, NotificationUrl: NOTIFICATION_URL });
      const { cres, threeDSServerTransID } = body['Fields'] as Record<string, string>;
      expect(threeDSServerTransID).toBe(id);
      const result: unknown = JSON.parse(Buffer.from(cres ?? '', 'base64url').toString());
      expect(result).toMatchObject({ messageType: 'CRes', threeDSServerTransID: id, transStatus });
      expect((await good(keyless.post(pageOf(id), { Answer: 'approve' }))).body).toEqual(body);
      expect((await keyless.get(pageOf(id))).text).not.toContain('data-answer');
    },
  );

  test('says how the challenge stands, until time ends it', async () => {
    const { keyless, shop, id } = await challenged();
    const stands = async () => (await good(keyless.post(pageOf(id), {}))).body['Status'];
    expect(await stands()).toBe('CHALLENGED');
    await shop.advance('10m');
    expect(await stands()).toBe('FAILED');
  });

  test('that there is not is refused with code 59', async () => {
    const { keyless } = await challenged();
    expectRefused(await keyless.get(pageOf(UNKNOWN_ID)), 400, 59);
  });
});
