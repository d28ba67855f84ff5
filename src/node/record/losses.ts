import { formatCount } from '../../core/text/text.js';

/** Limits of the list: calls per reason, and reasons, since an upstream can make up names of encodings. */
const CALLS_MAX = 10;
const REASONS_MAX = 20;

/** Why parts of a recorded call could not be recorded; null for a part that was, or that did not exist. */
export interface LossReasons {
  readonly lost: string | null;
  readonly requestLost: string | null;
}

/** The numbers of calls, grouped by a reason. */
export class CallsByReason {
  readonly #calls = new Map<string, number[]>();

  add(call: number, reason: string): void {
    const calls = this.#calls.get(reason);
    if (calls === undefined) this.#calls.set(reason, [call]);
    else calls.push(call);
  }

  addLost(call: number, { lost, requestLost }: LossReasons): void {
    if (lost !== null) this.add(call, `recorded without the answer (${lost})`);
    if (requestLost !== null) this.add(call, `recorded without the body of the request (${requestLost})`);
  }

  /** A line for each reason, such as `2 calls (1, 3): recorded without the answer (encoding zstd)`. */
  get lines(): readonly string[] {
    const lines = Array.from(this.#calls, ([reason, calls]) => {
      const listed = calls.slice(0, CALLS_MAX).join(', ') + (calls.length > CALLS_MAX ? ', …' : '');
      return `${formatCount(calls.length, 'call')} (${listed}): ${reason}`;
    });
    const more = lines.length - REASONS_MAX;
    return more > 0 ? [...lines.slice(0, REASONS_MAX), `and ${formatCount(more, 'more reason')}`] : lines;
  }
}
