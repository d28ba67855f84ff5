import type { JournalEntryResponse, OneEntryResponse } from '../../../control/journal/schema.js';
import type { TimelineItemResponse as TimelineItem } from '../../../control/records/schema.js';

/** The answers of the control API. Only types are imported, so the page contains no code of the server. */

export type { Seen } from '../../../control/journal/live.js';
export type { JournalResponse } from '../../../control/journal/schema.js';
export type { BatchRowsResponse } from '../../../control/records/schema.js';
export type {
  PlayedWholeResponse,
  QueuesResponse,
  ScenariosResponse,
} from '../../../control/scenario/schema.js';
export type { AdvanceResponse, TriggersResponse, WorldsResponse } from '../../../control/schema.js';
export type { SnapshotsResponse } from '../../../control/snapshots/schema.js';
export type { DeliveriesResponse, DeliveryResponse as Delivery } from '../../../control/webhooks/schema.js';
export type { TimelineItem };

export type Again = NonNullable<OneEntryResponse['Again']>;
/** `Again` is present when a single exchange is requested; null if its body was cut off. */
export type Exchange = JournalEntryResponse & { readonly Again?: Again | null };

export type Fields = Readonly<Record<string, unknown>>;

export interface Page {
  readonly Limit: number;
  readonly Skip: number;
  readonly Count: number;
}

export interface RecordPage extends Page {
  readonly Records: readonly Fields[];
}

export interface RecordDetail {
  readonly Record: Fields;
  readonly Timeline: readonly TimelineItem[];
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
