import { PAN_DIGITS_MAX, PAN_DIGITS_MIN, passesLuhn, shortenText } from '../core/cards/card.js';
import { CARD_SCHEMES } from '../core/cards/card-scheme.js';
import {
  AMOUNT_MAX_MAJOR,
  CURRENCY_CODES,
  CURRENCY_CODE,
  parseCurrency,
  currencyExponent,
  parseAmount,
  UNIT_DECIMALS,
} from '../core/money.js';
import { compileGlob } from '../core/text/glob.js';
import { findNearest, suggest } from '../core/text/nearest.js';
import { isUuid, quoteText } from '../core/text/text.js';
import { formatInstant, parseInstant } from '../core/time/time.js';
import { BATCH_STATUSES } from './batch.js';
import { CHARGE_STATUSES, OTHER_STATUS_WORDS } from './charge.js';
import { SUBSCRIPTION_TRANSITIONS } from './subscription.js';
import { type EventType, TOPIC_OF_EVENT, type Topic } from './webhook-subscription.js';

/**
 * The values that a field of the API can have, and how the API compares them. What is compared with the field is checked against it:
 * the conditions of scenarios, queued outcomes, and what tests expect. A value that no record can have would never match, so it is refused.
 */
export interface AcceptedValues {
  /** All of them, if they are few enough to be listed. */
  readonly words?: readonly string[];
  /** Completes "must be …". */
  readonly accepted: string;
  /** A value as records have it, from any spelling that the API accepts; undefined if no record can have it. */
  readonly read: (given: string) => string | undefined;
  /** Whether a pattern with * and ? matches some value. */
  readonly fitsPattern: (pattern: string) => boolean;
  /** The value that was probably meant. */
  readonly suggest: (given: string) => string | undefined;
}

const SHOWN_MAX = 60;

/** Why a value or a pattern of it can never match, such as `must be one of …, not "PAID". Did you mean SUCCESS?`; null if it can. */
export function whyNeverMatches(values: AcceptedValues, given: string): string | null {
  if (values.read(given) !== undefined || values.fitsPattern(given)) return null;
  const shown = quoteText(shortenText(given, SHOWN_MAX), SHOWN_MAX);
  return `must be ${values.accepted}, not ${shown}${suggest(values.suggest(given))}`;
}

/** Words without letter case. `others` are further words for some of them, and `near` words that people write instead. */
function wordsWithoutCase(
  words: readonly string[],
  accepted = `one of ${words.join(', ')}`,
  others: Readonly<Record<string, string>> = {},
  near: Readonly<Record<string, string>> = {},
): AcceptedValues {
  const known = new Map([
    ...words.map((word) => [word.toLowerCase(), word] as const),
    ...Object.entries(others),
  ]);
  const meanings = new Map(Object.entries(near));
  return {
    words,
    accepted,
    read: (given) => known.get(given.toLowerCase()),
    fitsPattern: (pattern) => words.some((word) => compileGlob(pattern.toLowerCase())(word.toLowerCase())),
    suggest: (given) => meanings.get(given.toLowerCase()) ?? findNearest(given, words, 1)[0],
  };
}

export const CURRENCY: AcceptedValues = {
  ...wordsWithoutCase(CURRENCY_CODES, CURRENCY_CODE),
  read: parseCurrency,
};

export const CHARGE_STATUS = wordsWithoutCase(CHARGE_STATUSES, undefined, OTHER_STATUS_WORDS, {
  paid: 'SUCCESS',
  captured: 'SUCCESS',
  approved: 'SUCCESS',
  declined: 'FAILED',
  voided: 'AUTHORISE_CANCELLED',
  cancelled: 'AUTHORISE_CANCELLED',
});
export const BATCH_STATUS = wordsWithoutCase(BATCH_STATUSES);
export const SUBSCRIPTION_STATUS = wordsWithoutCase(Object.keys(SUBSCRIPTION_TRANSITIONS));
export const CARD_SCHEME = wordsWithoutCase(CARD_SCHEMES);

/** The statuses of a topic's records; null if they have none. */
const STATUS_OF_TOPIC: Readonly<Record<Topic, AcceptedValues | null>> = {
  Transaction: CHARGE_STATUS,
  Batch: BATCH_STATUS,
  Subscription: SUBSCRIPTION_STATUS,
  Customer: null,
  PaymentMethod: null,
};

/** The statuses of the record that a webhook is about; null if it has none. */
export function eventStatuses(event: EventType): AcceptedValues | null {
  return STATUS_OF_TOPIC[TOPIC_OF_EVENT[event]];
}

/** Texts of some characters, between a minimum and a maximum length. A `sound` one keeps a rule beyond that, such as a check digit. */
function shapedText(
  accepted: string,
  characters: string,
  [min, max]: readonly [number, number],
  sound: (text: string) => boolean = () => true,
): AcceptedValues {
  const [whole, part] = [
    new RegExp(`^${characters}{${min},${max}}$`),
    new RegExp(`^(?:${characters}|[*?])+$`),
  ];
  return {
    accepted,
    read: (given) => (whole.test(given) && sound(given) ? given : undefined),
    fitsPattern: (pattern) => {
      const fixed = pattern.replaceAll('*', '').length;
      if (!part.test(pattern) || fixed > max) return false;
      return pattern.includes('*') || (pattern.includes('?') && fixed >= min);
    },
    suggest: () => undefined,
  };
}

/** The identifier of a record. Upper-case letters and hyphens are unknown to the API as well. */
export const RECORD_ID = shapedText('32 hexadecimal digits in lower case', String.raw`[\da-f]`, [32, 32]);

/** The identifier of a provider, in the spelling in which it was given. */
export const PROVIDER_ID: AcceptedValues = {
  accepted: '32 hexadecimal digits or a hyphenated UUID',
  read: (given) => (isUuid(given) ? given : undefined),
  fitsPattern: () => false,
  suggest: () => undefined,
};

export const CARD_NUMBER = shapedText(
  `a card number of ${PAN_DIGITS_MIN} to ${PAN_DIGITS_MAX} digits that passes the Luhn check`,
  String.raw`\d`,
  [PAN_DIGITS_MIN, PAN_DIGITS_MAX],
  passesLuhn,
);

export const INSTANT: AcceptedValues = {
  accepted: 'in UTC with milliseconds, such as 2026-01-01T00:00:00.000Z',
  read: (given) => {
    const instant = parseInstant(given);
    return instant === undefined ? undefined : formatInstant(instant);
  },
  fitsPattern: () => false,
  suggest: () => undefined,
};

/** The currency with the most decimals among those that the patterns match: 3 for `['AUD', 'K*']`, which match KWD. */
export function finestCurrency(patterns: readonly string[] = ['*']): string {
  const tests = patterns.map((pattern) => compileGlob(pattern.toUpperCase()));
  const matched = CURRENCY_CODES.filter((code) => tests.some((test) => test(code)));
  return matched.reduce(
    (finest, code) => (decimalsIn(code) > decimalsIn(finest) ? code : finest),
    matched[0] ?? '',
  );
}

const decimalsIn = (currency: string | null): number => currencyExponent(currency ?? '') ?? USUAL_DECIMALS;
const USUAL_DECIMALS = 2;

/** Why no charge can have an amount in major units. Without a currency, it must be one of those with two decimals or fewer. */
export function whyImpossibleAmount(amount: number, currency: string | null): string | null {
  if (Number.isNaN(amount)) return 'must be a number, not NaN';
  if (typeof parseAmount(String(amount), decimalsIn(currency)) === 'number') return null;
  if (amount <= 0) return `must be greater than 0, not ${amount}`;
  if (amount > AMOUNT_MAX_MAJOR) return `must be at most ${AMOUNT_MAX_MAJOR}, not ${amount}`;
  return currency === null
    ? `has more than ${USUAL_DECIMALS} decimals: ${amount}. Name the currency that has them, such as KWD`
    : `has more decimals than ${currency}, which has ${decimalsIn(currency)}: ${amount}`;
}

/** Limits of an amount in major units. */
export interface AmountBounds {
  readonly gt?: number | undefined;
  readonly gte?: number | undefined;
  readonly lt?: number | undefined;
  readonly lte?: number | undefined;
}

/** Whether some amount in a currency is within bounds. */
export function hasAmountWithin(
  { gt = 0, gte = 0, lt = Infinity, lte = Infinity }: AmountBounds,
  currency: string,
): boolean {
  const minor = (major: number): number =>
    Number((major * 10 ** decimalsIn(currency)).toFixed(UNIT_DECIMALS));
  const lowest = Math.max(1, Math.floor(minor(gt)) + 1, Math.ceil(minor(gte)));
  const highest = Math.min(minor(AMOUNT_MAX_MAJOR), Math.ceil(minor(lt)) - 1, Math.floor(minor(lte)));
  return lowest <= highest;
}

/** A regular expression: between slashes, anchored, or with a repeated or escaped class. */
const REGULAR_EXPRESSION = /^\/.*\/[a-z]*$|^\^|\$$|\.[*+]|\\[dws]|\[[^\]]*-[^\]]*\]|\([^)]*\|/i;
const LIKE_OF_SQL = /^%|%$/;

/** Why a text that is possible looks like a mistake, where * and ? are the only patterns; null if it does not. */
export function whyForeignPattern(text: string): string | null {
  const kind = foreignPattern(text);
  if (kind === null) return null;
  const meant = text
    .replace(/^\/(.*)\/[a-z]*$/i, '$1')
    .replaceAll(/^\^|\$$/g, '')
    .replaceAll(/(?:\.|\\[dws]|\[[^\]]*\])[*+]/gi, '*')
    .replaceAll(/\\[dws]|\[[^\]]*\]/gi, '?')
    .replaceAll(/^%|%$/g, '*');
  const hint = foreignPattern(meant) === null ? `. Did you mean ${meant}?` : '';
  return `looks like ${kind}, but only * (any characters) and ? (one) have a meaning${hint}`;
}

/** Names the foreign syntax that a text looks like, such as `a regular expression` for `^order-\d+$`; null if there is none. */
export function foreignPattern(text: string): string | null {
  if (REGULAR_EXPRESSION.test(text)) return 'a regular expression';
  return LIKE_OF_SQL.test(text) ? 'a pattern of SQL' : null;
}
