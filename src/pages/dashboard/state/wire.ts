import type {
  BriefEntryResponse,
  JournalEntryResponse,
  OneEntryResponse,
} from '../../../control/journal/entry-schema.js';
import type {
  DecisionResponse as Decision,
  TimelineItemResponse as TimelineItem,
} from '../../../control/records/schema.js';
import type { DeliveryResponse as Delivery } from '../../../control/webhooks/schema.js';
import type { Replaced, Seen } from '../../../control/journal/live.js';
import type { JobResponse as Job } from '../../../control/schema.js';

/** The answers of the control API. Only types are imported, so the page contains no code of the server. */

export type { Replaced, Seen };
export type { FacetsResponse } from '../../../control/journal/entry-schema.js';
export type { BatchRowsResponse } from '../../../control/records/schema.js';
export type {
  PlayedWholeResponse,
  QueueResponse,
  QueuesResponse,
  ScenariosResponse,
} from '../../../control/scenario/schema.js';
export type { AdvanceResponse, TriggersResponse, WorldsResponse } from '../../../control/schema.js';
export type { DiffResponse, SnapshotsResponse } from '../../../control/snapshots/schema.js';
export type { DeliveriesResponse } from '../../../control/webhooks/schema.js';
export type { Delivery, Job, TimelineItem };

export type Again = NonNullable<OneEntryResponse['Again']>;
/** `Again` is present when a single exchange is requested; null if its body was cut off. */
export type Exchange = JournalEntryResponse & { readonly Again?: Again | null };
/** A call as lists and live events have it: without bodies and headers. */
export type Call = BriefEntryResponse;

export type Fields = Readonly<Record<string, unknown>>;

export interface Page {
  readonly Limit: number;
  readonly Skip: number;
  readonly Count: number;
}

export interface CallPage extends Page {
  readonly Evicted: number;
  readonly Entries: readonly Call[];
}

export interface JobPage extends Page {
  readonly Jobs: readonly Job[];
}

export interface RecordPage extends Page {
  readonly Records: readonly Fields[];
}

export interface RecordDetail {
  readonly Record: Fields;
  readonly Timeline: readonly TimelineItem[];
  readonly Decisions: readonly Decision[];
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Fields)[name]
    : undefined;
}

export function textOf(value: unknown, ...path: readonly string[]): string {
  let found = value;
  for (const name of path) found = fieldOf(found, name);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}

/** A call with its mark as it is since the world was replaced. Later calls have theirs already. */
export function markedCall(call: Call, replaced: Replaced | null): Call {
  const { EntryId: id } = call;
  if (replaced === null || id >= replaced.NextEntryId) return call;
  const Undone = replaced.Undone.some(({ From, To }) => From <= id && id < To);
  return Undone === call.Undone ? call : { ...call, Undone };
}
