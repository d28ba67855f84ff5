import type { Seen } from '../../../control/journal/live.js';
import type {
  JournalEntryResponse,
  JournalResponse,
  OneEntryResponse,
} from '../../../control/journal/schema.js';
import type { BatchRowsResponse, TimelineItemResponse } from '../../../control/records/schema.js';
import type {
  PlayedWholeResponse,
  QueuesResponse,
  ScenariosResponse,
} from '../../../control/scenario/schema.js';
import type { AdvanceResponse, TriggersResponse, WorldsResponse } from '../../../control/schema.js';
import type { SnapshotsResponse } from '../../../control/snapshots/schema.js';
import type { DeliveriesResponse, DeliveryResponse } from '../../../control/webhooks/schema.js';

/** The answers of the control API. Only types are imported, so the page contains no code of the server. */

export type {
  AdvanceResponse,
  BatchRowsResponse,
  DeliveriesResponse,
  JournalResponse,
  PlayedWholeResponse,
  QueuesResponse,
  ScenariosResponse,
  Seen,
  SnapshotsResponse,
  TriggersResponse,
  WorldsResponse,
};

export type Delivery = DeliveryResponse;
export type TimelineItem = TimelineItemResponse;

/** The request that repeats an exchange. */
export type Again = NonNullable<OneEntryResponse['Again']>;
/** `Again` is present when a single exchange is requested; null if its body was cut off. */
export type Exchange = JournalEntryResponse & { readonly Again?: Again | null };

/** The fields of any object. */
export type Fields = Readonly<Record<string, unknown>>;

/** A page of a list. */
export interface Page {
  readonly Limit: number;
  readonly Skip: number;
  readonly Count: number;
}

export interface RecordPage extends Page {
  readonly Records: readonly Fields[];
}

/** A record and its timeline. */
export interface Looked {
  readonly Record: Fields;
  readonly Timeline: readonly TimelineItem[];
}

/** A field of a JSON object; undefined if the value is not an object or has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Fields)[name]
    : undefined;
}

/** A nested field as text; empty if there is none. */
export function textOf(value: unknown, ...path: readonly string[]): string {
  let found = value;
  for (const name of path) found = fieldOf(found, name);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}
