import type { SourceLinks } from './payment-method.js';
import { maybeCcv, pan } from './vault-entry.js';
import * as field from '../core/store/field.js';

const secretCodec = field.record({ pan: field.orNull(pan), ccv: maybeCcv });

export const tokenFields = (links: SourceLinks) => ({
  providerId: field.shared(field.anyProviderId),
  source: links.source,
  /** The token's data, removed when it is used or expires. Only a card has a number. */
  secret: field.orNull<field.ValueOf<typeof secretCodec>>(secretCodec),
  /** The identifier of the vault entry created with it, which may have been deleted since; null: none. */
  vault: field.orNull(links.to('vault')),
  ip: field.maybeText,
  metadata: field.metadata,
  dateAdded: field.instant,
  /** When the token expires. */
  expires: field.instant,
  dateUsed: field.maybeInstant,
});

/** A single-use token, which a page sends to the back end. */
export interface Token extends field.RecordOf<typeof tokenFields> {}

/** The status of a token. The service's own words are not known. */
export const TOKEN_STATUSES = ['ACTIVE', 'USED', 'EXPIRED'] as const;
export type TokenStatus = (typeof TOKEN_STATUSES)[number];

export function tokenStatus({ secret, dateUsed }: Token): TokenStatus {
  if (secret !== null) return 'ACTIVE';
  return dateUsed === null ? 'EXPIRED' : 'USED';
}

/** How long a token is valid by default: 15 minutes, our assumption. */
export const DEFAULT_TOKEN_TTL = 15 * 60_000;

/** The job that removes a token's data at its expiry. */
export const TOKEN_EXPIRE = 'token.expire';
