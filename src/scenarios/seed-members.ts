import * as z from 'zod';

import { ccvFault, parsePan } from '../core/card.js';
import { cardScheme } from '../core/card-scheme.js';
import { DURATION_MAX_MS, isExpiry, parseDuration, parseInstant } from '../core/time.js';
import { DEFAULT_PROVIDER_ID } from '../outcomes/built-in.js';
import { isTestCard } from '../outcomes/magic.js';
import * as m from './members.js';
import { ValidationError } from '../core/validation-error.js';
import { refused, refusedSecret } from './members.js';
import type { FakeWish, SeedEnd } from './seed-model.js';
import { refuseTogether } from './then.js';

/** Members that several kinds of seed data share, as they are written in a scenario file. */

/** How many people are made up at most: our own limit. */
export const FAKE_CUSTOMERS_MAX = 10_000;

const TEXT_LENGTH_MAX = 1024;
const CARDHOLDER_LENGTH_MAX = 256;
const METADATA_KEYS_MAX = 50;
const METADATA_NAME = /^(?!(?:__proto__|constructor|prototype)$).{1,1024}$/su;
const ID = /^[\da-f]{32}$/;

export const text = (what: string) => m.textUpTo(TEXT_LENGTH_MAX, what).optional();

/** An identifier of the author's choice, or the place where another record is named by its own. */
export const id = (what: string) => {
  const takes = `${what}: 32 hexadecimal digits in small letters`;
  return m.member(
    { type: 'string', pattern: ID.source, description: takes },
    (value): string | ValidationError =>
      typeof value === 'string' && ID.test(value) ? value : refused(value, `${takes}${m.quotesHint(value)}`),
  );
};

const CARD_TAKES =
  'the number of a published test card such as 4111111111111111, of which playmoney triggers prints the list';

/** A card number of somebody's does not belong into a file, so published test cards alone are taken. */
export const CardNumber = m.member(
  { type: ['string', 'integer'], description: CARD_TAKES },
  (value): string | ValidationError => {
    const given = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    if (typeof given !== 'string') return refused(value, CARD_TAKES);
    const { pan, fault } = parsePan(given);
    if (pan !== undefined && isTestCard(pan)) return pan;
    const what = fault === undefined ? 'no published test card' : 'no card number';
    const why = fault === 'length' ? ', of which 12 to 19 digits are taken' : '';
    // What stood there may be somebody's, so it is not repeated.
    return new ValidationError(`is ${what}${why}`, { accepted: CARD_TAKES });
  },
);

const EXPIRY_TAKES = 'the month and year MM/YY such as 10/30';

export const ExpiryDate = m.member(
  { type: 'string', pattern: '^(0[1-9]|1[0-2])/\\d{2}$', description: EXPIRY_TAKES },
  (value): string | ValidationError =>
    typeof value === 'string' && isExpiry(value)
      ? value
      : refused(value, `${EXPIRY_TAKES}${m.quotesHint(value)}`),
);

export const Cardholder = m.textUpTo(CARDHOLDER_LENGTH_MAX, 'the name on the card').optional();

const CCV_TAKES = 'three digits, four for American Express, in quotes';

export const Ccv = m
  .member(
    { type: 'string', pattern: '^\\d{3,4}$', description: CCV_TAKES },
    (value): string | ValidationError =>
      typeof value === 'string' && /^\d{3,4}$/.test(value)
        ? value
        : refusedSecret(value, 'is no Ccv', CCV_TAKES),
  )
  .optional();

/** The Ccv of a card, or null; one of a wrong length is refused. */
export function ccvOf(ccv: string | undefined, pan: string, context: z.RefinementCtx): string | null {
  if (ccv === undefined) return null;
  if (!ccvFault(ccv, cardScheme(pan))) return ccv;
  return refuseTogether(context, `does not fit the card; it takes ${CCV_TAKES}`, 'ccv');
}

const END_TAKES =
  "a time from the start of the world such as +15m or +7d, or an instant such as '2026-02-01T00:00:00Z'";

/** When something ends. */
export const Expires = m
  .member({ type: 'string', description: END_TAKES }, (value): SeedEnd | ValidationError => {
    if (typeof value !== 'string') return refused(value, END_TAKES);
    const ms = value.startsWith('+') ? parseDuration(value.slice(1)) : undefined;
    if (ms !== undefined && ms <= DURATION_MAX_MS) return { kind: 'after', ms };
    const instant = parseInstant(value);
    return instant === undefined ? refused(value, END_TAKES) : { kind: 'at', instant };
  })
  .optional();

/** The caller's own texts. */
export const Metadata = m
  .named(
    m.textUpTo(TEXT_LENGTH_MAX, 'a text of your own'),
    (name) => (METADATA_NAME.test(name) ? null : 'is no name in metadata'),
    'names and texts such as {plan: gold}',
  )
  .refine((entries) => Object.keys(entries).length <= METADATA_KEYS_MAX, {
    error: `has more than ${METADATA_KEYS_MAX} names, which is the most`,
  })
  .optional();

export const providerIdOf = (given: string | undefined): string => given ?? DEFAULT_PROVIDER_ID;

const FAKE_TAKES = `a number of people such as '200 customers', at most ${FAKE_CUSTOMERS_MAX}`;

const FakeText = m.member(
  { type: 'string', pattern: '^\\d+ customers?$', description: FAKE_TAKES, examples: ['200 customers'] },
  (value): FakeWish | ValidationError => {
    const [, digits = '0'] = (typeof value === 'string' && /^(\d{1,9}) customers?$/.exec(value)) || [];
    const customers = Number(digits);
    const isTaken = customers >= 1 && customers <= FAKE_CUSTOMERS_MAX;
    return isTaken ? { customers, paymentMethods: true } : refused(value, FAKE_TAKES);
  },
);

const FakeObject = m
  .object({
    customers: m.whole(1, FAKE_CUSTOMERS_MAX, 'how many people'),
    paymentMethods: m.oneOf([true, false], 'whether each has a card; true unless told otherwise').optional(),
  })
  .transform(({ customers, paymentMethods }): FakeWish => ({
    customers,
    paymentMethods: paymentMethods ?? true,
  }));

/** People who are made up from the world's seed. */
export const Fake = z.union([FakeText, FakeObject], {
  error: (issue) => refused(issue.input, `${FAKE_TAKES}, or {customers, paymentMethods}`).message,
});
