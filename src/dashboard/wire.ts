import type { Seen } from '../control/journal/live.js';
import type { JournalEntryResponse, OneEntryResponse } from '../control/journal/schema.js';
import type { TimelineItemResponse } from '../control/records/schema.js';
import type { PlayedWholeResponse, QueuesResponse, ScenariosResponse } from '../control/scenario/schema.js';
import type { AdvanceResponse, TriggersResponse, WorldsResponse } from '../control/schema.js';
import type { SnapshotsResponse } from '../control/snapshots/schema.js';
import type { DeliveriesResponse, DeliveryResponse } from '../control/webhooks/schema.js';

/** What the page reads of the sandbox's answers: types of the control plane, and nothing that runs. */

export type {
  AdvanceResponse,
  DeliveriesResponse,
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

/** What would be sent to have an exchange again. */
export type Again = NonNullable<OneEntryResponse['Again']>;
/** Only an exchange that was asked for by itself says how it can be had again; null where its body was cut. */
export type Exchange = JournalEntryResponse & { readonly Again?: Again | null };

/** The fields of any object. */
export type Members = Readonly<Record<string, unknown>>;

/** A part of a list. */
export interface Page {
  readonly Limit: number;
  readonly Skip: number;
  readonly Count: number;
}

export interface RecordPage extends Page {
  readonly Records: readonly Members[];
}

/** A record, and what happened to it. */
export interface Looked {
  readonly Record: Members;
  readonly Timeline: readonly TimelineItem[];
}

/** A field of an object that came as JSON; undefined where the value is no object or has no such field. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Members)[name]
    : undefined;
}

/** A field as text; empty where there is none. */
export function textOf(value: unknown, ...path: readonly string[]): string {
  let found = value;
  for (const name of path) found = memberOf(found, name);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}
