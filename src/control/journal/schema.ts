import * as z from 'zod';

import { CODE } from '../../core/errors.js';
import { formatDuration, parseDuration } from '../../core/time.js';
import type { Match } from '../../journal/match.js';
import { JOURNAL_ENTRIES_MAX } from '../../journal/model.js';
import { TOPIC_OF_EVENT } from '../../webhook-subscriptions/record.js';
import {
  digitsOf,
  Fault,
  kindOf,
  type Member,
  member,
  optional,
  optionalInstant,
  optionalText,
} from '../../http/fields.js';
import { optionalQueryInstant, pageMembers } from '../../http/list-fields.js';
import { readOperation } from './operation-name.js';

/** How long a call waits for entries at most, and unless told otherwise, in real milliseconds. */
export const AWAIT_MAX_MS = 60_000;
export const AWAIT_DEFAULT_MS = 5_000;

const STATUS_MAX = 599;

/** 0 stands for an exchange without an answer. */
const status = (): Member<number | null> =>
  optional((value) => {
    const number = wholeNumber(value, 0, STATUS_MAX);
    return number ?? new Fault(`must be a status from 100 to ${STATUS_MAX}, or 0 where no answer was given`);
  });

function wholeNumber(value: unknown, min: number, max: number): number | undefined {
  const digits = digitsOf(value) ?? '';
  const number = /^\d{1,9}$/.test(digits) ? Number(digits) : -1;
  return number >= min && number <= max ? number : undefined;
}

const filters = (since: Member<number | null>) => ({
  Operation: optional(readOperation),
  Method: optionalText(),
  Path: optionalText(),
  Status: status(),
  Trigger: optionalText(),
  Reference: optionalText(),
  Since: since,
});

interface Filters {
  readonly Operation: string | null;
  readonly Method: string | null;
  readonly Path: string | null;
  readonly Status: number | null;
  readonly Trigger: string | null;
  readonly Reference: string | null;
  readonly Since: number | null;
}

const matchOf = (asked: Filters): Match => ({
  operation: asked.Operation,
  method: asked.Method,
  path: asked.Path,
  status: asked.Status,
  trigger: asked.Trigger,
  reference: asked.Reference,
  since: asked.Since,
});

export const ListEntries = z
  .object({ ...filters(optionalQueryInstant()), ...pageMembers() })
  .transform((asked) => ({ match: matchOf(asked), page: { limit: asked.Limit, skip: asked.Skip } }));

/** Members of a request's body, of any kind and depth. */
const partialBody = (): Member<Readonly<Record<string, unknown>> | null> =>
  optional((value) =>
    kindOf(value) === 'an object'
      ? (value as Readonly<Record<string, unknown>>)
      : new Fault(`must be an object of members that the request's body has, not ${kindOf(value)}`),
  );

/** No delivery has these. */
const CALLS_ONLY = ['Operation', 'Method', 'Trigger'] as const;
const EVENTS = Object.keys(TOPIC_OF_EVENT);

/** A mistyped event would be waited for in vain. */
const event = (): Member<string | null> =>
  optional(
    (value) => EVENTS.find((one) => one === value) ?? new Fault(`must be one of ${EVENTS.join(', ')}`),
  );

const match = () =>
  z
    .object({ ...filters(optionalInstant(CODE.ValidationError)), Body: partialBody(), Event: event() })
    .transform((asked, context): Match => {
      const wrong = asked.Event === null ? undefined : CALLS_ONLY.find((name) => asked[name] !== null);
      if (wrong !== undefined) {
        const message = 'goes with calls; beside Event stand Path, Status, Reference, Since and Body';
        context.issues.push({ code: 'custom', message, input: undefined, path: [wrong] });
        return z.NEVER;
      }
      return { ...matchOf(asked), body: asked.Body, event: asked.Event };
    })
    .optional();

export const CountEntries = z.object({ Match: match() }).transform((asked) => asked.Match ?? {});

const timeout = (): Member<number> =>
  member((value) => {
    if (value === undefined) return AWAIT_DEFAULT_MS;
    const ms = typeof value === 'string' ? parseDuration(value) : undefined;
    if (ms !== undefined && ms <= AWAIT_MAX_MS) return ms;
    return new Fault(`must be a duration such as 250ms or 5s, at most ${formatDuration(AWAIT_MAX_MS)}`);
  });

const wanted = (): Member<number> =>
  member((value) => {
    if (value === undefined) return 1;
    const number = wholeNumber(value, 1, JOURNAL_ENTRIES_MAX);
    return number ?? new Fault(`must be a whole number from 1 to ${JOURNAL_ENTRIES_MAX}`);
  });

export const AwaitEntries = z
  .object({ Match: match(), Count: wanted(), Timeout: timeout() })
  .transform((asked) => ({ match: asked.Match ?? {}, wanted: asked.Count, timeoutMs: asked.Timeout }));

const FORMATS = ['har', 'trace'] as const;
export type ExportFormat = (typeof FORMATS)[number];

export const ExportEntries = z
  .object({
    Format: member((value): ExportFormat | Fault => {
      const found = FORMATS.find((format) => format === String(value).toLowerCase());
      return (
        found ?? new Fault(`${value === undefined ? 'is required,' : 'must be'} one of ${FORMATS.join(', ')}`)
      );
    }),
  })
  .transform((asked) => asked.Format);
