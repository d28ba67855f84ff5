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
import type { FindingsResponse } from '../../../control/findings/routes.js';
import type { ReplacedEvent, WorldEvent } from '../../../control/journal/live.js';
import type { HeldCallResponse as HeldCall } from '../../../control/scenario/hold-schema.js';
import type { JobResponse as Job } from '../../../control/schema.js';

/** The answers of the control API. Only types are imported, so the page contains no code of the server. */

export type { ReplacedEvent, WorldEvent };
export type { FindingsResponse };
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
export type { DeliveriesResponse, ReceiverResponse } from '../../../control/webhooks/schema.js';
export type { Delivery, HeldCall, Job, TimelineItem };

export type RepeatableCall = NonNullable<OneEntryResponse['Again']>;
/** `Again` is present when a single exchange is requested; null if its body was cut off. */
export type FullCall = JournalEntryResponse & { readonly Again?: RepeatableCall | null };
/** A call as lists and live events have it: without bodies and headers. */
export type BriefCall = BriefEntryResponse;

export type RecordJson = Readonly<Record<string, unknown>>;

export interface ListPage {
  readonly Limit: number;
  readonly Skip: number;
  readonly Count: number;
}

export interface CallPage extends ListPage {
  readonly Evicted: number;
  readonly Entries: readonly BriefCall[];
}

export interface JobPage extends ListPage {
  readonly Jobs: readonly Job[];
}

export interface RecordPage extends ListPage {
  readonly Records: readonly RecordJson[];
}

export interface RecordDetail {
  readonly Record: RecordJson;
  readonly Timeline: readonly TimelineItem[];
  readonly Decisions: readonly Decision[];
}

export function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as RecordJson)[name]
    : undefined;
}

export function readTextAt(value: unknown, ...path: readonly string[]): string {
  let found = value;
  for (const name of path) found = readField(found, name);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}

/** A call with its mark as it is since the world was replaced. Later calls have theirs already. */
export function markUndone(call: BriefCall, replaced: ReplacedEvent | null): BriefCall {
  const { EntryId: id } = call;
  if (replaced === null || id >= replaced.NextEntryId) return call;
  const Undone = replaced.Undone.some(({ From, To }) => From <= id && id < To);
  return Undone === call.Undone ? call : { ...call, Undone };
}

/** The calls of live events with their marks, from the oldest that the journal still has. */
export function listFeed(
  events: readonly { readonly data: unknown }[],
  replaced: ReplacedEvent | null,
  oldest: number,
): BriefCall[] {
  return events
    .map(({ data }) => markUndone(data as BriefCall, replaced))
    .filter(({ EntryId }) => EntryId >= oldest);
}
