import type { OutcomeQueue } from './answers.js';
import type { Operation, QueuedOutcome, QueueMatch } from './asked.js';
import type { ControlCalls } from './call.js';

/** What the next calls of a world are answered, used up in order. */
export class WorldOutcomes {
  readonly #calls: ControlCalls;

  /** @internal */
  constructor(calls: ControlCalls) {
    this.#calls = calls;
  }

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
    return this.#calls.call('POST', '/outcomes', { operation, outcomes, match });
  }

  /** The queues that are not used up. */
  async list(): Promise<readonly OutcomeQueue[]> {
    return (await this.#calls.call<Queues>('GET', '/outcomes')).queues;
  }

  /** Empties all queues; gives back what was in them. */
  async clear(): Promise<readonly OutcomeQueue[]> {
    return (await this.#calls.call<Queues>('DELETE', '/outcomes')).queues;
  }
}

interface Queues {
  readonly queues: readonly OutcomeQueue[];
}
