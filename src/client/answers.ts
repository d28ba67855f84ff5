import type { ChargeResponse } from '../charges/schema.js';
import type { JournalEntryResponse } from '../control/journal/schema.js';
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
import type { DiffResponse, SnapshotResponse } from '../control/snapshots/schema.js';
import type { CausedResponse, DeliveryResponse } from '../control/webhooks/schema.js';
import type { Operation } from '../scenarios/operations.js';
import type { QueuedOutcome } from './asked.js';
import type { ScenarioDefinition } from './scenario-definition.js';
import type { Answer, AsSent } from './spelling.js';

/** What a world answers. Instants are ISO 8601 texts; bodies and headers are as they were on the wire. */

// The build writes each type out in full, with the descriptions of its schema. What stands in braces is more exact than that.

export type ClockState = Answer<ClockResponse>;

export type AdvanceReport = Answer<AdvanceResponse>;

export type SettleReport = Answer<SettledResponse>;

export type WorldState = Answer<WorldResponse, { counts: Readonly<Record<string, number>> }>;

export type OutcomeQueue = Answer<
  QueueResponse,
  { operation: Operation; outcomes: readonly QueuedOutcome[] }
>;

/** One call of the service and its answer, masked. */
export type JournalEntry = Answer<
  JournalEntryResponse,
  { operation: Operation | null; deliveries: readonly CausedDelivery[] }
>;

export type CausedDelivery = Answer<CausedResponse>;

/** A webhook and what became of it. */
export type Delivery = Answer<DeliveryResponse>;

export type DeliveryStatus = Delivery['status'];

export type ScenarioState = Answer<PlayedResponse>;

export type CurrentScenario = Answer<PlayedWholeResponse, { definition: ScenarioDefinition | null }>;

/** A scenario that comes along. */
export type LibraryScenario = Answer<LibraryScenarioResponse>;

/** All that decides an outcome. */
export type Triggers = Answer<TriggersResponse>;

/** What a snapshot has not like the world now; counts by the kind of record. */
export type SnapshotDiff = Answer<DiffResponse>;

export type SavedSnapshot = Answer<SnapshotResponse, { counts: Readonly<Record<string, number>> }>;

/** A charge as the service answers it, in its own spelling. Instants are ISO 8601 texts, amounts major units. */
export type Charge = AsSent<ChargeResponse>;

export type ChargeStatus = Charge['Status'];

/** A record as the service answers it, in its own spelling. */
export type WireRecord = Readonly<Record<string, unknown>>;
