import type { Context } from 'hono';
import type * as z from 'zod';

import { CODE, refuseField } from '../../core/errors.js';
import { type Env, overrideOf, checkTestCard, requireWorld } from '../../http/exchange.js';
import { requiredProviderId } from '../../http/fields/fields.js';
import * as answers from '../../http/answers/answers.js';
import { whyRefused } from '../../http/fields/issues.js';
import { type RefusalCode, route, type Section } from '../../http/route.js';
import { presentStoredSource, buildReadRow, buildSearchRow } from '../../http/answers/rows.js';
import type { StoreResult } from '../../outcomes/provider.js';
import { chooseProvider } from '../providers/routing.js';
import type { World } from '../../world/world.js';
import {
  requireTokenOrMagic,
  searchTokens,
  tokeniseCard,
  type TokeniseCommand,
  tokenisePayTo,
} from './service.js';
import { presentToken, presentTokenCard, presentTokenData } from './presenter.js';
import type { Token } from '../../records/token.js';
import * as schema from './schema.js';

export const CARD_ERRORS: readonly RefusalCode[] = [
  CODE.CannotProvideBothVaultExpireDateAndVaultExpireSeconds,
  CODE.InvalidVaultExpiryDate,
  CODE.ExpiredCard,
  CODE.InvalidPaymentInformation,
  CODE.InvalidProviderId,
];

export const NEW_TOKEN = {
  method: 'post',
  operation: 'token.create',
  response: schema.TokenResponse,
  asksProvider: true,
} as const;

/** A token of an agreement, on either path. */
export const PAY_TO_ROW = {
  ...NEW_TOKEN,
  body: schema.CreatePayToToken,
  errors: [CODE.InvalidProviderId],
  handle: (c: Context<Env>, { body }: { readonly body: z.output<typeof schema.CreatePayToToken> }) =>
    presentMadeToken(c, tokenisePayTo(requireWorld(c), body, overrideOf(c)), presentToken),
} as const;

export const TOKENS: Section = {
  tag: 'Tokens',
  text: 'Single-use tokens. A page creates one from a card, so that card numbers never pass through the shop’s own server.',
  rows: [
    route({
      ...NEW_TOKEN,
      path: '/token/card',
      id: 'createToken',
      summary: 'Create a token from a card',
      text: 'Can also be called with a public key. The token can be used once, at the provider in the header ProviderId.',
      body: schema.TokeniseCard,
      headers: { ProviderId: 'The provider that issues the token.' },
      errors: CARD_ERRORS,
      access: 'public',
      buildCommand: (c, { body }) => ({ ...body, providerId: requireHeaderProvider(c) }),
      handle: (c, { body }) => presentTokenised(c, body, presentToken),
    }),
    route({
      ...NEW_TOKEN,
      path: '/token/card/least_cost',
      id: 'createTokenLeastCost',
      summary: 'Create a token at the cheapest provider',
      text: 'The token is issued by the configured provider whose CostData is lowest for this card and amount, or as `routing` of the scenario says.',
      body: schema.TokeniseLeastCost,
      errors: [...CARD_ERRORS, CODE.CurrencyNotSupported],
      access: 'public',
      // The cheapest provider for a charge of the amount, captured at once.
      buildCommand: (c, { body }) => ({
        ...body,
        providerId: chooseProvider(requireWorld(c), { ...body, capture: true }).providerId,
      }),
      handle: (c, { body }) => presentTokenised(c, body, presentToken),
    }),
    route({
      ...PAY_TO_ROW,
      path: '/token/payto',
      id: 'createPayToToken',
      summary: 'Create a token from a PayTo agreement',
      text: 'The token can be used once, to create a charge, a customer or a payment method.',
    }),
    buildSearchRow({
      path: '/token',
      id: 'searchTokens',
      operation: 'token.search',
      summary: 'Search tokens',
      text: 'Returns the tokens that match every filter, newest first, including used and expired ones.',
      query: schema.SearchTokens,
      list: 'Tokens',
      item: schema.TokenDataResponse,
      search: searchTokens,
      present: presentTokenData,
    }),
    buildReadRow({
      path: '/token/{id}',
      id: 'getToken',
      operation: 'token.read',
      summary: 'Read a token',
      text: 'Used and expired tokens can be read too.',
      response: schema.TokenDataResponse,
      errors: [CODE.InvalidTokenId],
      find: requireTokenOrMagic,
      present: presentTokenData,
    }),
    buildReadRow({
      path: '/token/{id}/card',
      id: 'getTokenCard',
      operation: 'token.read',
      summary: 'Read the card of a token, from a page',
      text: 'Without the full number. Can also be called with a public key.',
      access: 'public',
      headers: { ProviderId: 'Any provider. It has no effect.' },
      response: answers.Card,
      errors: [CODE.InvalidTokenId, CODE.InvalidPaymentType],
      find: requireTokenOrMagic,
      present: presentTokenCard,
    }),
  ],
};

export function requireHeaderProvider(c: Context<Env>): string {
  const given = c.req.header('providerid');
  const refused = whyRefused(requiredProviderId(), given);
  if (refused === null) return given ?? '';
  const { reason, code } = refused;
  return refuseField(code, 'ProviderId', reason, `The header ProviderId ${reason}.`);
}

type PresentToken<T> = (world: World, token: Token) => T;

/** Creates a token of a card, and returns it as `present` formats it. */
export function presentTokenised<T extends object>(
  c: Context<Env>,
  command: TokeniseCommand,
  present: PresentToken<T>,
): T | Promise<never> {
  checkTestCard(c, command.card.pan);
  return presentMadeToken(c, tokeniseCard(requireWorld(c), command, overrideOf(c)), present);
}

export function presentMadeToken<T extends object>(
  c: Context<Env>,
  made: StoreResult<Token>,
  present: PresentToken<T>,
): T | Promise<never> {
  return presentStoredSource(c, made, present, 'no token was created');
}
