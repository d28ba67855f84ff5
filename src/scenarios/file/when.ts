import * as z from 'zod';

import { isUuid } from '../../core/text/text.js';
import { DURATION_MAX_MS } from '../../core/time/time.js';
import { EACH } from '../script/each.js';
import { compileGlob, PATTERN_LENGTH_MAX } from '../../core/text/glob.js';
import * as f from './field.js';
import { refuseTogether, mustBe } from './field.js';
import { type Operation, hintOperation, operationsAsMarkdown, OPERATIONS } from '../script/operations.js';
import { CARD_ACCEPTED, parseCardPattern } from '../script/possible.js';
import type { ProviderNames } from './provider-names.js';
import { State } from './effects.js';

const COUNT_MAX = 1_000_000_000;
const AMOUNT_MAX = 1_000_000_000;
const DECIMAL = /^\d{1,10}(\.\d{1,3})?$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]{1,64}$/;

export function patternField(what: string) {
  const description = `${what}; * matches any characters and ? matches one`;
  const length = mustBe(`a pattern of 1 to ${PATTERN_LENGTH_MAX} characters`);
  return f
    .textThat('a string', () => true)
    .min(1, length)
    .max(PATTERN_LENGTH_MAX, length)
    .describe(description);
}

const operationWords = mustBe(`one of ${OPERATIONS.join(', ')}`);

const expandOperations = (given: string): readonly Operation[] => {
  const isMeant = compileGlob(given.slice(0, PATTERN_LENGTH_MAX));
  return OPERATIONS.filter((operation) => isMeant(operation));
};

const OperationPattern = z
  .string(operationWords)
  .refine((given) => expandOperations(given).length > 0, {
    abort: true,
    error: ({ input }) => `${f.describeValue(input)} is unknown. ${hintOperation(String(input))}`,
  })
  .describe('an operation such as charge.create, or charge.*');

const OperationField = z.codec(f.oneOrMany(OperationPattern), z.custom<readonly Operation[]>(), {
  decode: (given) => [...new Set(given.flatMap(expandOperations))],
  encode: (operations) => [...operations],
});

/** A provider: its id, the name of a built-in one or of one in the same file, or optionally a pattern of ids. */
export function providerField(names: ProviderNames, isPattern: ((text: string) => boolean) | null = null) {
  const known = `a ProviderId (32 hexadecimal digits) or one of ${[...names.keys()].join(', ')}`;
  const words = mustBe(
    isPattern === null ? known : known.replace('digits)', 'digits, or a pattern with * and ?)'),
    (value) => f.hintQuotes(value) || f.hintNearest([...names.keys()])(value),
  );
  const idOf = (given: string): string | undefined =>
    isPattern?.(given) ? given : (names.get(given) ?? (isUuid(given) ? given : undefined));
  return f.codecField(z.string(words), z.string(), words, { read: idOf, write: (id) => id }).describe(known);
}

const isIdPattern = (text: string): boolean => text.length <= 36 && /^[\da-f-]*[*?][\da-f*?-]*$/i.test(text);

const CardPattern = f
  .cardDigits(mustBe(CARD_ACCEPTED, f.hintQuotes), parseCardPattern)
  .describe(CARD_ACCEPTED);

const BOUND_ACCEPTED = 'an amount in major units such as 100 or 99.95';
const AMOUNT_ACCEPTED = `${BOUND_ACCEPTED}, a list of amounts, or an object with gt, gte, lt or lte`;

function whenAmount(accepted: string) {
  const words = mustBe(accepted);
  const read = (value: string | number): number | undefined => {
    const number = typeof value === 'number' || DECIMAL.test(value) ? Number(value) : -1;
    return number >= 0 && number <= AMOUNT_MAX ? number : undefined;
  };
  return f
    .codecField(f.numberOrDigits(words), z.number(), words, { read, write: (number) => number })
    .describe('in major units, such as 12.5');
}

const bound = whenAmount(BOUND_ACCEPTED).optional();

const Bounds = f.object({ gt: bound, gte: bound, lt: bound, lte: bound }).superRefine((bounds, context) => {
  if (Object.keys(bounds).length > 0) return;
  refuseTogether(context, 'must have at least one of gt, gte, lt, lte');
});

const AmountField = z.union([f.oneOrMany(whenAmount(AMOUNT_ACCEPTED)), Bounds], mustBe(AMOUNT_ACCEPTED));

const Headers = f.namedValues(
  f.oneOrMany(patternField('a text')),
  (name) => (HEADER_NAME.test(name) ? null : 'is not a header name'),
  'an object of header names and patterns such as {user-agent: "acme*"}',
);

const countField = () => f.whole(1, COUNT_MAX);

const sinceStartField = () => f.duration(0, DURATION_MAX_MS, '100 years').optional();

/** When a rule or policy applies, on the world's clock since its scenario came into use; and which of the calls that meet all other conditions. */
export const turnFields = {
  from: sinceStartField().describe(
    'From when on it applies, such as `10m`: on the world’s clock since the scenario came into use. This instant is included.',
  ),
  until: sinceStartField().describe('Until when it applies, such as `20m`. This instant is not included.'),
  nth: f
    .oneOrMany(countField().describe('counted from 1'))
    .optional()
    .describe('The n-th call that meets all other conditions, counted from 1.'),
  every: countField().describe('Every n-th such call.').optional(),
  after: countField().describe('Skips this many such calls before the rule can match.').optional(),
  each: f
    .choice(EACH)
    .describe(
      '`customer` or `reference`: counts for `nth`, `every` and `after` separately for each CustomerId or Reference. A call without one does not match.',
    )
    .optional(),
};

type TurnFields = { readonly [K in keyof typeof turnFields]?: unknown };

export function requireCount({ nth, every, after, each }: TurnFields, context: z.RefinementCtx): void {
  if (each === undefined || (nth ?? every ?? after) !== undefined) return;
  refuseTogether(context, 'has no effect without a count; add nth, every or after', 'each');
}

export const whenField = (providers: ProviderNames) =>
  f
    .object({
      operation: OperationField.optional().describe(
        `${operationsAsMarkdown()}; or a pattern such as \`charge.*\`.`,
      ),
      provider: f
        .oneOrMany(providerField(providers, isIdPattern))
        .optional()
        .describe(
          'A ProviderId, or the name of a provider: a built-in one such as `steady`, or one from the same file.',
        ),
      card: f
        .oneOrMany(CardPattern)
        .optional()
        .describe(
          "A card number, a pattern such as `'4111*'`, or a range such as `4000000000000000-4000000000000999`, or `222100-272099` of first digits. For a stored card, only the first and last digits are known.",
        ),
      amount: AmountField.optional().describe(
        'A number, or an object with `gt`, `gte`, `lt` or `lte`, in major units.',
      ),
      currency: f
        .oneOrMany(patternField('a currency such as AUD'))
        .optional()
        .describe('A currency such as `AUD`.'),
      reference: f
        .oneOrMany(patternField('a Reference'))
        .optional()
        .describe('A Reference, or a pattern such as `order-*`.'),
      customer: f.oneOrMany(patternField('a CustomerId')).optional().describe('A CustomerId, or a pattern.'),
      header: Headers.optional().describe(
        "An object of header names and patterns, such as `{ user-agent: 'shop/*' }`.",
      ),
      state: State.optional().describe('Named states and their values. `null` means never set.'),
      ...turnFields,
    })
    .superRefine(requireCount);
