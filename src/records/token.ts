import type { Table } from '../core/store/store.js';
import { addressCodec, type Address } from './customer.js';
import type { SourceLinks } from './payment-method.js';
import { maybeCcv, pan } from './vault-entry.js';
import * as field from '../core/store/field.js';

const secretCodec = field.record({ pan: field.orNull(pan), ccv: maybeCcv });

const clickToPayCodec = field.record({ billingAddress: field.orNull<Address>(addressCodec) });

export interface ClickToPay extends field.ValueOf<typeof clickToPayCodec> {}

export const tokenFields = (links: SourceLinks) => ({
  providerId: field.shared(field.anyProviderId),
  source: links.source,
  /** Removed when the token is used or expires. Only a card has a number. */
  secret: field.orNull<field.ValueOf<typeof secretCodec>>(secretCodec),
  /** The vault entry created with it, which may have been deleted since. */
  vault: field.orNull(links.to('vault')),
  ip: field.maybeText,
  metadata: field.metadata,
  dateAdded: field.instant,
  expires: field.instant,
  dateUsed: field.maybeInstant,
  /** The identifier of the network token that was created with it, which outlives it. */
  networkToken: field.maybeText,
  /** Null unless its card came from Click to Pay. */
  clickToPay: field.orNull<ClickToPay>(clickToPayCodec),
});

/** A single-use token, which a page sends to the back end. */
export interface Token extends field.RecordOf<typeof tokenFields> {}

export const TOKEN_KEYS = { networkToken: ({ networkToken }: Token) => networkToken };

export type TokenTable = Table<Token, keyof typeof TOKEN_KEYS>;

/** Our assumption: the service's own words are not known. */
export const TOKEN_STATUSES = ['ACTIVE', 'USED', 'EXPIRED'] as const;
export type TokenStatus = (typeof TOKEN_STATUSES)[number];

export function tokenStatus({ secret, dateUsed }: Token): TokenStatus {
  if (secret !== null) return 'ACTIVE';
  return dateUsed === null ? 'EXPIRED' : 'USED';
}

/** 15 minutes: our assumption. */
export const DEFAULT_TOKEN_TTL = 15 * 60_000;

export const TOKEN_EXPIRE = 'token.expire';
