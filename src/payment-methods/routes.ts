import type { Context } from 'hono';

import { CODE } from '../core/errors.js';
import { type Env, overrideOf, vetPan, worldOf } from '../http/exchange.js';
import { presentOutcome, requireMade } from '../http/respond.js';
import { type Refused, route, type Section } from '../http/route.js';
import { readRow, searchRow } from '../http/rows.js';
import { CARD_ERRORS } from '../tokens/routes.js';
import { createFromBankAccount } from './bank-accounts.js';
import { createFromToken, removeMethod, updateMethod } from './changes.js';
import { createFromVault } from './from-vault.js';
import { createFromPayTo } from './pay-to.js';
import { presentMethod } from './presenter.js';
import { createFromProviderToken } from './provider-tokens.js';
import {
  CreateFromBankAccount,
  CreateFromCard,
  CreateFromPayTo,
  CreateFromProviderToken,
  CreateFromSingleUseToken,
  CreateFromToken,
  CreateFromVault,
  PaymentMethodResponse,
  SearchMethods,
  UpdateMethod,
} from './schema.js';
import { searchMethods } from './search.js';
import { createFromCard, findMethod, type MethodResult } from './service.js';

/** What a call that stores the card of a token may be refused with. */
export const TOKEN_ERRORS: readonly Refused[] = [
  ...CARD_ERRORS,
  CODE.InvalidOrExpiredToken,
  CODE.PaymentMethodMustBeOfTypeCard,
];

/** What all operations that make a payment method have in common. */
export const NEW_METHOD = {
  method: 'post',
  operation: 'paymentMethod.create',
  response: PaymentMethodResponse,
  webhooks: ['paymentMethod.created'],
  asksProvider: true,
} as const;

export const PAYMENT_METHODS: Section = {
  tag: 'Payment methods',
  text: 'Cards, bank accounts and agreements that can be charged again.',
  rows: [
    route({
      ...NEW_METHOD,
      path: '/payment_method/card',
      id: 'createMethodFromCard',
      summary: 'Store a card',
      body: CreateFromCard,
      errors: CARD_ERRORS,
      handle: (c, { body }) => {
        vetPan(c, body.card.pan);
        return presentStored(c, createFromCard(worldOf(c), body, overrideOf(c)));
      },
    }),
    route({
      ...NEW_METHOD,
      path: '/payment_method/token',
      id: 'createMethodFromToken',
      summary: 'Store the card of a token',
      body: CreateFromToken,
      errors: TOKEN_ERRORS,
      handle: (c, { body }) => presentStored(c, createFromToken(worldOf(c), body, overrideOf(c))),
    }),
    route({
      ...NEW_METHOD,
      path: '/payment_method/vault',
      id: 'createMethodFromVault',
      summary: 'Store a card of the vault at a provider',
      body: CreateFromVault,
      errors: [
        CODE.InvalidProviderId,
        CODE.InvalidPaymentMethodId,
        CODE.InvalidPaymentMethodIdRemoved,
        CODE.InvalidPaymentMethod,
        CODE.NoVaultIdAssociatedWithThisPaymentMethod,
        CODE.InvalidVaultId,
        CODE.ExpiredCard,
        CODE.InvalidCcv,
        CODE.PaymentMethodMustBeOfTypeCard,
      ],
      handle: (c, { body }) => presentStored(c, createFromVault(worldOf(c), body, overrideOf(c))),
    }),
    route({
      ...NEW_METHOD,
      path: '/payment_method/bank_account',
      id: 'createMethodFromBankAccount',
      summary: 'Store a bank account',
      body: CreateFromBankAccount,
      errors: [CODE.InvalidProviderId],
      handle: (c, { body }) => presentStored(c, createFromBankAccount(worldOf(c), body, overrideOf(c))),
    }),
    route({
      ...NEW_METHOD,
      path: '/payment_method/payto',
      id: 'createMethodFromPayTo',
      summary: 'Make a PayTo agreement',
      body: CreateFromPayTo,
      errors: [CODE.InvalidProviderId],
      handle: (c, { body }) => presentStored(c, createFromPayTo(worldOf(c), body, overrideOf(c))),
    }),
    route({
      ...NEW_METHOD,
      path: '/payment_method/provider_token',
      id: 'createMethodFromProviderToken',
      summary: 'Store what a provider has stored',
      body: CreateFromProviderToken,
      errors: [CODE.InvalidOrExpiredToken],
      handle: (c, { body }) => presentStored(c, createFromProviderToken(worldOf(c), body, overrideOf(c))),
    }),
    route({
      ...NEW_METHOD,
      path: '/payment_method/provider_single_use_token',
      id: 'createMethodFromSingleUseToken',
      summary: 'Store a single-use token of a provider',
      body: CreateFromSingleUseToken,
      errors: [CODE.InvalidOrExpiredToken],
      handle: (c, { body }) => presentStored(c, createFromProviderToken(worldOf(c), body, overrideOf(c))),
    }),
    searchRow({
      path: '/payment_method',
      id: 'searchMethods',
      operation: 'paymentMethod.search',
      summary: 'Search payment methods',
      query: SearchMethods,
      list: 'PaymentMethods',
      item: PaymentMethodResponse,
      search: searchMethods,
      present: presentMethod,
    }),
    readRow({
      path: '/payment_method/{id}',
      id: 'getMethod',
      operation: 'paymentMethod.read',
      summary: 'Read a payment method',
      response: PaymentMethodResponse,
      errors: [CODE.InvalidPaymentMethodId],
      find: findMethod,
      present: presentMethod,
    }),
    route({
      method: 'put',
      path: '/payment_method/{id}',
      id: 'updateMethod',
      operation: 'paymentMethod.update',
      summary: 'Change a card’s expiry date or name',
      body: UpdateMethod,
      response: PaymentMethodResponse,
      errors: [
        CODE.InvalidPaymentMethodId,
        CODE.InvalidPaymentMethodIdRemoved,
        CODE.NoDataToUpdateThePaymentMethod,
        CODE.PaymentMethodMustBeOfTypeCard,
        CODE.ExpiredCard,
      ],
      webhooks: ['paymentMethod.updated'],
      handle: (c, { params, body }) => presentMethod(worldOf(c), updateMethod(worldOf(c), params.id, body)),
    }),
    route({
      method: 'delete',
      path: '/payment_method/{id}',
      id: 'removeMethod',
      operation: 'paymentMethod.remove',
      summary: 'Remove a payment method',
      response: PaymentMethodResponse,
      errors: [CODE.InvalidPaymentMethodId, CODE.InvalidPaymentMethodIdRemoved],
      webhooks: ['paymentMethod.removed'],
      handle: (c, { params }) => presentMethod(worldOf(c), removeMethod(worldOf(c), params.id)),
    }),
  ],
};

/** The answer to a call that stores a payment method: a decline is a refusal. */
export function presentStored(
  c: Context<Env>,
  { method, answer }: MethodResult,
): PaymentMethodResponse | Promise<never> {
  const detail = 'The provider did not store what was sent; no payment method was made.';
  return presentOutcome(
    c,
    answer,
    () => presentMethod(worldOf(c), requireMade(method)),
    () => ({ detail }),
  );
}
