import * as z from 'zod';

import { DIALECTS } from '../../core/dialect/dialect.js';
import * as answers from '../../http/answers/answers.js';
import { RESULTS } from '../../journal/entry.js';
import { HOLD_ENDS } from '../../records/held-time.js';
import { CausedResponse, DeliveryResponse } from '../webhooks/schema.js';

/** The fields of a call in lists and live events. */
const briefFields = () => ({
  EntryId: z.int(),
  At: answers.instant().describe('By the world’s clock.'),
  RealAt: answers.instant().describe('By the computer’s clock.'),
  Method: z.string(),
  Path: z.string(),
  Query: z.string(),
  Operation: answers.text().describe('Null if the call was refused before its operation was determined.'),
  RequestId: z.string(),
  Dialect: z
    .enum(DIALECTS)
    .nullable()
    .describe('The format of the call. Null for calls of an earlier version.'),
  DialectBy: answers
    .text()
    .describe(
      'What chose it: `x-sandbox-dialect`, `reset`, `scenario` or `option`; with `auto`: `user-agent` or `sdk-version` of a client library, or `default`.',
    ),
  Reference: answers.text().describe('The reference in the request, or else in the response.'),
  Status: z.int().describe('0 if there was no response.'),
  Result: z
    .enum(RESULTS)
    .describe(
      'What became of the call: declined by a provider, a scenario or a fault; refused because of a mistake or a limit.',
    ),
  Trigger: answers.text().describe('What decided the outcome, such as card:insufficient_funds.'),
  Fault: answers.text(),
  Rule: answers.text().describe('The rule of the scenario that matched.'),
  Precedence: answers.text().describe('The step of the documented precedence that decided.'),
  Held: z
    .strictObject({
      By: z
        .enum(HOLD_ENDS)
        .describe(
          'What ended the wait: somebody (hand), its time-out, DELETE /_sandbox/hold (delete), or the end of the world or server.',
        ),
      Ms: z.number().describe('How long it waited, in real milliseconds.'),
    })
    .nullable()
    .describe('Null unless the call waited for somebody to decide it.'),
  Warning: answers.text(),
  DurationMs: z.number(),
  Truncated: z.boolean().describe('Whether a body was too large to be stored in full.'),
  Recorded: z
    .boolean()
    .describe('Whether the call came with a bundle that was opened. Such calls are not counted.'),
  Undone: z
    .boolean()
    .describe(
      'Whether a restore of a snapshot undid the call. Such calls are in no timeline, and not counted.',
    ),
  Deliveries: z.array(CausedResponse).describe('The webhooks that the call caused.'),
});

const fullEntryFields = () => ({
  ...briefFields(),
  RequestHeaders: z.record(z.string(), z.string()),
  RequestBody: z.unknown(),
  ResponseBody: z.unknown(),
});

export const BriefEntryResponse = answers.component('BriefEntry', () => ({
  ...briefFields(),
  Amount: z.number().nullable().describe('The amount that the call asked for, or else that of its answer.'),
  Currency: answers.text(),
  Message: answers.text().describe('The message of an error.'),
}));
export type BriefEntryResponse = z.output<typeof BriefEntryResponse>;

export const JournalEntryResponse = answers.component('JournalEntry', fullEntryFields);
export type JournalEntryResponse = z.output<typeof JournalEntryResponse>;

export const OneEntryResponse = answers.object(() => ({
  ...fullEntryFields(),
  Again: z
    .strictObject({
      Method: z.string(),
      Path: z.string(),
      Query: z.string(),
      Headers: z.record(z.string(), z.string()),
      Body: z.unknown(),
    })
    .nullable()
    .describe('The call as it is sent to repeat it; null if its body was truncated.'),
  NoBranch: answers.text().describe('Why no branch can begin before the call; null if one can.'),
}));
export type OneEntryResponse = z.output<typeof OneEntryResponse>;

export const JournalResponse = z.lazy(() =>
  answers
    .page('Entries', z.union([JournalEntryResponse, BriefEntryResponse]))
    .extend({ Evicted: answers.count().describe('The number of older entries that were discarded.') }),
);
export type JournalResponse = z.output<typeof JournalResponse>;

const facetCounts = () => z.array(z.strictObject({ Name: z.string(), Count: answers.count() }));

const resultPeriods = () =>
  z
    .array(
      z.strictObject({
        From: answers.instant(),
        Done: answers.count(),
        Declined: answers.count(),
        Refused: answers.count(),
        Unanswered: answers.count(),
      }),
    )
    .describe('By result in equal periods of the world’s time, the earliest first.');

export const FacetsResponse = answers.object(() => ({
  Count: answers.count(),
  Operations: facetCounts().describe('The most frequent first, like the other lists.'),
  Results: facetCounts(),
  Triggers: facetCounts(),
  Periods: resultPeriods(),
  Charges: z
    .strictObject({
      Declines: facetCounts().describe('The declined ones by their last error message.'),
      Periods: resultPeriods(),
    })
    .nullable()
    .describe(
      'All charges of the world, also those that no call of the journal made, such as rows of batches. Null unless Charges is true.',
    ),
}));
export type FacetsResponse = z.output<typeof FacetsResponse>;

export const RepeatedResponse = answers.object(() => ({
  Status: answers.count().describe('The status of the answer; 0 if it was lost.'),
}));

export const ClearedResponse = answers.object(() => ({ Cleared: answers.count() }));

export const JournalCountResponse = answers.object(() => ({
  Count: answers.count(),
  Incomplete: z.boolean().describe('Whether entries that could have matched were discarded.'),
}));
export type JournalCountResponse = z.output<typeof JournalCountResponse>;

export const AwaitedResponse = z.lazy(() =>
  z.union([
    z.strictObject({ Count: answers.count(), Entries: z.array(JournalEntryResponse) }),
    z.strictObject({ Count: answers.count(), Deliveries: z.array(DeliveryResponse) }),
  ]),
);

export const ExportedResponse = z.lazy(() =>
  z.looseObject({}).describe('HAR 1.2 (an object with the field log), or a trace of the sandbox.'),
);
