import type * as z from 'zod';

import type { DelaySpec } from '../core/delay.js';
import type { Outcome } from '../outcomes/outcomes.js';
import type { Fault } from './fault.js';
import type { Operation } from './operations.js';
import type { Quota } from './then.js';
import type { PolicyWhen, WebhookEffect } from './webhooks.js';
import type { whenField } from './when.js';

export type { DelaySpec } from '../core/delay.js';
export type { Fault } from './fault.js';
export type { Scenario } from './schema.js';

export { type Operation, OPERATIONS } from './operations.js';

/** Whether a fault or delay comes before the operation, so that nothing happens, or after it was committed. */
export type Phase = 'before' | 'after';

/** What conditions are about. What a call does not have is null. */
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
  /** Only of a webhook: its event, its receiver, and the status of its record. */
  readonly event?: string;
  readonly url?: string;
  readonly status?: string | null;
}

export interface Facts extends Conditioned {
  readonly operation: Operation;
}

/** What a script says of one call; null says nothing. */
export interface Verdict {
  /** Who said so, for headers and the journal, such as `rule:primary down` or `queue:3`. */
  readonly trigger: string;
  readonly outcome: Outcome | null;
  readonly fault: Fault | null;
  /** Real milliseconds. */
  readonly delayMs: number;
  readonly phase: Phase;
}

export type Step = Pick<Effect, 'outcome' | 'fault' | 'delay' | 'phase'>;

/** Which calls of its operation a queue is for. Texts are globs; the amount is a decimal text. */
export interface QueueMatch {
  readonly reference?: string;
  readonly providerId?: string;
  readonly cardNumber?: string;
  readonly amount?: string;
}

/** The value of a named state; null: never set, or unset again. */
export type StateValue = string | number | boolean | null;
export type NamedState = Readonly<Record<string, StateValue>>;

/** When a rule or a policy acts: every condition that is given must hold. Lists of texts are globs, of which one must fit. */
export type When = z.output<ReturnType<typeof whenField>> & z.output<typeof PolicyWhen>;

/** What a rule does. Plain data: an outcome stands by its name, so that a scenario can be written down. */
export interface Effect {
  readonly outcome?: string | undefined;
  readonly fault?: Fault | undefined;
  readonly quota?: Quota | undefined;
  readonly delay?: DelaySpec | undefined;
  readonly phase: Phase;
  readonly state?: NamedState | undefined;
  readonly webhook?: WebhookEffect;
}

export interface Rule {
  /** Unique within its scenario. */
  readonly name: string;
  readonly when: When;
  readonly effect: Effect;
  /** The most times that it acts; null: no limit. */
  readonly times: number | null;
}
