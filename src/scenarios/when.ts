import * as z from 'zod';

import { isProviderId } from '../outcomes/built-in.js';
import { glob, PATTERN_LENGTH_MAX } from './conditions.js';
import * as m from './members.js';
import { ValidationError } from '../core/validation-error.js';
import { refused } from './members.js';
import { operationHint } from './operation-hint.js';
import { type AmountTest, type Operation, OPERATIONS, type When } from './model.js';
import type { ProviderNames } from './provider-names.js';
import { refuseTogether, State } from './then.js';

/** When a rule matches, as it is written in a scenario file. */

const COUNT_MAX = 1_000_000_000;
const AMOUNT_MAX = 1_000_000_000;
const DECIMAL = /^\d{1,10}(\.\d{1,3})?$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]{1,64}$/;
const CARD_PATTERN = /^[\d *?]+$/;

const takesPattern = (what: string) => `${what}, in which * stands for any characters and ? for one`;

export const pattern = (what: string) =>
  m.member({ type: 'string', description: takesPattern(what) }, (value): string | ValidationError => {
    if (typeof value !== 'string') {
      return refused(value, `${takesPattern(what)}${m.quotesHint(value)}`);
    }
    if (value !== '' && value.length <= PATTERN_LENGTH_MAX) return value;
    return refused(value, `1 to ${PATTERN_LENGTH_MAX} characters`);
  });

/** One operation, or several by a pattern such as `charge.*`. */
const OperationMember = m.member(
  { type: 'string', description: 'an operation such as charge.create, or charge.*' },
  (value): readonly Operation[] | ValidationError => {
    if (typeof value !== 'string') return refused(value, `one of ${OPERATIONS.join(', ')}`);
    const isMeant = glob(value.slice(0, PATTERN_LENGTH_MAX));
    const meant = OPERATIONS.filter((operation) => isMeant(operation));
    if (meant.length > 0) return meant;
    return new ValidationError(`is ${m.describe(value)}; ${operationHint(value)}`);
  },
);

const providerTakes = (names: ProviderNames) =>
  `a ProviderId of 32 hex digits, or ${[...names.keys()].join(', ')}`;

function readProvider(value: unknown, names: ProviderNames, takes: string): string | ValidationError {
  if (typeof value !== 'string') {
    return refused(value, `${takes}${m.quotesHint(value)}`);
  }
  const named = names.get(value);
  if (named !== undefined) return named;
  if (isProviderId(value)) return value;
  return refused(value, `${takes}${m.didYouMean(value, names.keys())}`);
}

/** One provider: its id, or the name of a built-in one or of one that the file brings along. */
export const providerMember = (names: ProviderNames) => {
  const takes = providerTakes(names);
  return m.member({ type: 'string', description: takes }, (value) => readProvider(value, names, takes));
};

const providerPattern = (names: ProviderNames) => {
  const takes = providerTakes(names);
  return m.member({ type: 'string', description: takes }, (value) => {
    const isPattern =
      typeof value === 'string' && value.length <= 36 && /^[\da-f-]*[*?][\da-f*?-]*$/i.test(value);
    return isPattern ? value : readProvider(value, names, `${takes}; * and ? may stand in an id`);
  });
};

/** A card number may be written without quotes: it begins with no zero, so it has lost nothing. */
const CardPattern = m.member(
  { type: ['string', 'integer'], description: 'a card number; * and ? may stand in it' },
  (value) => {
    const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    const takes = 'the digits of a card number, in which * stands for any and ? for one';
    if (typeof text !== 'string') {
      return refused(value, `${takes}${m.quotesHint(value)}`);
    }
    if (text.length <= PATTERN_LENGTH_MAX && CARD_PATTERN.test(text)) return text;
    return refused(value, takes);
  },
);

const readAmount = (value: unknown, takes: string): number | ValidationError => {
  const isDecimal = typeof value === 'string' && DECIMAL.test(value);
  const amount = isDecimal ? Number(value) : value;
  const isAmount = typeof amount === 'number' && amount >= 0 && amount <= AMOUNT_MAX;
  return isAmount ? amount : refused(value, takes);
};

const BOUND_TAKES = 'an amount in major units such as 100 or 99.95';
const AMOUNT_TAKES = `${BOUND_TAKES}, a list of them, or an object of gt, gte, lt, lte`;
const AMOUNT_NOTE = { type: ['number', 'string'], description: 'in major units, such as 12.5' } as const;

const Amount = m.member(AMOUNT_NOTE, (value) => readAmount(value, AMOUNT_TAKES));
const Bound = m.member(AMOUNT_NOTE, (value) => readAmount(value, BOUND_TAKES)).optional();

const Bounds = m
  .object({ gt: Bound, gte: Bound, lt: Bound, lte: Bound })
  .transform((bounds, context): AmountTest => {
    const given = Object.entries(bounds).filter(([, bound]) => bound !== undefined);
    if (given.length === 0) return refuseTogether(context, 'is an empty object; it takes gt, gte, lt, lte');
    return { kind: 'bounds', ...(Object.fromEntries(given) as Record<string, number>) };
  });

const AmountMember = z.union(
  [m.oneOrMany(Amount).transform((values): AmountTest => ({ kind: 'equal', values })), Bounds],
  { error: (issue) => refused(issue.input, AMOUNT_TAKES).message },
);

const Headers = m.named(
  m.oneOrMany(pattern('a text')),
  (name) => (HEADER_NAME.test(name) ? null : 'is no name of a header'),
  'headers with their patterns such as {user-agent: "acme*"}',
);

const nonEmptyCount = (description: string) => m.whole(1, COUNT_MAX, description);

/** Which of those that match the rest. */
export const counting = {
  nth: m.oneOrMany(nonEmptyCount('which of the calls that match the rest, from 1')).optional(),
  every: nonEmptyCount('every so-manieth of the calls that match the rest').optional(),
  after: nonEmptyCount('how many calls are left alone before counting begins').optional(),
};

/** The conditions of a rule, which may name these providers. */
export const whenMember = (providers: ProviderNames) =>
  m
    .object({
      operation: m.oneOrMany(OperationMember).optional(),
      provider: m.oneOrMany(providerPattern(providers)).optional(),
      card: m.oneOrMany(CardPattern).optional(),
      amount: AmountMember.optional(),
      currency: m.oneOrMany(pattern('a currency such as AUD')).optional(),
      reference: m.oneOrMany(pattern('a Reference')).optional(),
      customer: m.oneOrMany(pattern('a CustomerId')).optional(),
      header: Headers.optional(),
      state: State.optional(),
      ...counting,
    })
    .transform((when): When => {
      const given = Object.entries(when).filter(([, condition]) => condition !== undefined);
      return {
        ...(Object.fromEntries(given) as Omit<When, 'operation'>),
        ...(when.operation === undefined ? {} : { operation: [...new Set(when.operation.flat())] }),
      };
    });
