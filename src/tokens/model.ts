import type { Source } from '../payment-methods/model.js';

/** A single-use token, as a client-side script hands it to the back end. */
export interface Token {
  readonly index: number;
  readonly providerId: string;
  readonly source: Source;
  /** The data behind the token, of which only a card has a number; dropped when the token is used or expires. */
  readonly secret: { readonly pan: string | null; readonly ccv: string | null } | null;
  readonly dateAdded: number;
  /** The instant from which on the token is refused. */
  readonly expires: number;
  readonly dateUsed: number | null;
}

/** How long a token lives unless told otherwise: 15 minutes, our assumption. */
export const DEFAULT_TOKEN_TTL = 15 * 60_000;

/** The job that empties a token at its expiry. */
export const TOKEN_EXPIRE = 'token.expire';
