import { Hono } from 'hono';
import type * as z from 'zod';

import { body } from '../http/validation.js';
import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { ChargeBankAccount } from './bank-account-schema.js';
import { chargeBankAccount } from './bank-accounts.js';
import { type Act, answerCharge, overrideOf, toldBefore } from './routes.js';

const byBankAccount: Act<z.output<typeof ChargeBankAccount>> = (c, command) =>
  answerCharge(c, chargeBankAccount(worldOf(c), command, overrideOf(c)));

export function bankAccountRoutes(): Hono<Env> {
  return new Hono<Env>().post(
    '/charge/bank_account',
    body(ChargeBankAccount),
    operation('charge.create'),
    (c) => toldBefore(c, c.req.valid('json'), byBankAccount),
  );
}
