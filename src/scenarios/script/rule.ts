import type * as z from 'zod';

import type { DelaySpec } from '../../core/time/delay.js';
import type { ProviderAccount } from '../../records/provider.js';
import type { Outcome } from '../../outcomes/outcomes.js';
import type { NamedState, Quota } from '../file/effects.js';
import type { FaultSpec, EffectPhase } from '../file/fault.js';
import type { PolicyWhen, WebhookEffect } from '../file/webhooks.js';
import type { whenField } from '../file/when.js';
import type { Operation } from './operations.js';

/** The values that conditions test. Null if the call does not have one. */
export interface ConditionFacts {
  /** The world's instant of the call, in milliseconds since 1970. */
  readonly now: number;
  readonly providerId: string | null;
  /** The full number if the call has it, otherwise the mask of a stored card. */
  readonly cardNumber: string | null;
  /** In major units as a decimal string, without trailing zeros. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly reference: string | null;
  readonly customerId: string | null;
  readonly paymentMethodId: string | null;
  readonly header: (name: string) => string | undefined;
  /** Only for a webhook: its event, its receiver, and the status of its record. */
  readonly event?: string;
  readonly url?: string;
  readonly status?: string | null;
}

export interface CallFacts extends ConditionFacts {
  readonly operation: Operation;
  /** Whether a charge goes on at a fallback. Only the outcome of what names that provider then has an effect. */
  readonly isFallback?: boolean;
}

/** The decision of a script about one call. With null, the operation decides. */
export interface ScriptDecision {
  /** The trigger for headers and the journal, such as `rule:primary down` or `queue:3`. */
  readonly trigger: string;
  readonly outcome: Outcome | null;
  readonly fault: FaultSpec | null;
  /** Real milliseconds. */
  readonly delayMs: number;
  readonly phase: EffectPhase;
  /** How far the world's clock moves forward before the operation. */
  readonly advanceMs: number;
}

export type ScriptStep = Pick<Effect, 'outcome' | 'fault' | 'delay' | 'phase' | 'advance'>;

/** Selects the calls that a queue is for. Strings are patterns; the amount is a decimal string. */
export interface MatchConditions {
  readonly reference?: string;
  readonly providerId?: string;
  readonly cardNumber?: string;
  readonly amount?: string;
}

/** The conditions of a rule or a policy, all of which must be met. Lists of strings are patterns, of which one must match. */
export type When = z.output<ReturnType<typeof whenField>> & z.output<typeof PolicyWhen>;

export interface Effect {
  readonly outcome?: string | undefined;
  readonly fault?: FaultSpec | undefined;
  readonly quota?: Quota | undefined;
  readonly delay?: DelaySpec | undefined;
  readonly phase: EffectPhase;
  /** In milliseconds. */
  readonly advance?: number | undefined;
  readonly state?: NamedState | undefined;
  readonly webhook?: WebhookEffect;
}

export interface Rule {
  /** Unique within its scenario. */
  readonly name: string;
  readonly when: When;
  readonly effect: Effect;
  /** How many times it can match; null without a limit. */
  readonly times: number | null;
}

/** The parts of a scenario that can match, or that make others match. */
export interface RuledScenario {
  readonly keys: readonly string[];
  readonly providers: readonly ProviderAccount[];
  readonly rules: readonly Rule[];
  readonly timeline: readonly { readonly do: { readonly setState?: NamedState | undefined } }[];
  readonly webhooks: { readonly policies: readonly Rule[] } | null;
}
