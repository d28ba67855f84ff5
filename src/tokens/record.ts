import type { SourceLinks } from '../payment-methods/record.js';
import { maybeCcv, pan } from '../vault/record.js';
import * as field from '../core/field.js';

const secretCodec = field.record({ pan: field.orNull(pan), ccv: maybeCcv });

export const tokenFields = (links: SourceLinks) => ({
  providerId: field.shared(field.anyProviderId),
  source: links.source,
  /** The data behind the token, of which only a card has a number; dropped when the token is used or expires. */
  secret: field.orNull<field.ValueOf<typeof secretCodec>>(secretCodec),
  /** The identifier of the vault entry that was made with it, which may be gone by now; null: none was. */
  vault: field.orNull(links.to('vault')),
  ip: field.maybeText,
  metadata: field.metadata,
  dateAdded: field.instant,
  /** The instant from which on the token is refused. */
  expires: field.instant,
  dateUsed: field.maybeInstant,
});

/** A single-use token, as a client-side script hands it to the back end. */
export interface Token extends field.RecordOf<typeof tokenFields> {}

/** What can be done with a token: our own words, since the service's are not known. */
export const TOKEN_STATUSES = ['ACTIVE', 'USED', 'EXPIRED'] as const;
export type TokenStatus = (typeof TOKEN_STATUSES)[number];

export function tokenStatus({ secret, dateUsed }: Token): TokenStatus {
  if (secret !== null) return 'ACTIVE';
  return dateUsed === null ? 'EXPIRED' : 'USED';
}

/** How long a token lives by default: 15 minutes, our assumption. */
export const DEFAULT_TOKEN_TTL = 15 * 60_000;

/** The job that empties a token at its expiry. */
export const TOKEN_EXPIRE = 'token.expire';
