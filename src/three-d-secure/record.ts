import { DIALECTS } from '../core/dialect.js';
import * as field from '../core/field.js';
import type { Links } from '../core/field.js';
import type { Table } from '../core/store.js';

/** What became of an authentication; one that is CHALLENGED waits for its payer. */
export const AUTHENTICATION_STATUSES = ['CREATED', 'CHALLENGED', 'PASSED', 'FAILED', 'UNAVAILABLE'] as const;
export type AuthenticationStatus = (typeof AUTHENTICATION_STATUSES)[number];

/** How a challenge ended: by its payer, or by its time. */
export const CHALLENGE_ENDINGS = ['approve', 'fail', 'abandon', 'timeOut'] as const;
export type ChallengeEnding = (typeof CHALLENGE_ENDINGS)[number];

export const authenticationFields = (links: Links) => ({
  /** The card, as far as it may be known outside the vault. */
  masked: field.text(19),
  scheme: field.shared(field.anyText),
  trigger: field.maybeText,
  /** The text of the token that stands for the card; null: the card itself was named. */
  token: field.maybeText,
  /** Whether a charge was declined for want of it: the issuer of an ordinary card then challenges its payer. */
  isRequired: field.flag,
  status: field.word(...AUTHENTICATION_STATUSES),
  /** Null where there was no challenge, or it has not ended. */
  ending: field.orNull(field.word(...CHALLENGE_ENDINGS)),
  /** Where the payer's browser goes after the challenge. */
  notificationUrl: field.maybeText,
  /** The address of the page of a challenge that a charge waits for. */
  redirectUrl: field.maybeText,
  /** The charge that it was used for, or that waits for it. */
  charge: field.orNull(links.to('charges')),
  /** That of the request whose charge waits for the challenge; null: no charge waits. */
  dialect: field.orNull(field.word(...DIALECTS)),
  dateAdded: field.instant,
  /** When the issuer demanded a challenge; null: there was none. */
  dateChallenged: field.maybeInstant,
  dateEnded: field.maybeInstant,
});

/** An attempt to find out whether a payer owns a card: a transaction of 3-D Secure. */
export interface Authentication extends field.RecordOf<typeof authenticationFields> {}

/** By what authentications are found beside their identifiers: by a token only until they are used. */
export const AUTHENTICATION_KEYS = {
  token: ({ token, charge }: Authentication) => (charge === null ? token : null),
};

export type AuthenticationTable = Table<Authentication, keyof typeof AUTHENTICATION_KEYS>;

/** How long a payer has for a challenge: 10 minutes, our assumption. */
export const CHALLENGE_TTL = 10 * 60_000;

/** The job of a challenge that nobody ended in time. */
export const CHALLENGE_EXPIRE = 'challenge.expire';
