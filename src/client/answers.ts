import type { ChargeResponse } from '../resources/charges/schema.js';
import type { JournalEntryResponse } from '../control/journal/entry-schema.js';
import type {
  LibraryScenarioResponse,
  PlayedResponse,
  PlayedWholeResponse,
  QueueResponse,
} from '../control/scenario/schema.js';
import type {
  AdvanceResponse,
  ClockResponse,
  SettledResponse,
  TriggersResponse,
  WorldResponse,
} from '../control/schema.js';
import type { HeldCallResponse, HoldsResponse } from '../control/scenario/hold-schema.js';
import type { ReconcileResponse } from '../control/reconcile/schema.js';
import type { DiffResponse, SnapshotResponse } from '../control/snapshots/schema.js';
import type { CausedResponse, DeliveryResponse } from '../control/webhooks/schema.js';
import type { ScenarioDefinition } from './scenario-definition.js';
import type { ClientAnswer, AsSent } from './spelling.js';
import type { Operation, QueuedOutcome } from './words.js';

/** The answers of a world. Instants are ISO 8601 texts. Bodies and headers are as on the wire. */

// The build writes out each type in full, with the descriptions of its schema. Types in braces are more exact than the schema's.

export type ClockState = ClientAnswer<ClockResponse>;

export type AdvanceReport = ClientAnswer<AdvanceResponse>;

export type SettleReport = ClientAnswer<SettledResponse>;

export type WorldState = ClientAnswer<WorldResponse, { counts: Readonly<Record<string, number>> }>;

export type OutcomeQueue = ClientAnswer<
  QueueResponse,
  { operation: Operation; outcomes: readonly QueuedOutcome[] }
>;

/** The holds of a world, and the calls that wait. */
export type HeldCalls = ClientAnswer<HoldsResponse>;

/** A call that waits for somebody to decide it. */
export type HeldCall = ClientAnswer<HeldCallResponse>;

/** One call of the service and its answer, masked. */
export type JournalEntry = ClientAnswer<
  JournalEntryResponse,
  { operation: Operation | null; deliveries: readonly CausedDelivery[] }
>;

export type CausedDelivery = ClientAnswer<CausedResponse>;

/** A webhook and the result of its delivery. */
export type Delivery = ClientAnswer<DeliveryResponse>;

export type DeliveryStatus = Delivery['status'];

export type ScenarioState = ClientAnswer<PlayedResponse>;

export type CurrentScenario = ClientAnswer<PlayedWholeResponse, { definition: ScenarioDefinition | null }>;

/** A scenario of the library. */
export type LibraryScenario = ClientAnswer<LibraryScenarioResponse>;

/** Everything that decides an outcome. */
export type Triggers = ClientAnswer<TriggersResponse>;

/** How the world differs from a snapshot, counted by kind of record. */
export type SnapshotDiff = ClientAnswer<DiffResponse>;

export type SavedSnapshot = ClientAnswer<SnapshotResponse, { counts: Readonly<Record<string, number>> }>;

/** How the orders of a shop compare with its charges. Amounts are in major units. */
export type Reconciliation = ClientAnswer<ReconcileResponse>;

/** A charge as the service returns it, with field names as on the wire. Instants are ISO 8601 texts; amounts are in major units. */
export type Charge = AsSent<ChargeResponse>;

export type ChargeStatus = Charge['Status'];

/** A record as the service returns it, with field names as on the wire. */
export type WireRecord = Readonly<Record<string, unknown>>;

/** A single-use token, with field names as on the wire. */
export interface CreatedToken extends WireRecord {
  readonly TokenId: string;
  readonly ExpiresAt: string;
}
