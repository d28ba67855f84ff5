import * as z from 'zod';

import { CODE } from '../core/errors.js';
import { AddCard, AddToken, UpdateCustomer } from '../customers/change-schema.js';
import {
  CreateFromCard as CustomerFromCard,
  CreateFromToken as CustomerFromToken,
} from '../customers/schema.js';
import {
  CreateFromBankAccount as CustomerFromBankAccount,
  CreateFromPayTo as CustomerFromPayTo,
  CreateFromProviderToken as CustomerFromProviderToken,
  CreateFromSingleUseToken as CustomerFromSingleUseToken,
} from '../customers/instrument-schema.js';
import { SearchCustomers } from '../customers/search-schema.js';
import { CreateFromToken, UpdateMethod } from '../payment-methods/change-schema.js';
import { CreateFromCard } from '../payment-methods/schema.js';
import { CreateFromVault } from '../payment-methods/from-vault-schema.js';
import {
  AddBankAccount,
  AddPayTo,
  CreateFromBankAccount,
  CreateFromPayTo,
  CreateFromProviderToken,
  CreateFromSingleUseToken,
} from '../payment-methods/instrument-schema.js';
import { SearchMethods } from '../payment-methods/search-schema.js';
import { page } from '../http/answers.js';
import type { Refused } from '../http/route.js';
import { row, type Section } from './operation.js';
import { Customer, PaymentMethod } from './payment-answers.js';
import { FROM_TOKEN, STORED, stores } from './storing.js';

const OF_CUSTOMER: readonly Refused[] = [CODE.InvalidCustomerId, CODE.InvalidCustomerIdRemoved];

export const CUSTOMERS: Section = {
  tag: 'Customers',
  text: 'People, and how they pay. A removed customer stays readable.',
  rows: [
    row(
      'post',
      '/customer/card',
      'createCustomerFromCard',
      'Create a customer with a card',
      Customer,
      stores(CustomerFromCard, STORED),
    ),
    row(
      'post',
      '/customer/token',
      'createCustomerFromToken',
      'Create a customer with the card of a token',
      Customer,
      stores(CustomerFromToken, FROM_TOKEN),
    ),
    row(
      'post',
      '/customer/bank_account',
      'createCustomerFromBankAccount',
      'Create a customer with a bank account',
      Customer,
      stores(CustomerFromBankAccount, [CODE.InvalidProviderId]),
    ),
    row(
      'post',
      '/customer/payto',
      'createCustomerFromPayTo',
      'Create a customer with a PayTo agreement',
      Customer,
      stores(CustomerFromPayTo, [CODE.InvalidProviderId]),
    ),
    row(
      'post',
      '/customer/provider_token',
      'createCustomerFromProviderToken',
      'Create a customer with what a provider has stored',
      Customer,
      stores(CustomerFromProviderToken, [CODE.InvalidOrExpiredToken]),
    ),
    row(
      'post',
      '/customer/provider_single_use_token',
      'createCustomerFromSingleUseToken',
      'Create a customer with a single-use token of a provider',
      Customer,
      stores(CustomerFromSingleUseToken, [CODE.InvalidOrExpiredToken]),
    ),
    row('get', '/customer', 'searchCustomers', 'Search customers', page('Customers', Customer), {
      query: SearchCustomers,
    }),
    row('get', '/customer/{id}', 'getCustomer', 'Read a customer', Customer, {
      errors: [CODE.InvalidCustomerId],
    }),
    row('put', '/customer/{id}', 'updateCustomer', 'Change a customer', Customer, {
      text: 'What is left out stays as it is.',
      body: UpdateCustomer,
      errors: [
        ...OF_CUSTOMER,
        CODE.InvalidPaymentMethodId,
        CODE.InvalidPaymentMethodIdRemoved,
        CODE.InvalidPaymentMethod,
      ],
    }),
    row('delete', '/customer/{id}', 'removeCustomer', 'Remove a customer and the payment methods', Customer, {
      errors: OF_CUSTOMER,
    }),
    row(
      'get',
      '/customer/{id}/payment_method',
      'getCustomerPaymentMethods',
      'List a customer’s payment methods',
      z.array(PaymentMethod),
      { errors: [CODE.InvalidCustomerId] },
    ),
    row(
      'post',
      '/customer/{id}/payment_method/card',
      'addCard',
      'Add a card to a customer',
      PaymentMethod,
      stores(AddCard, [...STORED, ...OF_CUSTOMER]),
    ),
    row(
      'post',
      '/customer/{id}/payment_method/token',
      'addToken',
      'Add the card of a token to a customer',
      PaymentMethod,
      stores(AddToken, [...FROM_TOKEN, ...OF_CUSTOMER]),
    ),
    row(
      'post',
      '/customer/{id}/payment_method/payto',
      'addPayTo',
      'Add a PayTo agreement to a customer',
      PaymentMethod,
      stores(AddPayTo, [...OF_CUSTOMER, CODE.InvalidProviderId]),
    ),
    row(
      'post',
      '/customer/{id}/bank_account',
      'addBankAccount',
      'Add a bank account to a customer',
      PaymentMethod,
      stores(AddBankAccount, [...OF_CUSTOMER, CODE.InvalidProviderId]),
    ),
  ],
};

export const PAYMENT_METHODS: Section = {
  tag: 'Payment methods',
  text: 'Cards, bank accounts and agreements that can be charged again.',
  rows: [
    row(
      'post',
      '/payment_method/card',
      'createMethodFromCard',
      'Store a card',
      PaymentMethod,
      stores(CreateFromCard, STORED),
    ),
    row(
      'post',
      '/payment_method/token',
      'createMethodFromToken',
      'Store the card of a token',
      PaymentMethod,
      stores(CreateFromToken, FROM_TOKEN),
    ),
    row(
      'post',
      '/payment_method/vault',
      'createMethodFromVault',
      'Store a card of the vault at a provider',
      PaymentMethod,
      stores(CreateFromVault, [
        CODE.InvalidProviderId,
        CODE.InvalidPaymentMethodId,
        CODE.InvalidPaymentMethodIdRemoved,
        CODE.InvalidPaymentMethod,
        CODE.NoVaultIdAssociatedWithThisPaymentMethod,
        CODE.InvalidVaultId,
        CODE.ExpiredCard,
        CODE.InvalidCcv,
        CODE.PaymentMethodMustBeOfTypeCard,
      ]),
    ),
    row(
      'post',
      '/payment_method/bank_account',
      'createMethodFromBankAccount',
      'Store a bank account',
      PaymentMethod,
      stores(CreateFromBankAccount, [CODE.InvalidProviderId]),
    ),
    row(
      'post',
      '/payment_method/payto',
      'createMethodFromPayTo',
      'Make a PayTo agreement',
      PaymentMethod,
      stores(CreateFromPayTo, [CODE.InvalidProviderId]),
    ),
    row(
      'post',
      '/payment_method/provider_token',
      'createMethodFromProviderToken',
      'Store what a provider has stored',
      PaymentMethod,
      stores(CreateFromProviderToken, [CODE.InvalidOrExpiredToken]),
    ),
    row(
      'post',
      '/payment_method/provider_single_use_token',
      'createMethodFromSingleUseToken',
      'Store a single-use token of a provider',
      PaymentMethod,
      stores(CreateFromSingleUseToken, [CODE.InvalidOrExpiredToken]),
    ),
    row(
      'get',
      '/payment_method',
      'searchMethods',
      'Search payment methods',
      page('PaymentMethods', PaymentMethod),
      { query: SearchMethods },
    ),
    row('get', '/payment_method/{id}', 'getMethod', 'Read a payment method', PaymentMethod, {
      errors: [CODE.InvalidPaymentMethodId],
    }),
    row('put', '/payment_method/{id}', 'updateMethod', 'Change a card’s expiry date or name', PaymentMethod, {
      body: UpdateMethod,
      errors: [
        CODE.InvalidPaymentMethodId,
        CODE.InvalidPaymentMethodIdRemoved,
        CODE.NoDataToUpdateThePaymentMethod,
        CODE.PaymentMethodMustBeOfTypeCard,
        CODE.ExpiredCard,
      ],
    }),
    row('delete', '/payment_method/{id}', 'removeMethod', 'Remove a payment method', PaymentMethod, {
      errors: [CODE.InvalidPaymentMethodId, CODE.InvalidPaymentMethodIdRemoved],
    }),
  ],
};
