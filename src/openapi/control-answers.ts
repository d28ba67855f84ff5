import * as z from 'zod';

import { TABLE_ROWS } from '../control/records/tables.js';
import { count, instant, maybeInstant, page, text } from '../http/answers.js';

/** What the calls under `/_sandbox` answer. */

export const Health = z.strictObject({
  Status: z.literal('ok'),
  Version: z.string(),
  Uptime: count().describe('In whole seconds.'),
  Worlds: count(),
  Node: z.string(),
});

export const Ready = z.strictObject({ Status: z.literal('ready') });

const counted = Object.values(TABLE_ROWS).map((row) => row.counted);
const countsOf = (...names: string[]) =>
  z.strictObject(Object.fromEntries([...counted, ...names].map((name) => [name, count()])));
const Counts = countsOf('JournalEntries', 'QueuedJobs').meta({ id: 'Counts' });
const SavedCounts = countsOf('QueuedJobs').meta({ id: 'SavedCounts' });

const mode = () => z.enum(['real', 'manual', 'scaled']);

export const World = z
  .strictObject({
    World: z.string().describe('A short hash of the key.'),
    Seed: z.string(),
    Dialect: z.enum(['documented', 'sdk']),
    Clock: z.strictObject({ Now: instant(), Mode: mode(), Rate: z.number() }),
    Scenario: text(),
    Counts,
  })
  .meta({ id: 'World' });

export const Worlds = z.strictObject({
  Count: count(),
  Worlds: z.array(z.strictObject({ World: z.string(), Scenario: text(), Now: instant(), Counts })),
});

export const Clock = z
  .strictObject({ Now: instant(), Mode: mode(), Rate: z.number(), NextDue: maybeInstant() })
  .meta({ id: 'Clock' });

export const Settled = z.strictObject({ Now: instant(), NextDue: maybeInstant() });

export const Advance = z.strictObject({
  From: instant(),
  Now: instant(),
  Ran: z
    .array(z.strictObject({ At: instant(), Kind: z.string(), Ref: text() }))
    .describe('The first thousand jobs.'),
  Jobs: count(),
  Deliveries: count(),
});

const named = (name: string) => z.array(z.strictObject({ [name]: z.string(), Effect: z.string() }));

export const Triggers = z.strictObject({
  Precedence: z.array(z.string()),
  Outcomes: z.array(
    z.strictObject({
      Outcome: z.string(),
      Code: z.int().nullable(),
      GatewayCode: text(),
      GatewayMessage: text(),
      IsRetryable: z.boolean(),
      HttpStatus: z.int(),
    }),
  ),
  Cards: z.array(z.strictObject({ CardNumber: z.string(), Scheme: z.string(), Effect: z.string() })),
  Accounts: named('AccountNumber'),
  PayIds: named('PayId'),
  Tokens: named('Token'),
  Providers: z.array(z.strictObject({ ProviderId: z.string(), Name: text(), Behaviour: z.string() })),
});

export const Queued = z.strictObject({ OutcomeQueueId: z.int(), Left: count() });

const Queue = z
  .strictObject({
    OutcomeQueueId: z.int(),
    Operation: z.string(),
    Match: z.strictObject({ Reference: text(), ProviderId: text(), CardNumber: text(), Amount: text() }),
    Left: count(),
    Outcomes: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])),
  })
  .meta({ id: 'OutcomeQueue' });

export const Queues = z.strictObject({ Queues: z.array(Queue) });

export const Scenarios = z.array(z.strictObject({ Name: z.string(), Description: text(), File: z.string() }));

const scenarioMembers = {
  Scenario: text(),
  Description: text(),
  Rules: z.array(z.strictObject({ Rule: z.string(), Matched: count() })),
  State: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
};

export const Played = z.strictObject(scenarioMembers).meta({ id: 'PlayedScenario' });

export const PlayedWhole = z.strictObject({
  ...scenarioMembers,
  Definition: z.record(z.string(), z.unknown()).nullable(),
});

export const Unmatched = z.strictObject({ Rules: z.array(z.string()) });

const DELIVERY_STATUS = z.enum(['pending', 'delivered', 'failed', 'withheld']);

const Caused = z.strictObject({
  DeliveryId: z.string(),
  EventType: z.string(),
  Url: z.string(),
  Attempt: count(),
  Status: DELIVERY_STATUS,
  ResponseStatus: z.int().nullable(),
});

const entryMembers = {
  EntryId: z.int(),
  At: instant(),
  RealAt: instant(),
  Method: z.string(),
  Path: z.string(),
  Query: z.string(),
  Operation: text(),
  RequestId: z.string(),
  RequestHeaders: z.record(z.string(), z.string()),
  RequestBody: z.unknown(),
  Status: z.int().describe('0 where no answer was given.'),
  ResponseBody: z.unknown(),
  Trigger: text(),
  Fault: text(),
  Rule: text(),
  Precedence: text(),
  Warning: text(),
  DurationMs: z.number(),
  Truncated: z.boolean(),
  Deliveries: z.array(Caused),
};

const JournalEntry = z.strictObject(entryMembers).meta({ id: 'JournalEntry' });

export const OneEntry = z.strictObject({
  ...entryMembers,
  Again: z
    .strictObject({
      Method: z.string(),
      Path: z.string(),
      Query: z.string(),
      Headers: z.record(z.string(), z.string()),
      Body: z.unknown(),
    })
    .nullable()
    .describe('What would be sent to have it again; null where its body was cut.'),
});

export const Journal = page('Entries', JournalEntry).extend({
  Evicted: count().describe('How many older ones had to go.'),
});

export const Cleared = z.strictObject({ Cleared: count() });

export const JournalCount = z.strictObject({
  Count: count(),
  Incomplete: z.boolean().describe('Entries that could matter had to go.'),
});

const Delivery = z
  .strictObject({
    DeliveryId: z.string(),
    MessageId: z.string(),
    Url: z.string(),
    EventType: z.string(),
    Ref: z.string(),
    Attempt: count(),
    At: instant(),
    Status: DELIVERY_STATUS,
    ResponseStatus: z.int().nullable(),
    NextAttemptAt: maybeInstant(),
    Note: text(),
    Policy: text(),
    EntryId: z.int().nullable(),
    Body: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Delivery' });

export { Delivery };

export const Awaited = z.union([
  z.strictObject({ Count: count(), Entries: z.array(JournalEntry) }),
  z.strictObject({ Count: count(), Deliveries: z.array(Delivery) }),
]);

export const Deliveries = page('Deliveries', Delivery).extend({ Evicted: count(), Lost: count() });

const savedMembers = { Name: z.string(), At: instant(), Counts: SavedCounts };

export const Snapshot = z.strictObject(savedMembers).meta({ id: 'Snapshot' });

export const Snapshots = z.strictObject({ Count: count(), Snapshots: z.array(Snapshot) });

export const Diff = z.strictObject({
  Name: z.string(),
  From: instant(),
  Now: instant(),
  Counts: z.record(z.string(), z.strictObject({ Added: count(), Changed: count(), Removed: count() })),
  Changes: z.array(
    z.strictObject({ Kind: z.string(), Id: z.string(), Change: z.enum(['added', 'changed', 'removed']) }),
  ),
});

/** A document of a world has more in it than belongs here: what it says is checked when it is read. */
export const State = z.looseObject({}).describe('The whole world, card numbers included.');

export const Exported = z
  .looseObject({})
  .describe('HAR 1.2 (an object with the member log), or a trace of the sandbox.');
