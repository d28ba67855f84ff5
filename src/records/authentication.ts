import { DIALECTS } from '../core/dialect/dialect.js';
import * as field from '../core/store/field.js';
import type { Links } from '../core/store/field.js';
import type { Table } from '../core/store/store.js';

/** CHALLENGED: it waits for the payer. */
export const AUTHENTICATION_STATUSES = ['CREATED', 'CHALLENGED', 'PASSED', 'FAILED', 'UNAVAILABLE'] as const;
export type AuthenticationStatus = (typeof AUTHENTICATION_STATUSES)[number];

/** How a challenge ended: by the payer, or by a time-out. */
export const CHALLENGE_ENDINGS = ['approve', 'fail', 'abandon', 'timeOut'] as const;
export type ChallengeEnding = (typeof CHALLENGE_ENDINGS)[number];

export const authenticationFields = (links: Links) => ({
  /** The card number. */
  masked: field.text(19),
  scheme: field.shared(field.anyText),
  trigger: field.maybeText,
  /** The token of the card; null: the request had the card itself. */
  token: field.maybeText,
  /** Whether a charge was declined without it. The issuer of an ordinary card then demands a challenge. */
  isRequired: field.flag,
  status: field.word(...AUTHENTICATION_STATUSES),
  /** Null if there was no challenge, or if it goes on. */
  ending: field.orNull(field.word(...CHALLENGE_ENDINGS)),
  /** Where the payer's browser goes after the challenge. */
  notificationUrl: field.maybeText,
  /** The address of the challenge page, if a charge waits for it. */
  redirectUrl: field.maybeText,
  /** The charge that used it, or that waits for it. */
  charge: field.orNull(links.to('charges')),
  /** The dialect of the request whose charge waits for the challenge; null: no charge waits. */
  dialect: field.orNull(field.word(...DIALECTS)),
  dateAdded: field.instant,
  dateChallenged: field.maybeInstant,
  dateEnded: field.maybeInstant,
});

/** A 3-D Secure transaction: it checks whether the payer owns the card. */
export interface Authentication extends field.RecordOf<typeof authenticationFields> {}

/** An authentication is found by its token until a charge uses it. */
export const AUTHENTICATION_KEYS = {
  token: ({ token, charge }: Authentication) => (charge === null ? token : null),
};

export type AuthenticationTable = Table<Authentication, keyof typeof AUTHENTICATION_KEYS>;

/** How long a payer has for a challenge: 10 minutes, our assumption. */
export const CHALLENGE_TTL = 10 * 60_000;

export const CHALLENGE_EXPIRE = 'challenge.expire';
