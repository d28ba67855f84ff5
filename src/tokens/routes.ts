import { type Context, Hono } from 'hono';

import type { ProviderAnswer } from '../providers/provider.js';
import { body } from '../wire/body.js';
import { type Env, worldOf } from '../wire/exchange.js';
import { operation } from '../wire/operation.js';
import { requireMade, respondOutcome } from '../wire/respond.js';
import type { Token } from './model.js';
import { CreatePayToToken } from './pay-to-contract.js';
import { tokenisePayTo } from './pay-to.js';
import { presentToken } from './presenter.js';

export function tokenRoutes(): Hono<Env> {
  return new Hono<Env>().post('/token/payto', body(CreatePayToToken), operation('token.create'), (c) =>
    answerToken(c, tokenisePayTo(worldOf(c), c.req.valid('json'), c.get('exchange').override)),
  );
}

function answerToken(
  c: Context<Env>,
  { token, answer }: { readonly token: Token | null; readonly answer: ProviderAnswer },
): Response | Promise<Response> {
  const detail = 'The provider did not take what was sent; no token was made.';
  return respondOutcome(
    c,
    answer,
    () => presentToken(worldOf(c), requireMade(token)),
    () => ({ detail }),
  );
}
