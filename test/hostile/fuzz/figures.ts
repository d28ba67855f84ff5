import { operationAt, OPERATIONS } from './description.js';

/** What was sent so far, and what came back. */
export class Figures {
  requests = 0;
  readonly #classes = new Map<string, number>();
  readonly #reached = new Set<string>();

  /** So many requests are to be sent. */
  constructor(public wanted: number) {}

  isDone(): boolean {
    return this.requests >= this.wanted;
  }

  /** Notes an answer; null: none came. */
  note(method: string, path: string, status: number | null): void {
    this.requests++;
    const kind = status === null ? 'none' : `${Math.floor(status / 100)}xx`;
    this.#classes.set(kind, (this.#classes.get(kind) ?? 0) + 1);
    const operation = operationAt(method, path);
    if (operation !== undefined && kind === '2xx') this.#reached.add(operation.id);
  }

  /** The operations that were never answered 2xx. */
  unreached(): string[] {
    return OPERATIONS.map(({ id }) => id).filter((id) => !this.#reached.has(id));
  }

  toString(): string {
    const answers = [...this.#classes].toSorted().map(([kind, count]) => `${kind} ${count}`);
    const reached = `${this.#reached.size} of ${OPERATIONS.length} operations answered 2xx`;
    return `${this.requests} requests, ${reached}, ${answers.join(', ')}`;
  }
}
