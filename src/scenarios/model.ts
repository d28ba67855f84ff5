import type { ClockMode } from '../core/clock.js';
import type { DelaySpec } from '../core/delay.js';
import type { Dialect } from '../core/dialect.js';
import type { BroughtProvider } from '../providers/record.js';
import type { Outcome } from '../outcomes/outcomes.js';
import type { Fault } from './fault.js';
import type { Operation } from './operations.js';
import type { SeedData } from './seed-model.js';

export type { DelaySpec } from '../core/delay.js';
export type { Fault } from './fault.js';

export { type Operation, OPERATIONS } from './operations.js';

/** Whether a fault or delay comes before the operation, so that nothing happens, or after it was committed. */
export type Phase = 'before' | 'after';

/** What conditions are about. Absent members are null. */
export interface Conditioned {
  /** The world's instant of the call, in milliseconds since 1970. */
  readonly now: number;
  readonly providerId: string | null;
  /** The whole number where the call brings it, else what is known of a stored card, stars between. */
  readonly cardNumber: string | null;
  /** As a decimal text in major units, without needless zeros. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly reference: string | null;
  readonly customerId: string | null;
  readonly paymentMethodId: string | null;
  readonly header: (name: string) => string | undefined;
  /** Of a webhook alone: its event, its receiver, and the status of what it tells of. */
  readonly event?: string;
  readonly url?: string;
  readonly status?: string | null;
}

/** What a script may look at in a call. */
export interface Facts extends Conditioned {
  readonly operation: Operation;
}

/** What a script says of one call; null members say nothing. */
export interface Verdict {
  /** Who said so, for headers and the journal, such as `rule:primary down` or `queue:3`. */
  readonly trigger: string;
  readonly outcome: Outcome | null;
  readonly fault: Fault | null;
  /** Real milliseconds. */
  readonly delayMs: number;
  readonly phase: Phase;
}

/** What one queued entry or one rule makes of a call; absent members say nothing. */
export interface Step {
  readonly outcome?: Outcome;
  readonly fault?: Fault;
  readonly delay?: DelaySpec;
  readonly phase: Phase;
}

/** Which calls a queue is for, beside their operation. Texts are globs, the amount is a decimal text. */
export interface QueueMatch {
  readonly reference?: string;
  readonly providerId?: string;
  readonly cardNumber?: string;
  readonly amount?: string;
}

/** The value of a named state; null: never set, or unset again. */
export type StateValue = string | number | boolean | null;
export type NamedState = Readonly<Record<string, StateValue>>;

/** What an amount in major units is compared with. */
export type AmountTest =
  | { readonly kind: 'equal'; readonly values: readonly number[] }
  | {
      readonly kind: 'bounds';
      readonly gt?: number;
      readonly gte?: number;
      readonly lt?: number;
      readonly lte?: number;
    };

/** When a rule matches: every member that is given must hold. Lists of texts are globs, of which one must fit. */
export interface When {
  readonly operation?: readonly Operation[];
  readonly provider?: readonly string[];
  readonly card?: readonly string[];
  readonly amount?: AmountTest;
  readonly currency?: readonly string[];
  readonly reference?: readonly string[];
  readonly customer?: readonly string[];
  readonly header?: Readonly<Record<string, readonly string[]>>;
  readonly state?: NamedState;
  /** These go with policies for webhooks alone. */
  readonly event?: readonly string[];
  readonly url?: readonly string[];
  readonly status?: readonly string[];
  /** Only these of the calls that match all the rest, counted from 1. */
  readonly nth?: readonly number[];
  /** Only every so-manieth of them. */
  readonly every?: number;
  /** How many of them are left alone before any count begins. */
  readonly after?: number;
}

/** At most so many calls in a window of the world's time; the next are refused with 429. */
export interface Quota {
  readonly limit: number;
  readonly windowMs: number;
}

/** What a policy does to a webhook. */
export interface WebhookEffect {
  /** How many more copies are sent. */
  readonly duplicates: number;
  /** How much later it is sent, in milliseconds of the world's time. */
  readonly delayMs: number;
  /** Whether it changes places with the next one to its receiver. */
  readonly swap: boolean;
  /** Whether it is never sent. */
  readonly drop: boolean;
  readonly badSignature: boolean;
  /** How old its timestamp is made, in milliseconds. */
  readonly staleMs: number;
}

/** What a rule does. Plain data: an outcome stands by its name, so that a scenario can be written down. */
export interface Effect {
  readonly outcome?: string;
  readonly fault?: Fault;
  readonly quota?: Quota;
  readonly delay?: DelaySpec;
  readonly phase: Phase;
  readonly state?: NamedState;
  readonly webhook?: WebhookEffect;
}

export interface Rule {
  /** Unique within its scenario. */
  readonly name: string;
  readonly when: When;
  /** What stands under `then` in a file. */
  readonly effect: Effect;
  /** How often it acts at most; null: without end. */
  readonly times: number | null;
}

/** What happens at an instant of a scenario without any call. */
export type TimelineAction =
  | { readonly kind: 'providerDown' | 'providerUp'; readonly providerId: string }
  | { readonly kind: 'setState'; readonly state: NamedState };

export interface TimelineEntry {
  /** Milliseconds of the world's time since the switch to the scenario. */
  readonly offsetMs: number;
  readonly action: TimelineAction;
}

/** How batches go under a scenario; null members leave the standard. */
export interface BatchBehaviour {
  /** Milliseconds for each row. */
  readonly paceMs: number | null;
  /** The share of the rows, 0 to 1, after which a batch fails or stops for good. */
  readonly failAt: number | null;
  readonly stuckAt: number | null;
}

/** What happens to webhooks under a scenario. */
export interface WebhookBehaviour {
  /** What they are signed with; null: as the sandbox is set. */
  readonly secret: string | null;
  readonly policies: readonly Rule[];
}

/** A scenario as it is played: read and checked, and nothing but plain data. */
export interface Scenario {
  readonly name: string;
  readonly description: string | null;
  /** These act when a world is made or reset; null: as the sandbox is set. */
  readonly seed: string | null;
  readonly clock: { readonly mode: ClockMode; readonly rate: number } | null;
  /** Milliseconds since 1970. */
  readonly startTime: number | null;
  readonly dialect: Dialect | null;
  /** The secret keys that get the scenario; empty: all. */
  readonly keys: readonly string[];
  /** They are configured in the world as long as the scenario is played. */
  readonly providers: readonly BroughtProvider[];
  /** What a world begins with when it is made or reset; null: empty. */
  readonly seedData: SeedData | null;
  readonly rules: readonly Rule[];
  readonly timeline: readonly TimelineEntry[];
  readonly batches: BatchBehaviour | null;
  readonly webhooks: WebhookBehaviour | null;
}
