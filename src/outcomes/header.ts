import { CODE, refuseField } from '../core/errors.js';
import { endSentence } from '../core/text/text.js';
import { DELAY_MS_MAX } from '../core/time/delay.js';
import { parseAnyDuration } from '../core/time/time.js';
import { describeUnknownOutcome, type Outcome, findOutcome, quoteMasked } from './outcomes.js';

export interface Override {
  readonly outcome: Outcome;
  /** In real time. */
  readonly delayMs: number;
  readonly trigger: string;
  /** Whether the operation is committed although the answer is a time-out. */
  readonly isDone: boolean;
}

const DELAY_PREFIX = 'delay=';

/** Reads `<outcome>[, delay=<duration>]`; refuses anything else with code 90. */
export function parseOverride(text: string): Override {
  const [name = '', delay, ...rest] = text.split(',').map((part) => part.trim());
  const outcome = findOutcome(name);
  if (outcome === undefined) return refuseHeader(`unknown outcome ${describeUnknownOutcome(name)}`);
  if (rest.length > 0) return refuseHeader('it has more than one outcome and one delay');
  const delayMs = delay === undefined ? 0 : parseDelay(delay);
  return { outcome, delayMs, trigger: `header:${name}`, isDone: false };
}

function parseDelay(part: string): number {
  if (!part.startsWith(DELAY_PREFIX)) {
    return refuseHeader(`after the outcome only delay=<duration> is allowed, not ${quoteMasked(part)}`);
  }
  const text = part.slice(DELAY_PREFIX.length);
  const delayMs = parseAnyDuration(text);
  if (delayMs === undefined) {
    return refuseHeader(
      `the delay must be a duration such as 250ms, 2s, 1m or PT2S, not ${quoteMasked(text)}`,
    );
  }
  if (delayMs > DELAY_MS_MAX) {
    return refuseHeader(`the delay must be at most ${DELAY_MS_MAX / 1000}s, not ${quoteMasked(text)}`);
  }
  return delayMs;
}

export function refuseHeader(reason: string): never {
  const detail = endSentence(`the header x-sandbox-outcome is not valid: ${reason}`);
  return refuseField(CODE.ValidationError, 'x-sandbox-outcome', reason, detail);
}
