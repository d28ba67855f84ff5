import type { CurrentScenario, LibraryScenario, ScenarioState } from './answers.js';
import type { ControlCalls } from './call.js';
import type { ScenarioDefinition } from './scenario-definition.js';

/** The scenario that a world plays. */
export class WorldScenario {
  readonly #calls: ControlCalls;

  /** @internal */
  constructor(calls: ControlCalls) {
    this.#calls = calls;
  }

  /**
   * Plays a scenario of the library, or one of the test's own, from its beginning. Rejects with code 90 and says which member is
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
    return this.#calls.call('PUT', '/scenario', body);
  }

  /** The scenario that is played, and how often each rule acted. */
  current(): Promise<CurrentScenario> {
    return this.#calls.call('GET', '/scenario');
  }

  /** The names of the rules that never acted: empty once the story was told to its end. */
  async unmatched(): Promise<readonly string[]> {
    return (await this.#calls.call<{ readonly rules: readonly string[] }>('GET', '/scenario/unmatched'))
      .rules;
  }

  /** Plays none. */
  clear(): Promise<ScenarioState> {
    return this.#calls.call('DELETE', '/scenario');
  }

  /** The scenarios that can be played by name. */
  list(): Promise<readonly LibraryScenario[]> {
    return this.#calls.call('GET', '/scenarios');
  }
}
