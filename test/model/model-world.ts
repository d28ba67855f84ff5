import type { Event } from './event.js';
import { evolve } from './events.js';
import { emptyState, type State } from './state.js';

/** The model of one world: the events that it accepted, and the state that follows from them. */
export class ModelWorld {
  #events: Event[] = [];
  #state = emptyState();
  #saved: readonly Event[] | null = null;
  /** The scenario that it was switched to; null: none. */
  chosen: number | null = null;

  get state(): State {
    return this.#state;
  }

  /** All that was accepted so far. */
  get events(): readonly Event[] {
    return [...this.#events];
  }

  get saved(): readonly Event[] | null {
    return this.#saved;
  }

  accept(events: readonly Event[]): void {
    for (const event of events) {
      this.#events.push(event);
      evolve(this.#state, event);
    }
  }

  /** Does what is due now. Each request to a world begins with that. */
  enter(): void {
    const { jobs, now } = this.#state;
    if (jobs.some(({ due }) => due <= now)) this.accept([{ kind: 'entered' }]);
  }

  /** Puts other events into the place of all so far: the state follows from them alone. */
  begin(events: readonly Event[]): void {
    this.#events = [];
    this.#state = emptyState();
    this.accept(events);
  }

  save(what: 'these' | 'none'): void {
    this.#saved = what === 'these' ? [...this.#events] : null;
  }
}
