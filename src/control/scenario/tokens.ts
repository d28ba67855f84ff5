import { Hono } from 'hono';
import * as z from 'zod';

import { formatInstant } from '../../core/time.js';
import type { Token } from '../../tokens/record.js';
import { presentToken } from '../../tokens/presenter.js';
import { presentTokenised } from '../../tokens/routes.js';
import type { TokenWithExpiryResponse } from '../../tokens/schema.js';
import type { TokeniseCommand } from '../../tokens/tokenise.js';
import { body } from '../../http/validation.js';
import { paymentInformation } from '../../http/card-fields.js';
import type { Env } from '../../http/exchange.js';
import { providerId } from '../../http/fields.js';
import { operation } from '../../http/operation.js';
import { sendJson } from '../../http/respond.js';
import type { World } from '../../world.js';
import { plain, STRICT } from '../plain.js';

export const CreateToken = z
  .object({ ProviderId: providerId(), PaymentInformation: paymentInformation() })
  .transform(({ ProviderId, PaymentInformation }): TokeniseCommand => ({
    providerId: ProviderId,
    card: PaymentInformation,
    vault: { wanted: false, expiry: { seconds: null, instant: null } },
    ip: null,
    metadata: null,
  }));

/** The token that a page would have made, for tests without one. */
export function sandboxTokenRoutes(): Hono<Env> {
  return new Hono<Env>()
    .basePath('/_sandbox')
    .post('/tokens', plain, body(CreateToken, STRICT), operation('token.create'), (c) => {
      const made = presentTokenised(c, c.req.valid('json'), presentWithExpiry);
      return made instanceof Promise ? made : sendJson(c, made);
    });
}

/** A token as its page gets it, and when it ends: that the service does not say. */
export function presentWithExpiry(world: World, token: Token): TokenWithExpiryResponse {
  return { ...presentToken(world, token), ExpiresAt: formatInstant(token.expires) };
}
