import type { Context } from 'hono';
import type * as z from 'zod';

import { CODE, refuse } from '../../core/errors.js';
import { endSentence } from '../../core/text/text.js';
import { type Env, requireWorld } from '../../http/exchange.js';
import { route, type Section } from '../../http/route.js';
import { readScenarioText } from '../../scenarios/file/file.js';
import { presentLibraryEntry, describeUnknownScenario } from '../../scenarios/file/library.js';
import type { Scenario } from '../../scenarios/script/model.js';
import type { World } from '../../world/world.js';
import { checkMatch, HOLD_ROWS } from './hold.js';
import { presentQueue } from './presenter.js';
import {
  PlayedResponse,
  PlayedWholeResponse,
  QueuedResponse,
  QueueOutcomes,
  QueuesResponse,
  ScenariosResponse,
  UnmatchedResponse,
  UseScenario,
} from './schema.js';

export const SCRIPT: Section = {
  tag: 'Outcomes and scenarios',
  text: 'Choose what providers answer, with queued outcomes and scenarios.',
  rows: [
    route({
      method: 'post',
      path: '/_sandbox/outcomes',
      id: 'queueOutcomes',
      summary: 'Queue outcomes for the next calls',
      text: 'Each call of the operation that matches Match uses the next outcome, until the queue is empty.',
      body: QueueOutcomes,
      response: QueuedResponse,
      handle: async (c, { body }) => {
        await checkMatch(c, body);
        return { OutcomeQueueId: requireWorld(c).script.enqueue(body), Left: body.steps.length };
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/outcomes',
      id: 'getOutcomes',
      summary: 'List queued outcomes',
      text: 'Returns the queues in the order in which they are used.',
      response: QueuesResponse,
      handle: (c) => ({ Queues: requireWorld(c).script.queues().map(presentQueue) }),
    }),
    route({
      method: 'delete',
      path: '/_sandbox/outcomes',
      id: 'emptyOutcomes',
      summary: 'Delete queued outcomes',
      text: 'Returns what was left in the queues.',
      response: QueuesResponse,
      handle: (c) => {
        const { script } = requireWorld(c);
        const emptied = script.queues().map(presentQueue);
        script.emptyQueues();
        return { Queues: emptied };
      },
    }),
    ...HOLD_ROWS,
    route({
      method: 'get',
      path: '/_sandbox/scenarios',
      id: 'getScenarios',
      summary: 'List scenarios',
      text: 'Returns the scenarios of the package, and the file that the sandbox was started with.',
      response: ScenariosResponse,
      handle: async (c) => {
        const entries = await c.get('edge').library.list();
        return entries.map(presentLibraryEntry);
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/scenario',
      id: 'getScenario',
      summary: 'Read the current scenario',
      text: 'Returns how often each rule matched, the named states, and the Definition in the form that PUT accepts.',
      response: PlayedWholeResponse,
      handle: async (c) => {
        const { toDefinition } = await import('../../scenarios/file/definition.js');
        const world = requireWorld(c);
        const { scenario } = world.script;
        const Definition = scenario === null ? null : { ...toDefinition(scenario) };
        return { ...presentScenario(world), Definition };
      },
    }),
    route({
      method: 'put',
      path: '/_sandbox/scenario',
      id: 'useScenario',
      summary: 'Use a scenario',
      text: 'Send one of Name, Definition and Yaml, or a YAML body. Rules, timeline, batches and webhooks change; records, seed and clock stay. A scenario with a condition that can never match is refused; x-sandbox-warning has hints about what may be a mistake.',
      body: UseScenario,
      takesYaml: true,
      response: PlayedResponse,
      errors: [[CODE.ValidationError, 404]],
      handle: async (c, { body }) => {
        const scenario = await readUsedScenario(c, body);
        const { worlds } = c.get('edge');
        await worlds.load(scenario);
        const world = requireWorld(c);
        worlds.switchTo(world, scenario);
        const { findHints } = await import('../../scenarios/file/schema.js');
        c.get('exchange').warnings.push(...findHints(scenario).map(({ message }) => message));
        return presentScenario(world);
      },
    }),
    route({
      method: 'delete',
      path: '/_sandbox/scenario',
      id: 'endScenario',
      summary: 'Remove the scenario',
      text: 'A reset of the world brings back the scenario that the sandbox was started with.',
      response: PlayedResponse,
      handle: (c) => {
        const world = requireWorld(c);
        c.get('edge').worlds.switchTo(world, null);
        return presentScenario(world);
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/scenario/unmatched',
      id: 'getUnmatched',
      summary: 'List the rules and policies that never matched',
      text: 'An empty list means that each of them matched at least once.',
      response: UnmatchedResponse,
      handle: (c) => ({ Rules: [...requireWorld(c).script.unmatched()] }),
    }),
  ],
};

async function readUsedScenario(c: Context<Env>, given: z.output<typeof UseScenario>): Promise<Scenario> {
  const { Name, Definition, Yaml } = given;
  const fields = [Name, Definition, Yaml].filter((value) => value !== null);
  if (fields.length === 1) {
    if (Name !== null) return requireScenario(c, Name);
    return Yaml === null ? readScenarioDefinition(Definition) : readScenarioYaml(Yaml);
  }
  return refuse(
    CODE.ValidationError,
    'Send either Name (of a scenario that /_sandbox/scenarios lists), Definition or Yaml.',
  );
}

/** Each error names its line and column. */
async function readScenarioYaml(text: string): Promise<Scenario> {
  const read = await readScenarioText(text, 'Yaml');
  if ('scenario' in read) return read.scenario;
  return refuseScenario(
    read.problems.map(({ line, column, message }) => [`line ${line}, column ${column}`, message]),
  );
}

/** Each error names its path. */
async function readScenarioDefinition(definition: unknown): Promise<Scenario> {
  // Loaded on first use: its schemas would cost every start some milliseconds.
  const { parseScenario } = await import('../../scenarios/file/schema.js');
  const parsed = parseScenario(definition);
  if ('scenario' in parsed) return parsed.scenario;
  return refuseScenario(
    parsed.issues.map(({ path, message }) => [['Definition', ...path].join('.'), message]),
  );
}

function refuseScenario(problems: readonly (readonly [place: string, message: string])[]): never {
  const details = Object.fromEntries(problems);
  const listed = Object.entries(details).map(([place, message]) => `${place}: ${message}`);
  const detail = endSentence(`The scenario is invalid: ${listed.join('; ')}`);
  return refuse(CODE.ValidationError, detail, { details });
}

function presentScenario({ script }: World): PlayedResponse {
  const { scenario } = script;
  return {
    Scenario: scenario?.name ?? null,
    Description: scenario?.description ?? null,
    Rules: script.matched().map(({ rule, matched }) => ({ Rule: rule, Matched: matched })),
    State: script.state(),
  };
}

/** A scenario of the library; an unknown name is refused with 404 and a suggestion. */
export async function requireScenario(c: Context<Env>, name: string): Promise<Scenario> {
  const { library } = c.get('edge');
  const scenario = await library.find(name);
  if (scenario !== undefined) return scenario;
  return refuse(CODE.ValidationError, describeUnknownScenario(name, await library.names()), {
    httpStatus: 404,
  });
}
