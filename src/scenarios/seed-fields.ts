import * as z from 'zod';

import { ccvFault, parsePan } from '../core/card.js';
import { cardScheme } from '../core/card-scheme.js';
import {
  DURATION_MAX_MS,
  formatDuration,
  formatInstant,
  isExpiry,
  parseDuration,
  parseInstant,
} from '../core/time.js';
import { ValidationError } from '../core/validation-error.js';
import { isTestCard } from '../outcomes/magic.js';
import * as f from './field.js';
import { orNull, refuseTogether, takes } from './field.js';

/** Fields that several kinds of seed data share. */

const TEXT_LENGTH_MAX = 1024;
const CARDHOLDER_LENGTH_MAX = 256;
const METADATA_KEYS_MAX = 50;
const METADATA_NAME = /^(?!(?:__proto__|constructor|prototype)$).{1,1024}$/su;
const ID = /^[\da-f]{32}$/;

export const text = (what: string) => orNull(f.textUpTo(TEXT_LENGTH_MAX, what));

/** An identifier of the author's choice, or the place where another record is named by its own; null: it is computed. */
export function id(what: string) {
  const accepted = `${what}: 32 hexadecimal digits in small letters`;
  const words = takes(accepted, f.inQuotes);
  return orNull(z.string(words).regex(ID, words).describe(accepted));
}

const CARD_TAKES =
  'the number of a published test card such as 4111111111111111, of which playmoney triggers prints the list';

/** Only published test cards, since a file must not contain a real card number. */
export const CardNumber = f
  .cardDigits(takes(CARD_TAKES), (given) => {
    const { pan, fault } = parsePan(given);
    if (pan !== undefined && isTestCard(pan)) return pan;
    const what = fault === undefined ? 'no published test card' : 'no card number';
    const why = fault === 'length' ? ', of which 12 to 19 digits are taken' : '';
    // It may be a real card number, so it is not repeated.
    return new ValidationError(`is ${what}${why}; it takes ${CARD_TAKES}`);
  })
  .describe(CARD_TAKES);

export const ExpiryDate = f
  .textThat('the month and year MM/YY such as 10/30', isExpiry)
  .meta({ pattern: '^(0[1-9]|1[0-2])/\\d{2}$' });

export const Cardholder = orNull(f.textUpTo(CARDHOLDER_LENGTH_MAX, 'the name on the card'));

const CCV_TAKES = 'three digits, four for American Express, in quotes';
const ccvWords = f.takesSecret('is no Ccv', CCV_TAKES);

export const Ccv = orNull(
  z
    .string(ccvWords)
    .regex(/^\d{3,4}$/, ccvWords)
    .describe(CCV_TAKES),
);

/** Refuses the Ccv of a card that has the wrong length. */
export function requireCcv(
  { ccv, cardNumber }: { readonly ccv: string | null; readonly cardNumber: string },
  context: z.RefinementCtx,
): void {
  if (ccv === null || !ccvFault(ccv, cardScheme(cardNumber))) return;
  refuseTogether(context, `does not fit the card; it takes ${CCV_TAKES}`, 'ccv');
}

/** When something ends: so long after the world's start, or at an instant. Milliseconds; since 1970 for the latter. */
export type SeedEnd =
  | { readonly kind: 'after'; readonly ms: number }
  | { readonly kind: 'at'; readonly instant: number };

/** When a record ends; null: when such records end by themselves. */
export const Expires = orNull(
  f.textAs(
    z.custom<SeedEnd>(),
    "a time from the start of the world such as +15m or +7d, or an instant such as '2026-02-01T00:00:00Z'",
    {
      read: (given): SeedEnd | undefined => {
        const ms = given.startsWith('+') ? parseDuration(given.slice(1)) : undefined;
        if (ms !== undefined && ms <= DURATION_MAX_MS) return { kind: 'after', ms };
        const instant = parseInstant(given);
        return instant === undefined ? undefined : { kind: 'at', instant };
      },
      write: (end) => (end.kind === 'at' ? formatInstant(end.instant) : `+${formatDuration(end.ms)}`),
    },
  ),
);

/** The caller's own texts. */
export const Metadata = orNull(
  f
    .named(
      f.textUpTo(TEXT_LENGTH_MAX, 'a text of your own'),
      (name) => (METADATA_NAME.test(name) ? null : 'is no name in metadata'),
      'names and texts such as {plan: gold}',
    )
    .refine((entries) => Object.keys(entries).length <= METADATA_KEYS_MAX, {
      abort: true,
      error: `has more than ${METADATA_KEYS_MAX} names, which is the most`,
    }),
);
