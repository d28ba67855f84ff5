import type { CurrentScenario, LibraryScenario, OutcomeQueue, ScenarioState } from './answers.js';
import type { QueueMatch } from './asked.js';
import { ControlCalls } from './call.js';
import { isPlainObject } from './sendable.js';
import type { ScenarioDefinition, ScenarioText } from './scenario-definition.js';
import type { Operation, QueuedOutcome } from './words.js';

/** The scenario of a world. */
export class WorldScenario extends ControlCalls {
  /**
   * Starts a scenario: one of the library by its name, your own definition, or the text of a scenario file. Rejects with code 90 if
   * a field is wrong; the message names the field, or its line and column.
   *
   * @example
   * await world.scenario.use('lost-answer');
   * await world.scenario.use({
   *   name: 'no money',
   *   rules: [{ when: { operation: 'charge.create', every: 3 }, then: { outcome: 'insufficient_funds' } }],
   * });
   * await world.scenario.use({ yaml: await readFile('bad-day.yaml', 'utf8') });
   */
  use(scenario: string | ScenarioDefinition | ScenarioText): Promise<ScenarioState> {
    if (typeof scenario === 'string') return this.call('PUT', '/scenario', { name: scenario });
    const isText = isPlainObject(scenario) && 'yaml' in scenario;
    return this.call('PUT', '/scenario', isText ? scenario : { definition: scenario });
  }

  /** The current scenario, and how often each rule matched. */
  current(): Promise<CurrentScenario> {
    return this.call('GET', '/scenario');
  }

  /** The names of the rules that have not matched. */
  async unmatched(): Promise<readonly string[]> {
    return (await this.call<{ readonly rules: readonly string[] }>('GET', '/scenario/unmatched')).rules;
  }

  /** Stops the scenario. */
  clear(): Promise<ScenarioState> {
    return this.call('DELETE', '/scenario');
  }

  /** The scenarios of the library. */
  list(): Promise<readonly LibraryScenario[]> {
    return this.call('GET', '/scenarios');
  }
}

/** Outcomes for the next calls of a world, used in order. */
export class WorldOutcomes extends ControlCalls {
  /**
   * Queues outcomes for the next calls of an operation. Rejects with code 90 for an outcome that does not exist or that the
   * operation cannot have.
   *
   * @example
   * await world.outcomes.queue('charge.create', ['issuer_unavailable', { fault: 'reset', phase: 'after' }, 'approve']);
   * await world.outcomes.queue('charge.create', ['do_not_honor'], { reference: 'order-*' });
   */
  queue(
    operation: Operation,
    outcomes: readonly QueuedOutcome[],
    match?: QueueMatch,
  ): Promise<{ readonly outcomeQueueId: number; readonly left: number }> {
    return this.call('POST', '/outcomes', { operation, outcomes, match });
  }

  /** The queues that still have outcomes. */
  async list(): Promise<readonly OutcomeQueue[]> {
    return (await this.call<QueuesAnswer>('GET', '/outcomes')).queues;
  }

  /** Clears all queues, and returns what was in them. */
  async clear(): Promise<readonly OutcomeQueue[]> {
    return (await this.call<QueuesAnswer>('DELETE', '/outcomes')).queues;
  }
}

interface QueuesAnswer {
  readonly queues: readonly OutcomeQueue[];
}
