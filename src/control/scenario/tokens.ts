import { CODE } from '../../core/errors.js';
import { formatInstant } from '../../core/time.js';
import type { Token } from '../../tokens/record.js';
import { presentToken } from '../../tokens/presenter.js';
import { presentTokenised } from '../../tokens/routes.js';
import { TokenWithExpiryResponse } from '../../tokens/schema.js';
import type { TokeniseCommand } from '../../tokens/service.js';
import { paymentInformation } from '../../http/card-fields.js';
import { request } from '../../http/field.js';
import { providerId } from '../../http/fields.js';
import { route } from '../../http/route.js';
import type { World } from '../../world.js';

const CreateToken = request(
  () => ({ ProviderId: providerId(), PaymentInformation: paymentInformation() }),
  ({ ProviderId, PaymentInformation }): TokeniseCommand => ({
    providerId: ProviderId,
    card: PaymentInformation,
    vault: { wanted: false, expiry: { seconds: null, instant: null } },
    ip: null,
    metadata: null,
  }),
);

/** The token that a page would have made, for tests without one. */
export const TOKEN_ROW = route({
  method: 'post',
  path: '/_sandbox/tokens',
  id: 'createSandboxToken',
  operation: 'token.create',
  summary: 'Make the token that a page would have made',
  body: CreateToken,
  response: TokenWithExpiryResponse,
  errors: [CODE.ExpiredCard, CODE.InvalidPaymentInformation],
  asksProvider: true,
  handle: (c, { body }) => presentTokenised(c, body, presentWithExpiry),
});

/** A token as its page gets it, and when it ends: that the service does not say. */
export function presentWithExpiry(world: World, token: Token): TokenWithExpiryResponse {
  return { ...presentToken(world, token), ExpiresAt: formatInstant(token.expires) };
}
