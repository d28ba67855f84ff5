import { Hono } from 'hono';

import { AddBankAccount, AddPayTo } from '../payment-methods/instrument-schema.js';
import { answerMethod } from '../payment-methods/routes.js';
import { body } from '../http/validation.js';
import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import {
  CreateFromBankAccount,
  CreateFromPayTo,
  CreateFromProviderToken,
  CreateFromSingleUseToken,
} from './instrument-schema.js';
import {
  addBankAccount,
  addPayTo,
  createFromBankAccount,
  createFromPayTo,
  createFromProviderToken,
} from './instruments.js';
import { answerCustomer } from './routes.js';

const creates = operation('customer.create');
const adds = operation('paymentMethod.create');

/** Customers whose payment methods are no cards, or cards that only their provider knows. */
export function instrumentCustomerRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/customer/bank_account', body(CreateFromBankAccount), creates, (c) =>
      answerCustomer(c, createFromBankAccount(worldOf(c), c.req.valid('json'), c.get('exchange').override)),
    )
    .post('/customer/payto', body(CreateFromPayTo), creates, (c) =>
      answerCustomer(c, createFromPayTo(worldOf(c), c.req.valid('json'), c.get('exchange').override)),
    )
    .post('/customer/provider_token', body(CreateFromProviderToken), creates, (c) =>
      answerCustomer(c, createFromProviderToken(worldOf(c), c.req.valid('json'), c.get('exchange').override)),
    )
    .post('/customer/provider_single_use_token', body(CreateFromSingleUseToken), creates, (c) =>
      answerCustomer(c, createFromProviderToken(worldOf(c), c.req.valid('json'), c.get('exchange').override)),
    )
    .post('/customer/:id/bank_account', body(AddBankAccount), adds, (c) => {
      const { override } = c.get('exchange');
      return answerMethod(c, addBankAccount(worldOf(c), c.req.param('id'), c.req.valid('json'), override));
    })
    .post('/customer/:id/payment_method/payto', body(AddPayTo), adds, (c) => {
      const { override } = c.get('exchange');
      return answerMethod(c, addPayTo(worldOf(c), c.req.param('id'), c.req.valid('json'), override));
    });
}
