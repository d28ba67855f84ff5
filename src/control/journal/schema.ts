import * as z from 'zod';

import { quoteText } from '../../core/text/text.js';
import { ValidationError } from '../../core/validation-error.js';
import {
  digitsField,
  optionalField,
  convertField,
  refuseValue,
  toCamelCase,
  requestSchema,
  convertText,
} from '../../http/fields/field.js';
import { explainNoMatch } from './impossible.js';
import { optionalFlag, optionalInstant, optionalText } from '../../http/fields/fields.js';
import { durationField } from '../clock-schema.js';
import { ANY_OBJECT, wholeSent } from '../../http/body/sent-schemas.js';
import {
  optionalQueryFlag,
  optionalQueryInstant,
  optionalQueryWord,
  pageFields,
} from '../../http/fields/list-fields.js';
import type { Match } from '../../journal/match.js';
import { JOURNAL_ENTRIES_MAX } from '../../journal/completed-call.js';
import { RESULTS } from '../../journal/entry.js';
import { type Operation, hintOperation, OPERATIONS } from '../../scenarios/script/operations.js';
import { TOPIC_OF_EVENT } from '../../records/webhook-subscription.js';

/** How long a call waits for entries at most, and by default, in real milliseconds. */
export const AWAIT_MAX_MS = 60_000;
export const AWAIT_DEFAULT_MS = 5_000;

/** Earlier answers of HTTP, such as 100, are followed by one of these. */
const STATUS_MIN = 200;
const STATUS_MAX = 599;

/** 0 for an exchange without a response. */
const statusFilter = () => {
  const wrong = `must be a status from ${STATUS_MIN} to ${STATUS_MAX}, or 0 for no response`;
  return optionalField(
    convertField(boundedNumber(0, STATUS_MAX, wrong), (value) =>
      value === 0 || value >= STATUS_MIN ? value : new ValidationError(wrong),
    ),
  );
};

export function boundedNumber(
  min: number,
  max: number,
  wrong = `must be a whole number from ${min} to ${max}`,
) {
  return convertField(digitsField(), (value) => {
    const number = /^\d{1,9}$/.test(String(value)) ? Number(value) : -1;
    return number >= min && number <= max ? number : new ValidationError(wrong);
  }).meta({ wrong, sent: wholeSent(min, max) });
}

const filters = <S extends z.ZodType<number | null>, U extends z.ZodType<boolean | null>>(
  since: S,
  undone: U,
) => ({
  Operation: optionalField(operationName()).describe('The operation of the call.'),
  Method: optionalText().describe('The method of the call.'),
  Path: optionalText().describe('The path of the call; * matches any characters.'),
  Status: statusFilter().describe('The HTTP status of the response; 0 if there was none.'),
  Result: optionalQueryWord(RESULTS).describe('What became of the call.'),
  Trigger: optionalText().describe('What decided the response.'),
  Reference: optionalText().describe('Only with exactly this reference.'),
  Since: since.describe('Only calls at or after this time.'),
  Undone: undone.describe(
    'Only undone calls, or only others. Default: both in a list, the others elsewhere.',
  ),
});

const searchFilters = () => ({
  ...filters(optionalQueryInstant(), optionalQueryFlag()),
  Until: optionalQueryInstant().describe('Only calls before this time.'),
  Search: optionalText().describe(
    'Only calls that contain this text, in any letter case: in their path, status, bodies or trigger.',
  ),
});

function refuseImpossible(match: Match, context: { readonly issues: unknown[] }): Match {
  const [field, why] = explainNoMatch(match) ?? [];
  return why === undefined ? match : refuseValue(context, why, { path: field?.split('.') ?? [] });
}

export const ListEntries = requestSchema(
  () => ({
    ...searchFilters(),
    Brief: optionalQueryFlag().describe('Whether to leave out bodies and headers.'),
    ...pageFields(),
  }),
  ({ Limit, Skip, Search, Brief, ...match }, context) => ({
    match: refuseImpossible(toCamelCase(match), context),
    text: Search,
    isBrief: Brief === true,
    page: { limit: Limit, skip: Skip },
  }),
);

const PERIODS_MAX = 200;

export const CountFacets = requestSchema(
  () => ({
    ...searchFilters(),
    Periods: boundedNumber(1, PERIODS_MAX)
      .default(60)
      .describe('Into how many periods the time is divided, at most.'),
    Charges: optionalQueryFlag().describe('Whether to count the charges of the world, too. Default: false.'),
  }),
  ({ Periods, Search, Charges, ...match }, context) => ({
    match: refuseImpossible(toCamelCase(match), context),
    text: Search,
    periods: Periods,
    withCharges: Charges === true,
  }),
);

const partialBody = () =>
  optionalField(
    z.record(z.string(), z.unknown()).meta({
      expected: 'an object of fields of the request body',
      description: 'Fields that the request body must contain, at any depth.',
      sent: ANY_OBJECT,
    }),
  );

/** Filters that apply only to calls, never to deliveries. */
const CALLS_ONLY = ['Operation', 'Method', 'Result', 'Trigger', 'Undone'] as const;
const EVENT_TYPES = Object.keys(TOPIC_OF_EVENT);

/** One of the known events: a wait for a mistyped one would never end. */
const eventFilter = () =>
  optionalField(z.enum(EVENT_TYPES)).describe(
    'The type of a webhook event, to match deliveries instead of calls.',
  );

const matchField = () =>
  z
    .object({ ...filters(optionalInstant(), optionalFlag()), Body: partialBody(), Event: eventFilter() })
    .transform((asked, context): Match => {
      const wrong = asked.Event === null ? undefined : CALLS_ONLY.find((name) => asked[name] !== null);
      if (wrong !== undefined) {
        const message =
          'cannot be combined with Event, which can be combined with Path, Status, Reference, Since and Body';
        return refuseValue(context, message, { path: [wrong] });
      }
      return refuseImpossible(toCamelCase(asked), context);
    })
    .optional()
    .meta({ description: 'The calls that it applies to. Default: all.' });

export const CountEntries = requestSchema(
  () => ({ Match: matchField() }),
  (asked) => asked.Match ?? {},
);

const wantedCount = () => boundedNumber(1, JOURNAL_ENTRIES_MAX).default(1);

export const AwaitEntries = requestSchema(
  () => ({
    Match: matchField(),
    Count: wantedCount().describe('The number of entries to wait for. Default: 1.'),
    Timeout: durationField(AWAIT_MAX_MS).describe(
      'How long to wait, in real time; at most 60s. Default: 5s.',
    ),
  }),
  (asked) => ({
    match: asked.Match ?? {},
    wanted: asked.Count,
    timeoutMs: asked.Timeout ?? AWAIT_DEFAULT_MS,
  }),
);

const FORMATS = ['har', 'trace'] as const;
export type ExportFormat = (typeof FORMATS)[number];

export const ExportEntries = requestSchema(
  () => ({
    Format: convertText(
      (value) => FORMATS.find((format) => format === value.toLowerCase()),
      `must be one of ${FORMATS.join(', ')}`,
    ).meta({
      missing: `is required, one of ${FORMATS.join(', ')}`,
      enum: [...FORMATS],
      description: 'HAR 1.2, or a trace for playmoney replay.',
    }),
  }),
  (asked) => asked.Format,
);

/** An operation by its name. A mistyped one would never match. Only those of `accepted` are suggested. */
export const operationName = (accepted: readonly Operation[] = OPERATIONS) =>
  convertField(
    z.string(),
    (value): Operation | ValidationError =>
      OPERATIONS.find((operation) => operation === value) ??
      new ValidationError(
        `is ${quoteText(value)}, which is not an operation. ${hintOperation(value, accepted)}`,
      ),
  ).meta({
    wrong: (kind) => `must be the name of an operation, not ${kind}. ${hintOperation('', accepted)}`,
    enum: [...accepted],
  });
