import * as z from 'zod';

import { isProviderId } from '../outcomes/built-in.js';
import { glob, PATTERN_LENGTH_MAX } from './conditions.js';
import * as f from './field.js';
import { refuseTogether, takes } from './field.js';
import { type Operation, operationHint, OPERATIONS } from './operations.js';
import type { ProviderNames } from './provider-names.js';
import { State } from './then.js';

/** When a rule matches, as a scenario file says it. */

const COUNT_MAX = 1_000_000_000;
const AMOUNT_MAX = 1_000_000_000;
const DECIMAL = /^\d{1,10}(\.\d{1,3})?$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]{1,64}$/;
const CARD_PATTERN = /^[\d *?]+$/;

/** A pattern for texts. */
export function pattern(what: string) {
  const accepted = `${what}, in which * stands for any characters and ? for one`;
  const length = takes(`1 to ${PATTERN_LENGTH_MAX} characters`);
  return f
    .textThat(accepted, () => true)
    .min(1, length)
    .max(PATTERN_LENGTH_MAX, length);
}

const operationWords = takes(`one of ${OPERATIONS.join(', ')}`);

const meantBy = (given: string): readonly Operation[] => {
  const isMeant = glob(given.slice(0, PATTERN_LENGTH_MAX));
  return OPERATIONS.filter((operation) => isMeant(operation));
};

const OperationPattern = z
  .string(operationWords)
  .refine((given) => meantBy(given).length > 0, {
    abort: true,
    error: ({ input }) => `is ${f.describe(input)}; ${operationHint(String(input))}`,
  })
  .describe('an operation such as charge.create, or charge.*');

/** Operations, of which a pattern such as `charge.*` names several. */
const OperationField = z.codec(f.oneOrMany(OperationPattern), z.custom<readonly Operation[]>(), {
  decode: (given) => [...new Set(given.flatMap(meantBy))],
  encode: (operations) => [...operations],
});

/** One provider: its id, or the name of a built-in one or of one that the file brings along; perhaps a pattern of ids. */
export function providerField(names: ProviderNames, isPattern: ((text: string) => boolean) | null = null) {
  const known = `a ProviderId of 32 hex digits, or ${[...names.keys()].join(', ')}`;
  const words = takes(
    isPattern === null ? known : `${known}; * and ? may stand in an id`,
    (value) => f.inQuotes(value) || f.nearestOf([...names.keys()])(value),
  );
  const idOf = (given: string): string | undefined =>
    isPattern?.(given) ? given : (names.get(given) ?? (isProviderId(given) ? given : undefined));
  return f.readAs(z.string(words), z.string(), words, { read: idOf, write: (id) => id }).describe(known);
}

const isPatternOfIds = (text: string): boolean =>
  text.length <= 36 && /^[\da-f-]*[*?][\da-f*?-]*$/i.test(text);

const CARD_TAKES = 'the digits of a card number, in which * stands for any and ? for one';

const CardPattern = f
  .cardDigits(takes(CARD_TAKES, f.inQuotes), (text) =>
    text.length <= PATTERN_LENGTH_MAX && CARD_PATTERN.test(text) ? text : undefined,
  )
  .describe('a card number; * and ? may stand in it');

const BOUND_TAKES = 'an amount in major units such as 100 or 99.95';
const AMOUNT_TAKES = `${BOUND_TAKES}, a list of them, or an object of gt, gte, lt, lte`;

function amount(accepted: string) {
  const words = takes(accepted);
  const read = (value: string | number): number | undefined => {
    const number = typeof value === 'number' || DECIMAL.test(value) ? Number(value) : -1;
    return number >= 0 && number <= AMOUNT_MAX ? number : undefined;
  };
  return f
    .readAs(f.digits(words), z.number(), words, { read, write: (number) => number })
    .describe('in major units, such as 12.5');
}

const bound = amount(BOUND_TAKES).optional();

const Bounds = f.object({ gt: bound, gte: bound, lt: bound, lte: bound }).superRefine((bounds, context) => {
  if (Object.keys(bounds).length > 0) return;
  refuseTogether(context, 'is an empty object; it takes gt, gte, lt, lte');
});

const AmountField = z.union([f.oneOrMany(amount(AMOUNT_TAKES)), Bounds], takes(AMOUNT_TAKES));

const Headers = f.named(
  f.oneOrMany(pattern('a text')),
  (name) => (HEADER_NAME.test(name) ? null : 'is no name of a header'),
  'headers with their patterns such as {user-agent: "acme*"}',
);

const nonEmptyCount = (description: string) => f.whole(1, COUNT_MAX, description);

/** Which of those that match the rest. */
export const counting = {
  nth: f.oneOrMany(nonEmptyCount('which of the calls that match the rest, from 1')).optional(),
  every: nonEmptyCount('every n-th of the calls that match the rest').optional(),
  after: nonEmptyCount('how many calls are left alone before counting begins').optional(),
};

/** The conditions of a rule, which may name these providers. */
export const whenField = (providers: ProviderNames) =>
  f.object({
    operation: OperationField.optional(),
    provider: f.oneOrMany(providerField(providers, isPatternOfIds)).optional(),
    card: f.oneOrMany(CardPattern).optional(),
    amount: AmountField.optional(),
    currency: f.oneOrMany(pattern('a currency such as AUD')).optional(),
    reference: f.oneOrMany(pattern('a Reference')).optional(),
    customer: f.oneOrMany(pattern('a CustomerId')).optional(),
    header: Headers.optional(),
    state: State.optional(),
    ...counting,
  });
