import type { Context } from 'hono';
import type * as z from 'zod';

import { CODE, refuseField } from '../../core/errors.js';
import { type Env, overrideOf, vetPan, worldOf } from '../../http/exchange.js';
import { providerId } from '../../http/fields/fields.js';
import { whyRefused } from '../../http/fields/issues.js';
import { type Refused, route, type Section } from '../../http/route.js';
import { presentMade, readRow, searchRow } from '../../http/answers/rows.js';
import type { Made } from '../../outcomes/provider.js';
import { cheapestProvider } from '../providers/service.js';
import type { World } from '../../world/world.js';
import { readToken, searchTokens, tokeniseCard, type TokeniseCommand, tokenisePayTo } from './service.js';
import { presentToken, presentTokenData } from './presenter.js';
import type { Token } from '../../records/token.js';
import * as schema from './schema.js';

export const CARD_ERRORS: readonly Refused[] = [
  CODE.CannotProvideBothVaultExpireDateAndVaultExpireSeconds,
  CODE.InvalidVaultExpiryDate,
  CODE.ExpiredCard,
  CODE.InvalidPaymentInformation,
  CODE.InvalidProviderId,
];

const NEW_TOKEN = {
  method: 'post',
  operation: 'token.create',
  response: schema.TokenResponse,
  asksProvider: true,
} as const;

/** A token of an agreement, on either path. */
export const PAY_TO = {
  ...NEW_TOKEN,
  body: schema.CreatePayToToken,
  errors: [CODE.InvalidProviderId],
  handle: (c: Context<Env>, { body }: { readonly body: z.output<typeof schema.CreatePayToToken> }) =>
    presentResult(c, tokenisePayTo(worldOf(c), body, overrideOf(c)), presentToken),
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
      asked: (c, { body }) => ({ ...body, providerId: headerProvider(c) }),
      handle: (c, { body }) => presentTokenised(c, body, presentToken),
    }),
    route({
      ...NEW_TOKEN,
      path: '/token/card/least_cost',
      id: 'createTokenLeastCost',
      summary: 'Create a token at the cheapest provider',
      text: 'The token is issued by the configured provider whose CostData is lowest for this card and amount.',
      body: schema.TokeniseLeastCost,
      errors: [...CARD_ERRORS, CODE.CurrencyNotSupported],
      access: 'public',
      // The cheapest provider for a charge of the amount, captured at once.
      asked: (c, { body }) => ({
        ...body,
        providerId: cheapestProvider(worldOf(c), { ...body, capture: true }),
      }),
      handle: (c, { body }) => presentTokenised(c, body, presentToken),
    }),
    route({
      ...PAY_TO,
      path: '/token/payto',
      id: 'createPayToToken',
      summary: 'Create a token from a PayTo agreement',
      text: 'The token can be used once, to create a charge, a customer or a payment method.',
    }),
    searchRow({
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
    readRow({
      path: '/token/{id}',
      id: 'getToken',
      operation: 'token.read',
      summary: 'Read a token',
      text: 'Used and expired tokens can be read too.',
      response: schema.TokenDataResponse,
      errors: [CODE.InvalidTokenId],
      find: readToken,
      present: presentTokenData,
    }),
  ],
};

export function headerProvider(c: Context<Env>): string {
  const given = c.req.header('providerid');
  const refused = whyRefused(providerId(), given);
  if (refused === null) return given ?? '';
  const { reason, code } = refused;
  return refuseField(code, 'ProviderId', reason, `The header ProviderId ${reason}.`);
}

type Present<T> = (world: World, token: Token) => T;

/** Creates a token of a card, and returns it as `present` formats it. */
export function presentTokenised<T extends object>(
  c: Context<Env>,
  command: TokeniseCommand,
  present: Present<T>,
): T | Promise<never> {
  vetPan(c, command.card.pan);
  return presentResult(c, tokeniseCard(worldOf(c), command, overrideOf(c)), present);
}

function presentResult<T extends object>(
  c: Context<Env>,
  made: Made<Token>,
  present: Present<T>,
): T | Promise<never> {
  return presentMade(c, made, present, 'no token was created');
}
