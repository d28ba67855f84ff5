import * as z from 'zod';

import * as answers from '../../http/answers.js';
import { optional, readAs } from '../../http/field.js';
import { optionalText } from '../../http/fields.js';
import { type JsonValue, plainJson } from '../../http/json.js';

export const UseScenario = z.lazy(() =>
  z.object({
    Name: optionalText().describe('A scenario that GET /_sandbox/scenarios lists.'),
    Definition: optional(
      readAs(z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]), (value) =>
        plainJson(value as JsonValue),
      ).meta({
        wrong: 'must be a scenario as an object',
        description: 'A scenario, as a file of scenarios has it.',
        sent: { type: 'object' },
      }),
    ),
  }),
);

export const QueuedResponse = z.lazy(() =>
  z.strictObject({ OutcomeQueueId: z.int(), Left: answers.count() }),
);
export type QueuedResponse = z.output<typeof QueuedResponse>;

export const QueueResponse = z.lazy(() =>
  z
    .strictObject({
      OutcomeQueueId: z.int(),
      Operation: z.string(),
      Match: z.strictObject({
        Reference: answers.text(),
        ProviderId: answers.text(),
        CardNumber: answers.text().describe('Masked.'),
        Amount: answers.text(),
      }),
      Left: answers.count().describe('How many outcomes are left.'),
      Outcomes: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])),
    })
    .meta({ id: 'OutcomeQueue' }),
);
export type QueueResponse = z.output<typeof QueueResponse>;

export const QueuesResponse = z.lazy(() => z.strictObject({ Queues: z.array(QueueResponse) }));
export type QueuesResponse = z.output<typeof QueuesResponse>;

export const LibraryScenarioResponse = z.lazy(() =>
  z.strictObject({ Name: z.string(), Description: answers.text(), File: z.string() }),
);
export type LibraryScenarioResponse = z.output<typeof LibraryScenarioResponse>;

export const ScenariosResponse = z.lazy(() => z.array(LibraryScenarioResponse));
export type ScenariosResponse = z.output<typeof ScenariosResponse>;

const played = () => ({
  Scenario: answers.text().describe('Its name; null where none is played.'),
  Description: answers.text(),
  Rules: z
    .array(z.strictObject({ Rule: z.string(), Matched: answers.count() }))
    .describe('How often each rule acted.'),
  State: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .describe('The named states, in the author’s spelling.'),
});

export const PlayedResponse = z.lazy(() => z.strictObject(played()).meta({ id: 'PlayedScenario' }));
export type PlayedResponse = z.output<typeof PlayedResponse>;

/** What is played, with the scenario as in its file. */
export const PlayedWholeResponse = z.lazy(() =>
  z.strictObject({
    ...played(),
    Definition: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('As it is played, with cards masked; null where none is.'),
  }),
);
export type PlayedWholeResponse = z.output<typeof PlayedWholeResponse>;

export const UnmatchedResponse = z.lazy(() => z.strictObject({ Rules: z.array(z.string()) }));
