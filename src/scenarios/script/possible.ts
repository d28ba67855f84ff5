import { PAN_DIGITS_MIN, passesLuhn } from '../../core/cards/card.js';
import { LIVE_PREFIX, PUBLIC_PREFIX, REFUSED_KEYS } from '../../core/keys.js';
import { isReceiver } from '../../core/receiver.js';
import { compileGlob, PATTERN_LENGTH_MAX } from '../../core/text/glob.js';
import { ValidationError } from '../../core/validation-error.js';
import { BUILT_IN_PROVIDERS } from '../../outcomes/built-in.js';
import * as values from '../../records/field-values.js';

/** Which patterns some call can match. */

const CARD_PATTERN = /^[\d *?]+$/;
const CARD_BOUND = /^\d{1,19}$/;

export const CARD_ACCEPTED = 'a card number, a pattern such as "4111*" or a range such as 222100-272099';

/** The bounds of a range are card numbers, or the same number of their first digits. */
export function parseCardPattern(text: string): string | ValidationError | undefined {
  if (text.length > PATTERN_LENGTH_MAX) return undefined;
  if (!text.includes('-')) return CARD_PATTERN.test(text) ? text : undefined;
  const [from = '', to = '', more] = text.replaceAll(' ', '').split('-');
  if (more !== undefined || !CARD_BOUND.test(from) || !CARD_BOUND.test(to)) return undefined;
  if (from.length !== to.length)
    return new ValidationError('must be a range of two numbers with the same number of digits');
  return from <= to
    ? `${from}-${to}`
    : new ValidationError('must be a range that begins with the smaller number');
}

export const PROVIDER: values.AcceptedValues = {
  ...values.RECORD_ID,
  accepted: 'a ProviderId (32 hexadecimal digits) or a pattern of it',
  suggest: (given) => BUILT_IN_PROVIDERS.find(({ name }) => name === given)?.providerId,
};
export const CUSTOMER = {
  ...values.RECORD_ID,
  accepted: 'a CustomerId (32 hexadecimal digits in lower case) or a pattern of it',
};
const CARD = {
  ...values.CARD_NUMBER,
  accepted: `${values.CARD_NUMBER.accepted}, or a pattern of it`,
};

export function whyNoCard(card: string): string | null {
  const [from = '', to] = card.replaceAll(' ', '').split('-');
  if (to === undefined) return values.whyNeverMatches(CARD, from);
  if (from.length < PAN_DIGITS_MIN) return null;
  // Of the ten numbers that differ in their last digit, one passes the Luhn check, and 19 in a row contain such ten.
  const numbers = Array.from({ length: 19 }, (_, i) =>
    String(BigInt(from) + BigInt(i)).padStart(from.length, '0'),
  );
  const hasCard = numbers.some((number) => number <= to && passesLuhn(number));
  return hasCard ? null : 'has no card number: none of the range passes the Luhn check';
}

/** Whether the Url of some receiver matches a pattern: judged by what is before its first star. */
export function matchesSomeReceiver(pattern: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  if (/\s/.test(pattern)) return false;
  // A question mark may stand for a letter or a digit of a host, or begin the query.
  const filled = ['a', '1', '?'].map((sample) => head.replaceAll('?', sample));
  if (rest.length === 0) return [head, ...filled].some(isReceiver);
  const [, host] = /^(https?:\/\/[^/]+\/)/i.exec(head) ?? [];
  if (host !== undefined) return ['a', '1'].some((sample) => isReceiver(host.replaceAll('?', sample)));
  return ['http://', 'https://'].some((scheme) =>
    compileGlob(head.slice(0, scheme.length).toLowerCase())(scheme.slice(0, head.length)),
  );
}

/** Why no server accepts a secret key; null if one can. Never contains the key, unless everybody knows it. */
export function whyNoKey(key: string): string | null {
  const use = 'Use the secret key, which begins with sk_test_';
  if (key.startsWith(PUBLIC_PREFIX)) return `is a public key. ${use}`;
  if (key.startsWith(LIVE_PREFIX)) return `is a live key, but this is a sandbox. ${use}`;
  return REFUSED_KEYS.has(key) ? `is ${key}, which is always refused, so it has no world` : null;
}
