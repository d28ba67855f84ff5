import { Hono } from 'hono';

import { body } from '../wire/body.js';
import { type Env, worldOf } from '../wire/exchange.js';
import { operation } from '../wire/operation.js';
import { ChargeBankAccount } from './bank-account-contract.js';
import { chargeBankAccount } from './bank-accounts.js';
import { answerCharge, overrideOf } from './routes.js';

export function bankAccountRoutes(): Hono<Env> {
  return new Hono<Env>().post(
    '/charge/bank_account',
    body(ChargeBankAccount),
    operation('charge.create'),
    (c) => answerCharge(c, chargeBankAccount(worldOf(c), c.req.valid('json'), overrideOf(c))),
  );
}
