import type { Context } from 'hono';
import type * as z from 'zod';

import { CODE } from '../../core/errors.js';
import { type Env, overrideOf, checkTestCard, requireWorld } from '../../http/exchange.js';
import { type AnyRow, type RefusalCode, route, type Section } from '../../http/route.js';
import { presentStoredSource, buildReadRow, buildSearchRow } from '../../http/answers/rows.js';
import type { StoreResult } from '../../outcomes/provider.js';
import { presentToken } from '../tokens/presenter.js';
import { CARD_ERRORS, NEW_TOKEN, presentMadeToken } from '../tokens/routes.js';
import * as sources from './prepare.js';
import { presentMethod } from './presenter.js';
import type { CardData, Metadata, PaymentMethod } from '../../records/payment-method.js';
import * as schema from './schema.js';
import { searchMethods } from './search.js';
import {
  createMethod,
  requireKnownMethod,
  type PreparedMethod,
  removeMethod,
  updateMethod,
} from './service.js';

export const TOKEN_ERRORS: readonly RefusalCode[] = [
  ...CARD_ERRORS,
  CODE.InvalidOrExpiredToken,
  CODE.PaymentMethodMustBeOfTypeCard,
];

export const NEW_METHOD = {
  method: 'post',
  operation: 'paymentMethod.create',
  response: schema.PaymentMethodResponse,
  webhooks: ['paymentMethod.created'],
  asksProvider: true,
} as const;

export const PAYMENT_METHODS: Section = {
  tag: 'Payment methods',
  text: 'Stored cards, bank accounts and PayTo agreements that can be charged repeatedly.',
  rows: [
    methodRow({
      path: '/payment_method/card',
      id: 'createMethodFromCard',
      summary: 'Store a card',
      text: 'The provider stores the card for later charges. With VaultCard it is also stored in the vault.',
      body: schema.CreateFromCard,
      errors: CARD_ERRORS,
      prepare: sources.prepareCard,
    }),
    methodRow({
      path: '/payment_method/token',
      id: 'createMethodFromToken',
      summary: 'Store a card from a token',
      text: 'The token is used up. The payment method can be charged repeatedly.',
      body: schema.CreateFromToken,
      errors: TOKEN_ERRORS,
      prepare: sources.prepareToken,
    }),
    methodRow({
      path: '/payment_method/vault',
      id: 'createMethodFromVault',
      summary: 'Create a payment method from a vaulted card',
      text: 'Identify the card by a payment method whose card is in the vault (PaymentMethodId), or by its vault entry (VaultId and ExpiryDate). A Ccv replaces the stored one.',
      body: schema.CreateFromVault,
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
      prepare: sources.prepareStored,
    }),
    methodRow({
      path: '/payment_method/bank_account',
      id: 'createMethodFromBankAccount',
      summary: 'Store a bank account',
      text: 'The full account number is not stored. Responses show its last three characters.',
      body: schema.CreateFromBankAccount,
      errors: [CODE.InvalidProviderId],
      prepare: sources.prepareBankAccount,
    }),
    methodRow({
      path: '/payment_method/payto',
      id: 'createMethodFromPayTo',
      summary: 'Create a PayTo agreement',
      text: 'The agreement can be charged once the payer has approved it; PayToStatus is then ACTIVE.',
      body: schema.CreateFromPayTo,
      errors: [CODE.InvalidProviderId],
      prepare: sources.preparePayTo,
    }),
    methodRow({
      path: '/payment_method/provider_token',
      id: 'createMethodFromProviderToken',
      summary: 'Create a payment method from a provider’s stored token',
      text: 'The provider has already stored the card; ProviderToken is the provider’s identifier of it.',
      body: schema.CreateFromProviderToken,
      errors: [CODE.InvalidOrExpiredToken],
      prepare: sources.prepareProviderToken,
    }),
    methodRow({
      path: '/payment_method/provider_single_use_token',
      id: 'createMethodFromSingleUseToken',
      summary: 'Create a payment method from a provider’s single-use token',
      text: 'The token can be used once, at the provider that issued it.',
      body: schema.CreateFromSingleUseToken,
      errors: [CODE.InvalidOrExpiredToken],
      prepare: sources.prepareProviderToken,
    }),
    route({
      ...NEW_TOKEN,
      path: '/token/payment_method',
      id: 'createTokenFromMethod',
      summary: 'Create a token from a payment method',
      text: 'For a page that asks its payer for the Ccv again. Can also be called with a public key.',
      body: schema.TokeniseMethod,
      errors: [CODE.InvalidPaymentMethodId, CODE.InvalidPaymentMethodIdRemoved, CODE.InvalidCcv],
      access: 'public',
      handle: (c, { body }) =>
        presentMadeToken(c, sources.tokeniseMethod(requireWorld(c), body, overrideOf(c)), presentToken),
    }),
    buildSearchRow({
      path: '/payment_method',
      id: 'searchMethods',
      operation: 'paymentMethod.search',
      summary: 'Search payment methods',
      text: 'Returns the payment methods that match every filter, newest first by default, without removed ones.',
      query: schema.SearchMethods,
      list: 'PaymentMethods',
      item: schema.PaymentMethodResponse,
      search: searchMethods,
      present: presentMethod,
    }),
    buildReadRow({
      path: '/payment_method/{id}',
      id: 'getMethod',
      operation: 'paymentMethod.read',
      summary: 'Read a payment method',
      text: 'A removed payment method can be read too.',
      response: schema.PaymentMethodResponse,
      errors: [CODE.InvalidPaymentMethodId],
      find: requireKnownMethod,
      present: presentMethod,
    }),
    route({
      method: 'put',
      path: '/payment_method/{id}',
      id: 'updateMethod',
      operation: 'paymentMethod.update',
      summary: 'Change a card’s expiry date or name',
      text: 'Send at least one of the two fields. A field that is left out stays unchanged.',
      body: schema.UpdateMethod,
      response: schema.PaymentMethodResponse,
      errors: [
        CODE.InvalidPaymentMethodId,
        CODE.InvalidPaymentMethodIdRemoved,
        CODE.NoDataToUpdateThePaymentMethod,
        CODE.PaymentMethodMustBeOfTypeCard,
        CODE.ExpiredCard,
      ],
      webhooks: ['paymentMethod.updated'],
      find: requireKnownMethod,
      handle: (c, { params, body }) =>
        presentMethod(requireWorld(c), updateMethod(requireWorld(c), params.id, body)),
    }),
    route({
      method: 'delete',
      path: '/payment_method/{id}',
      id: 'removeMethod',
      operation: 'paymentMethod.remove',
      summary: 'Remove a payment method',
      text: 'It can still be read, but no longer charged.',
      response: schema.PaymentMethodResponse,
      errors: [CODE.InvalidPaymentMethodId, CODE.InvalidPaymentMethodIdRemoved],
      webhooks: ['paymentMethod.removed'],
      find: requireKnownMethod,
      handle: (c, { params }) => presentMethod(requireWorld(c), removeMethod(requireWorld(c), params.id)),
    }),
  ],
};

/** A row that stores a source. `prepare` asks its provider. */
export interface SourceRow<C> extends Pick<AnyRow, 'id' | 'summary' | 'text' | 'errors'> {
  readonly body: z.ZodType<C>;
  readonly prepare: sources.Prepare<C>;
}

/** Checks the source of a call, and returns what asks its provider to store it. */
export function checkThenPrepare<C extends { readonly card?: CardData }>(
  c: Context<Env>,
  command: C,
  prepare: sources.Prepare<C>,
): () => PreparedMethod {
  if (command.card) checkTestCard(c, command.card.pan);
  return () => prepare(requireWorld(c), command, overrideOf(c));
}

/** A row that creates a payment method without a customer. */
function methodRow<C extends { readonly card?: CardData; readonly metadata: Metadata | null }>({
  prepare,
  ...row
}: SourceRow<C> & { readonly path: string }): AnyRow {
  return route({
    ...NEW_METHOD,
    ...row,
    handle: (c, { body }) => {
      const prepared = checkThenPrepare(c, body, prepare)();
      return presentStored(c, createMethod(requireWorld(c), prepared, body.metadata));
    },
  });
}

export function presentStored(
  c: Context<Env>,
  made: StoreResult<PaymentMethod>,
): schema.PaymentMethodResponse | Promise<never> {
  return presentStoredSource(c, made, presentMethod, 'no payment method was created');
}
