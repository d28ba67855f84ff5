import type { CurrentScenario, LibraryScenario, OutcomeQueue, ScenarioState } from './answers.js';
import type { Operation, QueuedOutcome, QueueMatch } from './asked.js';
import { ControlCalls } from './call.js';
import type { ScenarioDefinition } from './scenario-definition.js';

/** The scenario that a world plays. */
export class WorldScenario extends ControlCalls {
  /**
   * Plays a scenario of the library, or one of the test's own, from its beginning. Rejects with code 90 and says which field is
   * wrong.
   *
   * @example
   * await world.scenario.use('lost-answer');
   * await world.scenario.use({
   *   name: 'no money',
   *   rules: [{ when: { operation: 'charge.create', every: 3 }, then: { outcome: 'insufficient_funds' } }],
   * });
   */
  use(scenario: string | ScenarioDefinition): Promise<ScenarioState> {
    const body = typeof scenario === 'string' ? { name: scenario } : { definition: scenario };
    return this.call('PUT', '/scenario', body);
  }

  /** The scenario that is played, and how often each rule acted. */
  current(): Promise<CurrentScenario> {
    return this.call('GET', '/scenario');
  }

  /** The names of the rules that never acted: empty once the whole story was played. */
  async unmatched(): Promise<readonly string[]> {
    return (await this.call<{ readonly rules: readonly string[] }>('GET', '/scenario/unmatched')).rules;
  }

  /** Plays none. */
  clear(): Promise<ScenarioState> {
    return this.call('DELETE', '/scenario');
  }

  /** The scenarios that can be played by name. */
  list(): Promise<readonly LibraryScenario[]> {
    return this.call('GET', '/scenarios');
  }
}

/** What the next calls of a world are answered, used up in order. */
export class WorldOutcomes extends ControlCalls {
  /**
   * Queues what the next calls of an operation are answered. Rejects with code 90 for an outcome that does not exist, or
   * that the operation cannot have.
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

  /** The queues that are not used up. */
  async list(): Promise<readonly OutcomeQueue[]> {
    return (await this.call<Queues>('GET', '/outcomes')).queues;
  }

  /** Empties all queues; gives back what was in them. */
  async clear(): Promise<readonly OutcomeQueue[]> {
    return (await this.call<Queues>('DELETE', '/outcomes')).queues;
  }
}

interface Queues {
  readonly queues: readonly OutcomeQueue[];
}
