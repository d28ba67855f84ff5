import { refuseFull } from '../../core/errors.js';
import type { HoldEnd } from '../../records/held-time.js';
import { compileMatch, type FactsTest, meetsAll } from './conditions.js';
import type { Operation } from './operations.js';
import type { CallFacts, MatchConditions, ScriptStep } from './rule.js';

/** How many calls of a world can wait or be waited for: our own limit. */
export const HELD_CALLS_MAX = 100;

/** Makes the next calls that match wait until somebody decides them. */
export interface Hold {
  readonly operation: Operation;
  readonly match: MatchConditions;
  /** How many calls it is still for. */
  readonly count: number;
  /** How long each of them waits at most, in real milliseconds. */
  readonly timeoutMs: number;
}

/** The call that arrived and waits. */
interface HeldArrival {
  readonly facts: CallFacts;
  readonly method: string;
  readonly path: string;
  /** When it arrived and how long it waits, by the wall clock. */
  readonly since: number;
  readonly until: number;
  /** Whether it was performed, and only its answer waits. */
  readonly isAnswer: boolean;
}

/** A call that waits until its signal is aborted. */
export class HeldCall {
  end: HoldEnd | null = null;
  /** The outcome or fault that somebody chose; null to decide as usual. */
  step: ScriptStep | null = null;
  readonly #over = new AbortController();

  constructor(
    readonly id: number,
    readonly arrival: HeldArrival,
  ) {}

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  decide(end: HoldEnd, step: ScriptStep | null): void {
    this.end = end;
    this.step = step;
    this.#over.abort();
  }
}

/** The holds of a world and the calls that wait. Neither is part of a snapshot. */
export class Holds {
  #holds: (Hold & { readonly tests: readonly FactsTest[] })[] = [];
  readonly #waiting = new Map<number, HeldCall>();
  #nextId = 1;

  constructor(private readonly onChange: () => void) {}

  get isEmpty(): boolean {
    return this.#holds.length === 0;
  }

  list(): readonly Hold[] {
    return this.#holds;
  }

  waiting(): readonly HeldCall[] {
    return [...this.#waiting.values()];
  }

  /** Adds a hold, in place of one for the same calls. */
  add(hold: Hold): void {
    const calls = JSON.stringify([hold.operation, hold.match]);
    const others = this.#holds.filter(({ operation, match }) => JSON.stringify([operation, match]) !== calls);
    const taken = others.reduce((sum, { count }) => sum + count, this.#waiting.size);
    if (taken + hold.count > HELD_CALLS_MAX)
      refuseFull(
        `This world holds ${taken} calls already; the maximum is ${HELD_CALLS_MAX}. End its holds with DELETE /_sandbox/hold.`,
      );
    this.#holds = [...others, { ...hold, tests: compileMatch(hold.match) }];
    this.onChange();
  }

  /** The first hold that matches a call, which counts as one of its calls. */
  take(facts: CallFacts): Hold | null {
    const at = this.#holds.findIndex(
      ({ operation, tests }) => operation === facts.operation && meetsAll(facts, tests),
    );
    const hold = this.#holds[at];
    if (hold === undefined) return null;
    this.#holds = this.#holds.flatMap((other) => {
      if (other !== hold) return other;
      return hold.count === 1 ? [] : { ...hold, count: hold.count - 1 };
    });
    this.onChange();
    return hold;
  }

  /** Adds a call that waits. */
  begin(arrival: HeldArrival): HeldCall {
    const call = new HeldCall(this.#nextId++, arrival);
    this.#waiting.set(call.id, call);
    return call;
  }

  /** Decides a call that waits, if it still does. */
  decide(id: number, end: HoldEnd, step: ScriptStep | null = null): HeldCall | undefined {
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    call?.decide(end, step);
    return call;
  }

  find(id: number): HeldCall | undefined {
    return this.#waiting.get(id);
  }

  /** Ends all holds. The calls that wait are decided as usual. */
  clear(): void {
    this.#holds = [];
    this.onChange();
    for (const id of this.#waiting.keys()) this.decide(id, 'delete');
  }
}
