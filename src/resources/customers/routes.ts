import { CODE } from '../../core/errors.js';
import { requireWorld } from '../../http/exchange.js';
import { LIMIT_MAX } from '../../http/fields/list-fields.js';
import { type AnyRow, type RefusalCode, route, type Section } from '../../http/route.js';
import { presentStoredSource, buildReadRow, buildSearchRow } from '../../http/answers/rows.js';
import * as sources from '../payment-methods/prepare.js';
import { presentMethod } from '../payment-methods/presenter.js';
import type { CardData } from '../../records/payment-method.js';
import {
  NEW_METHOD,
  checkThenPrepare,
  presentStored,
  type SourceRow,
  TOKEN_ERRORS,
} from '../payment-methods/routes.js';
import { AddBankAccount, AddCard, AddPayTo, AddToken } from '../payment-methods/schema.js';
import { CARD_ERRORS } from '../tokens/routes.js';
import { presentCustomer } from './presenter.js';
import * as schema from './schema.js';
import { searchCustomers } from './search.js';
import * as service from './service.js';

const CUSTOMER_ERRORS: readonly RefusalCode[] = [CODE.InvalidCustomerId, CODE.InvalidCustomerIdRemoved];

const NEW_CUSTOMER = {
  method: 'post',
  operation: 'customer.create',
  response: schema.CustomerResponse,
  webhooks: ['paymentMethod.created', 'customer.created'],
  asksProvider: true,
} as const;

export const CUSTOMERS: Section = {
  tag: 'Customers',
  text: 'Customers and their payment methods. A removed customer can still be read.',
  rows: [
    customerRow({
      path: '/customer/card',
      id: 'createCustomerFromCard',
      summary: 'Create a customer with a card',
      text: 'The provider stores the card, and it becomes the default payment method. With VaultCard it is also stored in the vault.',
      body: schema.CreateFromCard,
      errors: CARD_ERRORS,
      prepare: sources.prepareCard,
    }),
    customerRow({
      path: '/customer/token',
      id: 'createCustomerFromToken',
      summary: 'Create a customer from a token',
      text: 'The token is used up. Its card becomes the default payment method.',
      body: schema.CreateFromToken,
      errors: TOKEN_ERRORS,
      prepare: sources.prepareToken,
    }),
    customerRow({
      path: '/customer/bank_account',
      id: 'createCustomerFromBankAccount',
      summary: 'Create a customer with a bank account',
      text: 'The account becomes the default payment method.',
      body: schema.CreateFromBankAccount,
      errors: [CODE.InvalidProviderId],
      prepare: sources.prepareBankAccount,
    }),
    customerRow({
      path: '/customer/payto',
      id: 'createCustomerFromPayTo',
      summary: 'Create a customer with a PayTo agreement',
      text: 'The agreement becomes the default payment method. It can be charged once the payer has approved it.',
      body: schema.CreateFromPayTo,
      errors: [CODE.InvalidProviderId],
      prepare: sources.preparePayTo,
    }),
    customerRow({
      path: '/customer/provider_token',
      id: 'createCustomerFromProviderToken',
      summary: 'Create a customer from a provider’s stored token',
      text: 'The provider has already stored the card; ProviderToken is the provider’s identifier of it.',
      body: schema.CreateFromProviderToken,
      errors: [CODE.InvalidOrExpiredToken],
      prepare: sources.prepareProviderToken,
    }),
    customerRow({
      path: '/customer/provider_single_use_token',
      id: 'createCustomerFromSingleUseToken',
      summary: 'Create a customer from a provider’s single-use token',
      text: 'The token can be used once, at the provider that issued it.',
      body: schema.CreateFromSingleUseToken,
      errors: [CODE.InvalidOrExpiredToken],
      prepare: sources.prepareProviderToken,
    }),
    buildSearchRow({
      path: '/customer',
      id: 'searchCustomers',
      operation: 'customer.search',
      summary: 'Search customers',
      text: 'Returns the customers that match every filter, newest first by default. Removed customers are returned only with IncludeRemoved.',
      query: schema.SearchCustomers,
      list: 'Customers',
      item: schema.CustomerResponse,
      search: searchCustomers,
      present: presentCustomer,
    }),
    buildReadRow({
      path: '/customer/{id}',
      id: 'getCustomer',
      operation: 'customer.read',
      summary: 'Read a customer',
      text: 'A removed customer can be read too; its e-mail address and phone number are then "deleted".',
      response: schema.CustomerResponse,
      errors: [CODE.InvalidCustomerId],
      find: service.requireKnownCustomer,
      present: presentCustomer,
    }),
    route({
      method: 'put',
      path: '/customer/{id}',
      id: 'updateCustomer',
      operation: 'customer.update',
      summary: 'Change a customer',
      text: 'Fields that are left out stay unchanged.',
      body: schema.UpdateCustomer,
      response: schema.CustomerResponse,
      errors: [
        ...CUSTOMER_ERRORS,
        CODE.InvalidPaymentMethodId,
        CODE.InvalidPaymentMethodIdRemoved,
        CODE.InvalidPaymentMethod,
      ],
      webhooks: ['customer.updated'],
      find: service.requireCustomer,
      handle: (c, { params, body }) =>
        presentCustomer(requireWorld(c), service.updateCustomer(requireWorld(c), params.id, body)),
    }),
    route({
      method: 'delete',
      path: '/customer/{id}',
      id: 'removeCustomer',
      operation: 'customer.remove',
      summary: 'Remove a customer and its payment methods',
      text: 'The customer’s charges stay.',
      response: schema.CustomerResponse,
      errors: CUSTOMER_ERRORS,
      webhooks: ['paymentMethod.removed', 'customer.removed'],
      find: service.requireCustomer,
      handle: (c, { params }) =>
        presentCustomer(requireWorld(c), service.removeCustomer(requireWorld(c), params.id)),
    }),
    route({
      method: 'get',
      path: '/customer/{id}/payment_method',
      id: 'getCustomerPaymentMethods',
      operation: 'paymentMethod.search',
      summary: 'List a customer’s payment methods',
      text: 'Returns a JSON array, newest first, without removed payment methods.',
      response: schema.CustomerMethods,
      errors: [CODE.InvalidCustomerId],
      find: service.requireKnownCustomer,
      // The list has no pages, so it has its own limit.
      handle: (c, { params }) => {
        const world = requireWorld(c);
        const { found, count } = service.listMethods(world, params.id, LIMIT_MAX);
        if (count > found.length) {
          c.get('exchange').warnings.push(
            `the customer has ${count} payment methods, and only the newest ${LIMIT_MAX} are returned; use GET /payment_method to page through all of them`,
          );
        }
        return found.map((method) => presentMethod(world, method));
      },
    }),
    addedMethodRow({
      path: '/customer/{id}/payment_method/card',
      id: 'addCard',
      summary: 'Add a card to a customer',
      text: 'With SetDefault it becomes the customer’s default payment method.',
      body: AddCard,
      errors: [...CARD_ERRORS, ...CUSTOMER_ERRORS],
      prepare: sources.prepareCard,
    }),
    addedMethodRow({
      path: '/customer/{id}/payment_method/token',
      id: 'addToken',
      summary: 'Add a card to a customer from a token',
      text: 'The token is used up. With SetDefault its card becomes the customer’s default payment method.',
      body: AddToken,
      errors: [...TOKEN_ERRORS, ...CUSTOMER_ERRORS],
      prepare: sources.prepareToken,
    }),
    addedMethodRow({
      path: '/customer/{id}/payment_method/payto',
      id: 'addPayTo',
      summary: 'Add a PayTo agreement to a customer',
      text: 'With SetDefault it becomes the customer’s default payment method.',
      body: AddPayTo,
      errors: [...CUSTOMER_ERRORS, CODE.InvalidProviderId],
      prepare: sources.preparePayTo,
    }),
    addedMethodRow({
      path: '/customer/{id}/bank_account',
      id: 'addBankAccount',
      summary: 'Add a bank account to a customer',
      text: 'With SetDefault it becomes the customer’s default payment method.',
      body: AddBankAccount,
      errors: [...CUSTOMER_ERRORS, CODE.InvalidProviderId],
      prepare: sources.prepareBankAccount,
    }),
  ],
};

function customerRow<C extends { readonly card?: CardData; readonly details: service.CustomerDetails }>({
  prepare,
  ...row
}: SourceRow<C> & { readonly path: string }): AnyRow {
  return route({
    ...NEW_CUSTOMER,
    ...row,
    handle: (c, { body }) => {
      const made = service.createCustomer(requireWorld(c), body.details, checkThenPrepare(c, body, prepare));
      return presentStoredSource(c, made, presentCustomer, 'no customer was created');
    },
  });
}

function addedMethodRow<C extends service.AddMethodInput & { readonly card?: CardData }>({
  prepare,
  ...row
}: SourceRow<C> & { readonly path: `/customer/{id}/${string}` }): AnyRow {
  return route({
    ...NEW_METHOD,
    ...row,
    find: service.requireCustomer,
    handle: (c, { params, body }) =>
      presentStored(
        c,
        service.addMethod(requireWorld(c), params.id, body, checkThenPrepare(c, body, prepare)),
      ),
  });
}
