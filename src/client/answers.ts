import type { DeliveryStatus, Operation, QueuedOutcome } from './asked.js';
import type { ScenarioDefinition } from './scenario-definition.js';

/** What a world answers. Instants are ISO 8601 texts; bodies and headers are as they were on the wire. */

export interface ClockState {
  readonly now: string;
  readonly mode: 'real' | 'manual' | 'scaled';
  /** Virtual milliseconds for each real one. */
  readonly rate: number;
  /** When the next job is due; null: none is. */
  readonly nextDue: string | null;
}

export interface AdvanceReport {
  readonly from: string;
  readonly now: string;
  /** The jobs that ran, in order; the first 1,000. */
  readonly ran: readonly { readonly at: string; readonly kind: string; readonly ref: string | null }[];
  /** How many jobs ran. */
  readonly jobs: number;
  /** How many webhooks were sent meanwhile. */
  readonly deliveries: number;
}

export interface SettleReport {
  readonly now: string;
  readonly nextDue: string | null;
}

export interface WorldState {
  /** The short name of the world, which does not give its key away. */
  readonly world: string;
  readonly seed: string;
  readonly dialect: 'documented' | 'sdk';
  readonly clock: Omit<ClockState, 'nextDue'>;
  readonly scenario: string | null;
  /** How many records of each kind there are, such as `charges`, `journalEntries` and `queuedJobs`. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface OutcomeQueue {
  readonly outcomeQueueId: number;
  readonly operation: Operation;
  readonly match: {
    readonly reference: string | null;
    readonly providerId: string | null;
    /** Masked. */
    readonly cardNumber: string | null;
    readonly amount: string | null;
  };
  /** How many outcomes are left, and which. */
  readonly left: number;
  readonly outcomes: readonly QueuedOutcome[];
}

/** One call of the service and its answer, masked. */
export interface JournalEntry {
  readonly entryId: number;
  /** On the world's clock. */
  readonly at: string;
  /** On the wall clock. */
  readonly realAt: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Null where the call was refused before it was known. */
  readonly operation: Operation | null;
  readonly requestId: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: unknown;
  /** 0: no answer was given. */
  readonly status: number;
  readonly responseBody: unknown;
  /** What decided the outcome, such as `card:insufficient_funds`. */
  readonly trigger: string | null;
  readonly fault: string | null;
  /** The rule of the scenario that acted. */
  readonly rule: string | null;
  /** Which step of the published precedence decided. */
  readonly precedence: string | null;
  readonly warning: string | null;
  readonly durationMs: number;
  /** A body was too large to be kept whole. */
  readonly truncated: boolean;
  /** The webhooks that the call caused. */
  readonly deliveries: readonly CausedDelivery[];
}

export interface CausedDelivery {
  readonly deliveryId: string;
  readonly eventType: string;
  readonly url: string;
  readonly attempt: number;
  readonly status: DeliveryStatus;
  readonly responseStatus: number | null;
}

/** A webhook and what became of it. */
export interface Delivery extends CausedDelivery {
  readonly messageId: string;
  /** The record that it tells of. */
  readonly ref: string;
  /** When it was tried last, or made. */
  readonly at: string;
  readonly nextAttemptAt: string | null;
  readonly note: string | null;
  /** The policy of the scenario that acted on it. */
  readonly policy: string | null;
  /** The call that caused it, by its entryId. */
  readonly entryId: number | null;
  /** What the receiver is sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ScenarioState {
  /** Its name; null: none is played. */
  readonly scenario: string | null;
  readonly description: string | null;
  /** How often each rule acted. */
  readonly rules: readonly { readonly rule: string; readonly matched: number }[];
  /** The named states, in the author's spelling. */
  readonly state: Readonly<Record<string, string | number | boolean | null>>;
}

export interface CurrentScenario extends ScenarioState {
  /** As `use` takes it, with cards masked; null: none is played. */
  readonly definition: ScenarioDefinition | null;
}

/** A scenario that comes along. */
export interface LibraryScenario {
  readonly name: string;
  readonly description: string | null;
  readonly file: string;
}

/** All that decides an outcome. */
export interface Triggers {
  /** What wins over what, the highest first. */
  readonly precedence: readonly string[];
  readonly outcomes: readonly {
    readonly outcome: string;
    readonly code: number | null;
    readonly gatewayCode: string | null;
    readonly gatewayMessage: string | null;
    readonly isRetryable: boolean;
    readonly httpStatus: number;
  }[];
  readonly cards: readonly {
    readonly cardNumber: string;
    readonly scheme: string;
    readonly effect: string;
  }[];
  readonly accounts: readonly { readonly accountNumber: string; readonly effect: string }[];
  readonly payIds: readonly { readonly payId: string; readonly effect: string }[];
  readonly tokens: readonly { readonly token: string; readonly effect: string }[];
  readonly providers: readonly {
    readonly providerId: string;
    readonly name: string | null;
    readonly behaviour: string;
  }[];
}

/** What a snapshot has not like the world now; counts by the kind of record. */
export interface SnapshotDiff {
  readonly name: string;
  readonly from: string;
  readonly now: string;
  readonly counts: Readonly<
    Record<string, { readonly added: number; readonly changed: number; readonly removed: number }>
  >;
  readonly changes: readonly {
    readonly kind: string;
    readonly id: string;
    readonly change: 'added' | 'changed' | 'removed';
  }[];
}

export interface SavedSnapshot {
  readonly name: string;
  /** On the world's clock. */
  readonly at: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** A record as the service answers it, in its own spelling. */
export type WireRecord = Readonly<Record<string, unknown>>;
