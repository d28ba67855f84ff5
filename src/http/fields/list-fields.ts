import * as z from 'zod';

import { CODE } from '../../core/errors.js';
import { AMOUNT_MAX_MAJOR, currencyExponent, parseAmount, UNIT_DECIMALS } from '../../core/money.js';
import { type PagedQuery, type SortOrder, parseOrder } from '../../core/store/search.js';
import { parseInstant } from '../../core/time/time.js';
import { isUuid } from '../../core/text/text.js';
import { optionalField, convertField, type CamelCase, toCamelCase, convertText } from './field.js';
import { AMOUNT_META, readDecimal, describeWrongCurrency } from './amount-fields.js';
import { describeMalformedId } from './fields.js';
import { CURRENCY_SENT, UUID_SENT } from '../body/sent-schemas.js';

/** Fields of queries. Invalid values have code 90, even if the same field of a body has another code. */

const queryField = <T>(read: (text: string) => T | undefined, wrong: string, meta: z.core.GlobalMeta) =>
  optionalField(convertText(read, wrong).meta(meta));

/** Like `optionalInstant`, for a query, where the `+` of a zone arrives as a space. */
export const optionalQueryInstant = () =>
  queryField(
    (value) => parseInstant(value.replace(' ', '+')),
    'must be a date-time such as 2026-01-01T00:00:00Z',
    { instant: true, format: 'date-time' },
  );

const checkedQueryField = (
  fits: (text: string) => boolean,
  reasonAgainst: (text: string) => string,
  meta: z.core.GlobalMeta,
) =>
  optionalField(
    z
      .string()
      .refine(fits, { error: ({ input }) => reasonAgainst(String(input)) })
      .meta(meta),
  );

export const optionalQueryProviderId = () =>
  checkedQueryField(isUuid, describeMalformedId, { sent: UUID_SENT });

export const optionalQueryCurrency = () =>
  checkedQueryField((code) => currencyExponent(code) !== undefined, describeWrongCurrency, {
    sent: CURRENCY_SENT,
    currency: true,
  });

/** The amount of a cart. Plug-ins also send it for an empty cart. */
export const optionalCartAmount = () =>
  optionalField(
    convertField(z.string(), (value) => (/^(?:0(?:\.0+)?)?$/.test(value) ? value : readDecimal(value))).meta({
      ...AMOUNT_META,
      sent: { type: 'string', pattern: '^((0|[1-9]\\d*)(\\.\\d+)?)?$' },
    }),
  );

/** The currency of a cart; empty for an empty cart. */
export const optionalCartCurrency = () =>
  checkedQueryField((code) => code === '' || currencyExponent(code) !== undefined, describeWrongCurrency, {
    code: CODE.CurrencyNotSupported,
    sent: { ...CURRENCY_SENT, pattern: '^([A-Za-z]{3})?$' },
    currency: true,
  });

/** An amount to compare amounts of any currency with, in units of 0.0001. */
export const optionalQueryBound = () =>
  queryField(
    (value) => {
      if (/^0(?:\.0+)?$/.test(value)) return 0;
      const units = parseAmount(value, UNIT_DECIMALS);
      return typeof units === 'number' ? units : undefined;
    },
    `must be a decimal number of 0 or more, such as 1.5, with at most ${UNIT_DECIMALS} decimals and at most ${AMOUNT_MAX_MAJOR}`,
    { amount: true, pattern: '^(0|[1-9]\\d*)(\\.\\d+)?$' },
  );

const FLAGS = new Map([
  ['true', true],
  ['false', false],
]);

export const optionalQueryFlag = () =>
  queryField((value) => FLAGS.get(value.toLowerCase()), 'must be true or false', {
    sent: { type: 'boolean' },
  });

export const optionalQueryWord = <const W extends string>(
  words: readonly W[],
  aliases: Readonly<Record<string, W>> = {},
) => {
  const bySmall = new Map<string, W>([
    ...words.map((word) => [word.toLowerCase(), word] as const),
    ...Object.entries(aliases),
  ]);
  const wrong = `must be one of ${words.join(', ')}`;
  return queryField((value) => bySmall.get(value.toLowerCase()), wrong, { enum: [...words] });
};

/** The maximum and default number of records on a page: our assumption. */
export const LIMIT_MAX = 500;
export const LIMIT_DEFAULT = 100;

const wholeQueryNumber = (min: number, max: number, fallback: number) =>
  convertText((value) => {
    const whole = /^\d{1,10}$/.test(value) ? Number(value) : -1;
    return whole >= min && whole <= max ? whole : undefined;
  }, `must be a whole number from ${min} to ${max}`)
    .meta({ sent: { type: 'integer', minimum: min, maximum: max, default: fallback } })
    .default(fallback);

export const pageFields = () => ({
  Limit: wholeQueryNumber(1, LIMIT_MAX, LIMIT_DEFAULT).meta({
    description: 'The maximum number of records to return.',
  }),
  Skip: wholeQueryNumber(0, 4_294_967_295, 0).meta({ description: 'The number of records to skip.' }),
});

export const dateFields = () => ({
  AddedAfter: optionalQueryInstant().describe('Only records created after this time.'),
  AddedBefore: optionalQueryInstant().describe('Only records created before this time.'),
});

/** A sort order: a field, with `-` in front for descending. The default is newest first. */
export const sortOrder = <const W extends string>(...words: W[]) =>
  queryField(
    (value) => parseOrder<W>(value, words),
    `must be one of ${words.join(', ')}, optionally with - in front for descending order`,
    {
      orderBy: words,
      enum: words.flatMap((word) => [word, `-${word}`]),
      description: 'The field to sort by; a leading - sorts in descending order. Default: newest first.',
    },
  );

export interface ListQuery {
  readonly Limit: number;
  readonly Skip: number;
  readonly AddedAfter: number | null;
  readonly AddedBefore: number | null;
  readonly SortBy?: SortOrder<string> | null;
}

type SortWord<Q> = Q extends { readonly SortBy: SortOrder<infer W> | null } ? W : never;

export function toListing<Q extends ListQuery>(
  query: Q,
): PagedQuery<SortWord<Q>> & CamelCase<Omit<Q, keyof ListQuery>> {
  const { Limit, Skip, AddedAfter, AddedBefore, SortBy = null, ...conditions } = query;
  return {
    addedAfter: AddedAfter,
    addedBefore: AddedBefore,
    page: { limit: Limit, skip: Skip },
    order: SortBy as SortOrder<SortWord<Q>> | null,
    ...toCamelCase(conditions),
  };
}
