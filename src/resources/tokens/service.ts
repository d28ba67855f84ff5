import { CODE, refuse, refuseUnknownId } from '../../core/errors.js';
import { type SearchFilter, type SearchResult, searchTable } from '../../core/store/search.js';
import type { CardData, Metadata, PayToData, Source } from '../../records/payment-method.js';
import { isSameProvider } from '../../outcomes/built-in.js';
import { readMagicToken } from '../../outcomes/magic-tokens.js';
import type { Override } from '../../outcomes/header.js';
import { isApproved } from '../../outcomes/outcomes.js';
import type { StoreResult } from '../../outcomes/provider.js';
import { askStorage, openProvider } from '../providers/service.js';
import { readExpiry, storeCard, type VaultRequest } from '../vault/service.js';
import { toCard, buildPayTo, requireUnexpired } from './rules.js';
import type { VaultEntry } from '../../records/vault-entry.js';
import type { World } from '../../world/world.js';
import { findMagicToken, inventSource, listMagicTokens } from './magic.js';
import {
  type ClickToPay,
  type Token,
  TOKEN_EXPIRE,
  type TokenStatus,
  tokenStatus,
} from '../../records/token.js';

export interface OpenedToken {
  readonly providerId: string;
  readonly source: Source;
  /** Null if it is not a card. */
  readonly pan: string | null;
  readonly ccv: string | null;
  /** The vault entry created with it, if it still exists. */
  readonly entry: VaultEntry | null;
  /** The stored token; null for a magic one. */
  readonly token: Token | null;
}

/** Returns a token, without using it up. Unknown, used or expired: 400 with code 51. */
export function openToken(world: World, text: string): OpenedToken {
  const magic = readMagicToken(text);
  if (magic?.kind === 'token') {
    const { pan, providerId } = magic.token;
    return {
      providerId,
      source: inventSource(world, magic.token),
      pan,
      ccv: null,
      entry: null,
      token: null,
    };
  }
  if (magic?.kind === 'refused')
    return refuse(
      CODE.InvalidOrExpiredToken,
      `The magic token ${text} is always refused as ${magic.reason}.`,
    );
  if (magic?.kind === 'fault') return refuse(CODE.InvalidOrExpiredToken, magic.detail);
  return openStoredToken(world, text);
}

function openStoredToken(world: World, text: string): OpenedToken {
  const token = world.tokens.find(text);
  if (!token) {
    const hint = ' Create one with POST /_sandbox/tokens, or use a magic token such as tok_approve.';
    return refuseUnknownId(CODE.InvalidOrExpiredToken, text, 'token', 'TokenId', { hint });
  }
  if (token.dateUsed !== null)
    return refuse(CODE.InvalidOrExpiredToken, 'The token was already used; a token can be used only once.');
  if (token.secret === null) return refuse(CODE.InvalidOrExpiredToken, 'The token has expired.');
  const { pan, ccv } = token.secret;
  const entry = token.vault === null ? undefined : world.vault.find(token.vault);
  return { providerId: token.providerId, source: token.source, pan, ccv, entry: entry ?? null, token };
}

/** Marks a token as used, and removes its data. */
export function spendToken(world: World, opened: OpenedToken): void {
  const { token } = opened;
  if (token === null) return;
  world.tokens.replace({ ...token, secret: null, dateUsed: world.now });
  world.jobs.cancel(TOKEN_EXPIRE, token.id);
}

/** The job that expires an unused token. */
export function expireToken(world: World, id: string): void {
  const token = world.tokens.find(id);
  if (token) world.tokens.replace({ ...token, secret: null });
}

/** Returns a token, even a used or expired one. Unknown: 404 with code 87. */
export function requireKnownToken(world: World, id: string): Token {
  return world.tokens.find(id) ?? refuseUnknownId(CODE.InvalidTokenId, id, 'token', 'TokenId');
}

/** The card of a network token. */
export function findNetworkToken(world: World, id: string): Source | undefined {
  return world.tokens.by('networkToken', id).at(0)?.source;
}

/** A token for reading; magic ones are included. */
export function requireTokenOrMagic(world: World, id: string): Token {
  return findMagicToken(world, id) ?? requireKnownToken(world, id);
}

type TokenContent = Pick<Token, 'providerId' | 'source' | 'vault' | 'ip' | 'metadata'> &
  NonNullable<Token['secret']> & {
    readonly wantsNetworkToken?: boolean;
    readonly clickToPay?: ClickToPay | null;
  };

export interface TokeniseCommand {
  readonly providerId: string;
  readonly card: CardData;
  readonly vault: VaultRequest;
  readonly ip: string | null;
  readonly metadata: Metadata | null;
  readonly wantsNetworkToken: boolean;
  readonly clickToPay: ClickToPay | null;
}

/** Asks a provider for a token of a card, as the service's page script does. */
export function tokeniseCard(
  world: World,
  command: TokeniseCommand,
  override: Override | null,
): StoreResult<Token> {
  const { providerId, card: data, vault, ip, metadata, wantsNetworkToken, clickToPay } = command;
  openProvider(world, providerId);
  const expires = readExpiry(world, vault.expiry);
  requireUnexpired(world, data.expiry, 'PaymentInformation.ExpiryDate');
  // Checked before the provider is asked, because that counts calls and draws random numbers.
  world.requireRoom(world.tokens, 'tokens');
  if (vault.wanted) world.requireRoom(world.vault, 'vault entries');
  const source = toCard(world, data);
  const answer = askStorage(world, 'card.tokenise', providerId, source, override);
  if (!isApproved(answer.outcome)) return { made: null, answer, source };
  const { pan, ccv } = data;
  const entry = vault.wanted ? storeCard(world, pan, ccv, expires).id : null;
  const content = { providerId, source, pan, ccv, vault: entry, ip, metadata, wantsNetworkToken, clickToPay };
  return { made: createToken(world, content), answer, source };
}

/** Creates a single-use token of an agreement; null if the provider declined. */
export function tokenisePayTo(
  world: World,
  command: { providerId: string; agreement: PayToData; ip: string | null; metadata: Metadata | null },
  override: Override | null,
): StoreResult<Token> {
  const { providerId, agreement, ip, metadata } = command;
  openProvider(world, providerId);
  world.requireRoom(world.tokens, 'tokens');
  const source = buildPayTo(world, agreement, 'token', world.tokens.next);
  const answer = askStorage(world, 'card.tokenise', providerId, source, override);
  if (!isApproved(answer.outcome)) return { made: null, answer, source };
  const content = { providerId, source, pan: null, ccv: null, vault: null, ip, metadata };
  return { made: createToken(world, content), answer, source };
}

export function createToken(world: World, content: TokenContent): Token {
  world.requireRoom(world.tokens, 'tokens');
  const { providerId, source, pan, ccv, vault, ip, metadata, clickToPay = null } = content;
  const networkTokens = world.chance.identifiers('networkToken');
  const expires = world.now + world.settings.tokenTtl;
  const token: Token = {
    id: world.tokens.nextId,
    index: world.tokens.next,
    providerId,
    source,
    secret: { pan, ccv },
    vault,
    ip,
    metadata,
    dateAdded: world.now,
    expires,
    dateUsed: null,
    networkToken: content.wantsNetworkToken ? networkTokens.at(world.tokens.next) : null,
    clickToPay,
  };
  world.tokens.add(token);
  world.jobs.schedule(expires, TOKEN_EXPIRE, token.id);
  return token;
}

const CONDITIONS = {
  providerId: (wanted: string) => (token: Token) => isSameProvider(token.providerId, wanted),
  status: (wanted: TokenStatus) => (token: Token) => tokenStatus(token) === wanted,
};

export type TokenFilter = SearchFilter<typeof CONDITIONS>;

export function searchTokens(world: World, filter: TokenFilter): SearchResult<Token> {
  return searchTable(world.tokens, filter, { conditions: CONDITIONS, older: listMagicTokens(world) });
}
