import * as z from 'zod';

import { acceptsCcv, parsePan } from '../../core/cards/card.js';
import { findCardScheme } from '../../core/cards/card-scheme.js';
import { formatInstant, isExpiry, parseInstant } from '../../core/time/time.js';
import { ValidationError } from '../../core/validation-error.js';
import { isTestCard } from '../../outcomes/magic.js';
import * as f from '../file/field.js';
import { orNull, refuseTogether, mustBe } from '../file/field.js';

const TEXT_LENGTH_MAX = 1024;
const CARDHOLDER_LENGTH_MAX = 256;
const METADATA_KEYS_MAX = 50;
const METADATA_NAME = /^(?!(?:__proto__|constructor|prototype)$).{1,1024}$/su;
const ID = /^[\da-f]{32}$/;

export const seedText = (what: string) => orNull(f.textWithin(TEXT_LENGTH_MAX).describe(what));

/** An identifier chosen by the author, or a reference to another record; null: derived from the seed. */
export function seedId(what: string) {
  const accepted = '32 hexadecimal digits in lower case';
  const words = mustBe(accepted, f.hintQuotes);
  return orNull(z.string(words).regex(ID, words).describe(`${what}: ${accepted}`));
}

const SUCH_AS = 'such as 4111111111111111 (`playmoney triggers` lists them)';
const CARD_ACCEPTED = `a published test card ${SUCH_AS}`;

/** Only published test cards, because a file must not contain a real card number. */
export const CardNumber = f
  .cardDigits(mustBe(CARD_ACCEPTED), (given) => {
    const { pan, fault } = parsePan(given);
    if (pan !== undefined && isTestCard(pan)) return pan;
    // The message does not repeat the number, which may be that of a real card.
    if (fault === undefined) return new ValidationError(`is not a published test card; use one ${SUCH_AS}`);
    const why = fault === 'length' ? 'must have 12 to 19 digits' : 'is not a valid card number';
    return new ValidationError(`${why}; use ${CARD_ACCEPTED}`);
  })
  .describe(CARD_ACCEPTED);

export const ExpiryDate = f
  .textThat('a month and year such as 10/30', isExpiry)
  .meta({ pattern: '^(0[1-9]|1[0-2])/\\d{2}$' });

export const Cardholder = orNull(f.textWithin(CARDHOLDER_LENGTH_MAX).describe('the name on the card'));

const CCV_ACCEPTED = 'three digits in quotes, or four for American Express';
const ccvWords = f.secretMustBe(CCV_ACCEPTED);

export const Ccv = orNull(
  z
    .string(ccvWords)
    .regex(/^\d{3,4}$/, ccvWords)
    .describe(CCV_ACCEPTED),
);

export function requireSchemeCcv(
  { ccv, cardNumber }: { readonly ccv: string | null; readonly cardNumber: string },
  context: z.RefinementCtx,
): void {
  if (ccv === null || acceptsCcv(findCardScheme(cardNumber), ccv)) return;
  refuseTogether(context, `does not fit the card; it must be ${CCV_ACCEPTED}`, 'ccv');
}

/** When a record expires: milliseconds after the world's start, or an instant in milliseconds since 1970. */
export type SeedExpiry =
  | { readonly kind: 'after'; readonly ms: number }
  | { readonly kind: 'at'; readonly instant: number };

/** When a record expires; null: at the default time of its kind. */
export const Expires = orNull(
  f.encodedText(
    z.custom<SeedExpiry>(),
    'a time since the start of the world such as +15m or +7d, or a date-time such as "2026-02-01T00:00:00Z"',
    {
      read: (given): SeedExpiry | undefined => {
        const ms = f.OFFSET.read(given);
        if (ms !== undefined) return { kind: 'after', ms };
        const instant = parseInstant(given);
        return instant === undefined ? undefined : { kind: 'at', instant };
      },
      write: (end) => (end.kind === 'at' ? formatInstant(end.instant) : f.OFFSET.write(end.ms)),
    },
  ),
);

export const Metadata = orNull(
  f
    .namedValues(
      f.textWithin(TEXT_LENGTH_MAX).describe('a string of your own'),
      (name) =>
        METADATA_NAME.test(name)
          ? null
          : 'is not a valid name in metadata; use 1 to 1024 characters, but not __proto__, constructor or prototype',
      'an object of names and strings such as {plan: gold}',
    )
    .refine((entries) => Object.keys(entries).length <= METADATA_KEYS_MAX, {
      abort: true,
      error: `must have at most ${METADATA_KEYS_MAX} names`,
    }),
);
