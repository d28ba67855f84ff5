import { CODE, refuseField } from '../core/errors.js';
import { sentence } from '../core/text/text.js';
import { DELAY_MS_MAX } from '../core/time/delay.js';
import { parseDuration } from '../core/time/time.js';
import { describeUnknown, type Outcome, outcomeNamed, shown } from './outcomes.js';

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
  const outcome = outcomeNamed(name);
  if (outcome === undefined) return refuseHeader(`unknown outcome ${describeUnknown(name)}`);
  if (rest.length > 0) return refuseHeader('it has more than one outcome and one delay');
  const delayMs = delay === undefined ? 0 : parseDelay(delay);
  return { outcome, delayMs, trigger: `header:${name}`, isDone: false };
}

function parseDelay(part: string): number {
  if (!part.startsWith(DELAY_PREFIX)) {
    return refuseHeader(`after the outcome only delay=<duration> is allowed, not ${shown(part)}`);
  }
  const text = part.slice(DELAY_PREFIX.length);
  const delayMs = parseDuration(text);
  if (delayMs === undefined) {
    return refuseHeader(`the delay must be a duration such as 250ms, 2s, 1m or PT2S, not ${shown(text)}`);
  }
  if (delayMs > DELAY_MS_MAX) {
    return refuseHeader(`the delay must be at most ${DELAY_MS_MAX / 1000}s, not ${shown(text)}`);
  }
  return delayMs;
}

export function refuseHeader(reason: string): never {
  const detail = sentence(`the header x-sandbox-outcome is not valid: ${reason}`);
  return refuseField(CODE.ValidationError, 'x-sandbox-outcome', reason, detail);
}
