import { Hono } from 'hono';

import { body } from '../http/validation.js';
import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { createFromBankAccount } from './bank-accounts.js';
import {
  CreateFromBankAccount,
  CreateFromPayTo,
  CreateFromProviderToken,
  CreateFromSingleUseToken,
} from './instrument-schema.js';
import { createFromPayTo } from './pay-to.js';
import { createFromProviderToken } from './provider-tokens.js';
import { answerMethod } from './routes.js';

const creates = operation('paymentMethod.create');

/** Payment methods that are no cards, or cards that only their provider knows. */
export function instrumentMethodRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/payment_method/bank_account', body(CreateFromBankAccount), creates, (c) =>
      answerMethod(c, createFromBankAccount(worldOf(c), c.req.valid('json'), c.get('exchange').override)),
    )
    .post('/payment_method/payto', body(CreateFromPayTo), creates, (c) =>
      answerMethod(c, createFromPayTo(worldOf(c), c.req.valid('json'), c.get('exchange').override)),
    )
    .post('/payment_method/provider_token', body(CreateFromProviderToken), creates, (c) =>
      answerMethod(c, createFromProviderToken(worldOf(c), c.req.valid('json'), c.get('exchange').override)),
    )
    .post('/payment_method/provider_single_use_token', body(CreateFromSingleUseToken), creates, (c) =>
      answerMethod(c, createFromProviderToken(worldOf(c), c.req.valid('json'), c.get('exchange').override)),
    );
}
