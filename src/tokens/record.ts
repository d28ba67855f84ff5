import type { Metadata, Source } from '../payment-methods/record.js';

/** A single-use token, as a client-side script hands it to the back end. */
export interface Token {
  readonly id: string;
  readonly index: number;
  readonly providerId: string;
  readonly source: Source;
  /** The data behind the token, of which only a card has a number; dropped when the token is used or expires. */
  readonly secret: { readonly pan: string | null; readonly ccv: string | null } | null;
  /** The identifier of the vault entry that was made with it, which may be gone by now; null: none was. */
  readonly vault: string | null;
  readonly ip: string | null;
  readonly metadata: Metadata | null;
  readonly dateAdded: number;
  /** The instant from which on the token is refused. */
  readonly expires: number;
  readonly dateUsed: number | null;
}

/** What can be done with a token: our own words, since the service's are not known. */
export const TOKEN_STATUSES = ['ACTIVE', 'USED', 'EXPIRED'] as const;
export type TokenStatus = (typeof TOKEN_STATUSES)[number];

export function tokenStatus({ secret, dateUsed }: Token): TokenStatus {
  if (secret !== null) return 'ACTIVE';
  return dateUsed === null ? 'EXPIRED' : 'USED';
}

/** How long a token lives unless told otherwise: 15 minutes, our assumption. */
export const DEFAULT_TOKEN_TTL = 15 * 60_000;

/** The job that empties a token at its expiry. */
export const TOKEN_EXPIRE = 'token.expire';
