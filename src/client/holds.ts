import type { HeldCall, HeldCalls } from './answers.js';
import type { CallDecision, HoldOptions } from './asked.js';
import { ControlCalls } from './call.js';
import type { Operation } from './words.js';

/** The calls of a world that wait until you decide them. */
export class WorldHolds extends ControlCalls {
  /**
   * Holds the next call of an operation before anything is checked or decided, or the next `count` calls.
   *
   * @example
   * await world.holds.add('charge.create', { match: { reference: 'order-12' } });
   */
  add(operation: Operation, options: HoldOptions = {}): Promise<HeldCalls> {
    return this.call('PUT', '/hold', { ...options, operation });
  }

  /** The holds, and the calls that wait. */
  list(): Promise<HeldCalls> {
    return this.call('GET', '/hold');
  }

  /**
   * Decides a call that waits, by default as usual. Rejects with status 404 if no such call waits.
   *
   * @example
   * const [call] = (await world.holds.list()).waiting;
   * if (call) await world.holds.release(call.holdId, { fault: 'reset', phase: 'after' });
   */
  release(holdId: number, decision: CallDecision = {}): Promise<HeldCall> {
    return this.call('POST', `/hold/${holdId}`, decision);
  }

  /** Ends all holds; the calls that wait are decided as usual. Returns what there was. */
  clear(): Promise<HeldCalls> {
    return this.call('DELETE', '/hold');
  }
}
