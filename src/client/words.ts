import type { ShortOutcomeName as OutcomeName } from '../outcomes/outcomes.js';
import type { EventType } from '../records/webhook-subscription.js';
import type { PlainFault, StatusFault } from '../scenarios/file/fault.js';
import type { Operation } from '../scenarios/script/operations.js';

/** The words that arguments, answers and scenario files have in common. */

// The build writes out the types that come from tables.

export type { Operation };

/** A duration, such as `250ms`, `30s`, `15m`, `2h`, `7d` or `PT2H`. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}` | `P${string}`;

/** An instant, such as `2030-01-01T00:00:00Z`. */
export type Instant = string | Date;

/** The outcomes that have a name. */
export type NamedOutcome = OutcomeName;

/** The outcome of a call: a named one, or the name of a 9xx code. `triggers()` lists them all. */
export type Outcome = NamedOutcome | (string & {});

/** A network fault, or an answer with that status, such as `status=503`. */
export type Fault = PlainFault | StatusFault;

/** When a fault happens: `before` the operation, so that it has no effect, or `after` it was committed. */
export type Phase = 'before' | 'after';

/** How long an answer is delayed, in real time: a fixed duration, or a random one that depends on the seed. */
export type Delay =
  | Duration
  | { readonly min: Duration; readonly max: Duration }
  | { readonly median: Duration; readonly sigma: number };

/** The result of one call: an outcome by its name, a fault, a delay, or an outcome or fault with a delay. */
export type QueuedOutcome =
  | Outcome
  | { readonly outcome: Outcome; readonly delay?: Delay; readonly phase?: Phase }
  | { readonly fault: Fault; readonly delay?: Delay; readonly phase?: Phase }
  /** @deprecated Write `{ fault: 'status=503' }`. */
  | { readonly fault: 'status'; readonly status: number; readonly delay?: Delay; readonly phase?: Phase }
  | { readonly delay: Delay; readonly phase?: Phase };

/** The events of webhooks. */
export type WebhookEvent = EventType;
