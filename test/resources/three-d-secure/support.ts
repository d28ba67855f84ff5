import { deriveWorldName } from '../../../src/core/keys.js';
import { requireErrorRow } from '../../../src/core/errors.js';
import { cardOf, STEADY } from '../../support/bodies.js';
import { type Answer, client, type Client, good, testSandbox } from '../../support/sandbox.js';
import { expectRefused } from '../../support/stored.js';

/** The published cards of 3-D Secure. */
export const CHALLENGE = '4000000000001133';
export const FRICTIONLESS = '4000000000002701';
export const FAILED = '4000000000002925';
export const UNAVAILABLE = '4000000000002313';

/** The name of the world of the shop. */
export const WORLD = deriveWorldName('sk_test_a');
const PUBLIC = { 'x-publickey': 'pk_test_a' };
export const NOTIFICATION_URL = 'https://shop.example/3ds';

/** A shop with its secret key, and a page of its checkout with the public one. */
export function setup(options: Parameters<typeof testSandbox>[0] = {}) {
  const sandbox = testSandbox(options);
  const shop = client(sandbox);
  const keyless = client(sandbox, null);
  const page = { post: (path: string, body: object) => keyless.post(path, body, PUBLIC) };
  return { sandbox, shop, page, keyless };
}

export type Page = ReturnType<typeof setup>['page'];

/** A token of a card, as a page makes it. */
export async function tokenOf(shop: Client, CardNumber: string): Promise<string> {
  const body = { ProviderId: STEADY, PaymentInformation: cardOf(CardNumber) };
  return String((await good(shop.post('/_sandbox/tokens', body))).body['TokenId']);
}

/** Begins the authentication of a token, and asks its issuer. */
export async function authenticate(page: Page, token: string) {
  const begun = await good(page.post(`/3ds/preauth/token/${token}`, {}));
  const threeDSServerTransID = String(begun.body['threeDSServerTransID']);
  const asked = await good(
    page.post(`/3ds/auth/token/${token}`, { threeDSServerTransID, notificationURL: NOTIFICATION_URL }),
  );
  return { id: threeDSServerTransID, begun: begun.body, asked: asked.body };
}

export const charge = (shop: Client, Token: string, more: object = {}) =>
  shop.post('/charge/token', { Amount: '15.50', Token, ...more });

/** A charge that was declined, with the code's own status. */
export const expectDeclined = (answer: Answer, code: number) =>
  expectRefused(answer, requireErrorRow(code).httpStatus, code);
