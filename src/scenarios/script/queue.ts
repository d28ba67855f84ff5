import { refuseFull } from '../../core/errors.js';
import { type FactsTest, meetsAll, compileMatch } from './conditions.js';
import { coversOperation } from './reach.js';
import type { Operation } from './operations.js';
import type { CallFacts, MatchConditions, ScriptStep } from './rule.js';

/** How many steps all queues of a world can have: our own limit. */
export const QUEUED_STEPS_MAX = 10_000;

export interface QueueEntry {
  readonly operation: Operation;
  readonly match: MatchConditions;
  readonly steps: readonly ScriptStep[];
}

export interface Queue extends QueueEntry {
  readonly id: number;
}

export interface QueuesData {
  readonly nextId: number;
  readonly queues: readonly Queue[];
}

interface WaitingQueue {
  readonly id: number;
  readonly entry: QueueEntry;
  readonly tests: readonly FactsTest[];
  next: number;
}

export class Queues {
  #waiting: WaitingQueue[] = [];
  #steps = 0;
  #nextId = 1;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(entry: QueueEntry): number {
    if (this.#steps + entry.steps.length > QUEUED_STEPS_MAX) {
      const detail = `This world has ${this.#steps} queued outcomes; the maximum is ${QUEUED_STEPS_MAX}. Empty the queues with DELETE /_sandbox/outcomes.`;
      refuseFull(detail);
    }
    const id = this.#nextId++;
    this.#put(id, entry);
    return id;
  }

  #put(id: number, entry: QueueEntry): void {
    if (entry.steps.length === 0) return;
    this.#waiting.push({ id, entry, tests: compileMatch(entry.match), next: 0 });
    this.#steps += entry.steps.length;
  }

  /** Takes the next step of the first queue that matches the call. */
  takeStep(facts: CallFacts): { readonly id: number; readonly step: ScriptStep } | null {
    for (const waiting of this.#waiting) {
      const { id, entry, tests } = waiting;
      if (!coversOperation(entry.operation, facts.operation) || !meetsAll(facts, tests)) continue;
      const step = entry.steps[waiting.next];
      if (facts.isFallback && (entry.match.providerId === undefined || step?.outcome === undefined)) continue;
      // A queued fault needs a connection, so it waits for a call of exactly its operation.
      if (step === undefined || (step.outcome === undefined && entry.operation !== facts.operation)) continue;
      waiting.next++;
      this.#steps--;
      if (waiting.next === entry.steps.length)
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
      return { id, step };
    }
    return null;
  }

  remaining(): readonly Queue[] {
    return this.#waiting.map(({ id, entry, next }) => ({ ...entry, id, steps: entry.steps.slice(next) }));
  }

  /** Empties the queues. Their numbers are not used again. */
  clear(): void {
    this.#waiting = [];
    this.#steps = 0;
  }

  snapshot(): QueuesData {
    return { nextId: this.#nextId, queues: this.remaining() };
  }

  restore({ nextId, queues }: QueuesData): void {
    this.clear();
    for (const { id, ...entry } of queues) this.#put(id, entry);
    this.#nextId = nextId;
  }
}
