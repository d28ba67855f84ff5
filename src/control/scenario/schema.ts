import * as z from 'zod';

import type { Operation, MatchConditions, ScriptStep } from '../../scenarios/script/model.js';
import type { QueueEntry } from '../../scenarios/script/queue.js';
import { USELESS_PHASE, findUselessFields, isUselessPhase } from '../../scenarios/script/reach.js';
import * as answers from '../../http/answers/answers.js';
import {
  oneGiven,
  optionalField,
  convertField,
  refuseValue,
  toCamelCase,
  requestSchema,
} from '../../http/fields/field.js';
import { optionalAmount } from '../../http/fields/amount-fields.js';
import { optionalText } from '../../http/fields/fields.js';
import { ANY_OBJECT } from '../../http/body/sent-schemas.js';
import { type JsonValue, toPlainJson } from '../../core/json/json.js';
import { operationName } from '../journal/schema.js';
import { stepsField } from './steps.js';

/** Why a step would have no effect on an operation; null when it has one. */
function explainNoEffect(step: ScriptStep, operation: Operation): string | null {
  if (isUselessPhase(step)) return `Phase ${USELESS_PHASE}`;
  const idle = findUselessFields(step, [operation]);
  const other = idle.find(({ field }) => field !== 'phase');
  if (other !== undefined) return other.why;
  return idle[0] === undefined ? null : `Phase: ${idle[0].why}`;
}

/** The calls that a queue or a hold is for. */
export const matchedFields = (operation: string, accepted?: readonly Operation[]) => ({
  Operation: operationName(accepted).meta({ sample: '"charge.create"', description: operation }),
  Match: z
    .object({
      Reference: optionalText().describe('Your reference.'),
      ProviderId: optionalText().describe('The identifier of a provider.'),
      CardNumber: optionalText().describe('A card number; * matches any characters.'),
      Amount: optionalAmount().describe('An amount in major units, such as 15.5.'),
    })
    .transform((match) => compactMatch(toCamelCase(match)))
    .default({})
    .meta({ description: 'The calls that it applies to. Default: all.' }),
});

export const QueueOutcomes = requestSchema(
  () => {
    const { Operation, Match } = matchedFields('The operation whose calls use the outcomes.');
    return { Operation, Outcomes: stepsField(), Match };
  },
  ({ Operation: operation, Outcomes, Match }, context): QueueEntry => {
    for (const [i, step] of Outcomes.entries()) {
      const why = explainNoEffect(step, operation);
      if (why === null) continue;
      return refuseValue(context, `[${i}] has no effect: ${why}`, { path: ['Outcomes'] });
    }
    return { operation, steps: Outcomes, match: Match };
  },
);

function compactMatch(match: { [K in keyof MatchConditions]: string | null | undefined }): MatchConditions {
  return Object.fromEntries(Object.entries(match).filter(([, value]) => typeof value === 'string'));
}

export const UseScenario = z
  .lazy(() =>
    z.object({
      Name: optionalText().describe('The name of a scenario from GET /_sandbox/scenarios.'),
      Definition: optionalField(
        convertField(z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]), (value) =>
          toPlainJson(value as JsonValue),
        ).meta({
          wrong: 'must be an object with the fields of a scenario file',
          description: 'A scenario, in the same format as a scenario file.',
          sent: ANY_OBJECT,
        }),
      ),
      Yaml: optionalField(z.string()).describe('The text of a scenario file, in YAML.'),
    }),
  )
  .meta({
    ...oneGiven(['Name'], ['Definition'], ['Yaml']),
    lowerCaseIn: 'Definition',
    'x-server-checks': 'Only one of Name, Definition and Yaml may have a value.',
  });

export const QueuedResponse = answers.object(() => ({ OutcomeQueueId: z.int(), Left: answers.count() }));
export type QueuedResponse = z.output<typeof QueuedResponse>;

/** The calls that a queue or a hold is for, in answers. */
export const matchedAnswer = () => ({
  Operation: z.string(),
  Match: z.strictObject({
    Reference: answers.text(),
    ProviderId: answers.text(),
    CardNumber: answers.text().describe('Masked.'),
    Amount: answers.text(),
  }),
});

export const QueueResponse = answers.component('OutcomeQueue', () => ({
  OutcomeQueueId: z.int(),
  ...matchedAnswer(),
  Left: answers.count().describe('The number of outcomes left.'),
  Outcomes: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])),
}));
export type QueueResponse = z.output<typeof QueueResponse>;

export const QueuesResponse = answers.object(() => ({ Queues: z.array(QueueResponse) }));
export type QueuesResponse = z.output<typeof QueuesResponse>;

export const LibraryScenarioResponse = answers.object(() => ({
  Name: z.string(),
  Description: answers.text(),
  File: z.string(),
}));
export type LibraryScenarioResponse = z.output<typeof LibraryScenarioResponse>;

export const ScenariosResponse = z.lazy(() => z.array(LibraryScenarioResponse));
export type ScenariosResponse = z.output<typeof ScenariosResponse>;

const playedFields = () => ({
  Scenario: answers.text().describe('The name of the active scenario, or null if there is none.'),
  Description: answers.text(),
  Rules: z
    .array(z.strictObject({ Rule: z.string(), Matched: answers.count() }))
    .describe('The number of times that each rule matched.'),
  State: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .describe('The named states and their values.'),
});

export const PlayedResponse = answers.component('PlayedScenario', playedFields);
export type PlayedResponse = z.output<typeof PlayedResponse>;

export const PlayedWholeResponse = answers.object(() => ({
  ...playedFields(),
  Definition: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The active scenario with card numbers masked, or null if there is none.'),
}));
export type PlayedWholeResponse = z.output<typeof PlayedWholeResponse>;

export const UnmatchedResponse = answers.object(() => ({ Rules: z.array(z.string()) }));
