import { CODE, refuseUnknownId } from '../../core/errors.js';
import { requireWorld } from '../../http/exchange.js';
import { type AnyRow, route } from '../../http/route.js';
import { buildReadRow } from '../../http/answers/rows.js';
import { isUuid } from '../../core/text/text.js';
import { findBuiltIn, isReservedProviderId } from '../../outcomes/built-in.js';
import { readMagicToken } from '../../outcomes/magic-tokens.js';
import type { World } from '../../world/world.js';
import { createProvider, openProvider, removeProvider, requireProvider, updateProvider } from './service.js';
import {
  findDefaultFallback,
  presentProviderAccount,
  presentInfo,
  presentInfoProvider,
  presentInfoProviders,
  resolveAccount,
} from './presenter.js';
import type { ProviderAccount } from '../../records/provider.js';
import * as schema from './schema.js';

const NAMED = [CODE.InvalidFallbackProviderId, CODE.InvalidProviderId];

export const PROVIDER_ROWS: readonly AnyRow[] = [
  route({
    method: 'post',
    path: '/provider',
    id: 'createProvider',
    operation: 'provider.create',
    summary: 'Configure a provider',
    text: 'New charges can use its ProviderId from then on. A provider with the Type dummy reads its latency from AuthenticationParameters.',
    body: schema.CreateProvider,
    response: schema.ProviderResponse,
    errors: NAMED,
    handle: (c, { body }) => presentProviderAccount(requireWorld(c), createProvider(requireWorld(c), body)),
  }),
  buildReadRow({
    path: '/provider/{id}',
    id: 'getProvider',
    operation: 'provider.read',
    summary: 'Read a provider',
    text: 'Returns a configured or built-in provider.',
    response: schema.ProviderResponse,
    errors: [CODE.NoProviderFound],
    find: requireKnownProvider,
    present: presentProviderAccount,
  }),
  route({
    method: 'put',
    path: '/provider/{id}',
    id: 'updateProvider',
    operation: 'provider.update',
    summary: 'Change a provider',
    text: 'Fields that are left out stay unchanged.',
    body: schema.UpdateProvider,
    response: schema.ProviderResponse,
    errors: [CODE.NoProviderFound, ...NAMED],
    find: requireProvider,
    handle: (c, { params, body }) =>
      presentProviderAccount(requireWorld(c), updateProvider(requireWorld(c), params.id, body)),
  }),
  route({
    method: 'delete',
    path: '/provider/{id}',
    id: 'removeProvider',
    operation: 'provider.remove',
    summary: 'Remove a provider',
    text: 'New charges through it are refused with code 39. Existing charges can still be captured, voided and refunded.',
    response: schema.ProviderResponse,
    errors: [CODE.NoProviderFound],
    find: requireProvider,
    handle: (c, { params }) =>
      presentProviderAccount(requireWorld(c), removeProvider(requireWorld(c), params.id)),
  }),
  route({
    method: 'get',
    path: '/info',
    id: 'getInfo',
    operation: 'info.read',
    summary: 'List countries, currencies and time zones',
    text: 'Returns the values that a form can offer.',
    response: schema.InfoResponse,
    handle: () => presentInfo(),
  }),
  route({
    method: 'get',
    path: '/info/providers',
    id: 'getInfoProviders',
    operation: 'info.read',
    summary: 'List payment options',
    text: 'Returns the providers and their payment types, as a checkout page needs them.',
    access: 'public',
    query: schema.InfoQuery,
    response: schema.InfoProvidersResponse,
    handle: (c, { query }) => presentInfoProviders(requireWorld(c), query.cardProviderId),
  }),
  route({
    method: 'get',
    path: '/info/providers/{id}',
    id: 'getInfoProvider',
    operation: 'info.read',
    summary: 'Read the payment options of a provider',
    text: 'Returns one entry of the list of all providers.',
    query: schema.InfoQuery,
    response: schema.InfoProviderResponse,
    errors: [CODE.InvalidProviderId],
    find: requireUsableProvider,
    handle: (c, { params }) =>
      presentInfoProvider(requireWorld(c), requireUsableProvider(requireWorld(c), params.id)),
  }),
  route({
    method: 'get',
    path: '/info/providers/token/{token}',
    id: 'getInfoProviderOfToken',
    operation: 'info.read',
    summary: 'Read the payment options of a token’s provider',
    text: 'Like GET /info/providers/{id}. Works for used tokens too.',
    query: schema.InfoQuery,
    response: schema.InfoProviderResponse,
    errors: [CODE.InvalidTokenId],
    find: requireTokenProvider,
    handle: (c, { params }) =>
      presentInfoProvider(requireWorld(c), requireTokenProvider(requireWorld(c), params.token)),
  }),
  route({
    method: 'get',
    path: '/info/default_fallback_provider',
    id: 'getDefaultFallbackProvider',
    operation: 'info.read',
    summary: 'Read the default fallback provider',
    text: 'Returns the first FallbackProviderId of the configured providers.',
    response: schema.ProviderResponse,
    handle: (c) => {
      const world = requireWorld(c);
      return presentProviderAccount(world, findDefaultFallback(world));
    },
  }),
];

/** A configured or built-in provider; otherwise 404 with code 65. */
function requireKnownProvider(world: World, id: string): ProviderAccount {
  const isBuiltIn = world.providers.findByProviderId(id) === null && findBuiltIn(id) !== undefined;
  return isBuiltIn ? resolveAccount(world, id) : requireProvider(world, id);
}

/** A provider for charges, which can be any well-formed id; otherwise 400 with code 39. */
function requireUsableProvider(world: World, id: string): ProviderAccount {
  if (!isUuid(id) || isReservedProviderId(id))
    refuseUnknownId(CODE.InvalidProviderId, id, 'provider', 'ProviderId');
  openProvider(world, id);
  return resolveAccount(world, id);
}

/** Returns the provider of a token, even a used one. Unknown: 404 with code 87. */
function requireTokenProvider(world: World, text: string): ProviderAccount {
  const magic = readMagicToken(text);
  if (magic?.kind === 'token') return resolveAccount(world, magic.token.providerId);
  const token = world.tokens.find(text) ?? refuseUnknownId(CODE.InvalidTokenId, text, 'token', 'TokenId');
  return resolveAccount(world, token.providerId);
}
