import { BATCH_JOB, type Batch, rowDoneAt } from '../../records/batch.js';
import { AUTHORISATION_EXPIRE, CHARGE_SETTLE, type Charge } from '../../records/charge.js';
import { recordsIn } from '../../core/store/search.js';
import { count } from '../../core/text/text.js';
import { formatInstant } from '../../core/time/time.js';
import type { Customer } from '../../records/customer.js';
import type { Entry } from '../../journal/entry.js';
import type { PaymentMethod } from '../../records/payment-method.js';
import type { RecordTypes } from '../../world/tables.js';
import {
  type Authentication,
  type AuthenticationStatus,
  CHALLENGE_EXPIRE,
  type ChallengeEnding,
} from '../../records/authentication.js';
import { VAULT_CCV_EXPIRE, VAULT_EXPIRE, type VaultEntry } from '../../records/vault-entry.js';
import type { Delivery } from '../../webhooks/record.js';
import type { World } from '../../world/world.js';
import { amountText } from '../pages/card-pages.js';
import type { TimelineItemResponse as TimelineItem } from './schema.js';

export type TimedTable = 'charges' | 'customers' | 'paymentMethods' | 'vault' | 'batches' | 'authentications';

/** How many calls, deliveries and transfers a timeline has at most: the newest of each. */
const SHOWN_MAX = 50;

/** The history of a record, oldest first: its changes, the calls that made them, and its webhooks. */
export function presentTimeline<T extends TimedTable>(
  world: World,
  table: T,
  record: RecordTypes[T],
): TimelineItem[] {
  const id = record.id;
  // Of items at the same instant, those of the record itself come first.
  const items = [...HISTORIES[table](world, record), ...callsAbout(world, id), ...deliveriesAbout(world, id)];
  return items.toSorted((a, b) => Date.parse(a.At) - Date.parse(b.At));
}

/** The calls of the journal that created or changed a record. Reads are left out. */
function callsAbout({ journal }: World, id: string): TimelineItem[] {
  const quoted = [`"${id}"`.toLowerCase()];
  const about = [...journal.entries()].filter(
    (entry) =>
      entry.method !== 'GET' && (entry.created === id || entry.path.includes(id) || entry.mayAnswer(quoted)),
  );
  return about.slice(-SHOWN_MAX).map(callItem);
}

function callItem({ at, id, method, path, status }: Entry): TimelineItem {
  const answered = status === 0 ? 'no answer' : String(status);
  return { ...itemAt(at, 'call', `${method} ${path}: ${answered}`), EntryId: id };
}

function deliveriesAbout({ deliveries }: World, id: string): TimelineItem[] {
  const items: TimelineItem[] = [];
  for (const delivery of deliveries.newestFirst()) {
    if (delivery.ref !== id) continue;
    items.push(deliveryItem(delivery));
    if (items.length === SHOWN_MAX) break;
  }
  // Of deliveries at the same instant, the one that was created first comes first.
  return items.toReversed();
}

function deliveryItem({ id, attempted, dateAdded, eventType, status, attempts }: Delivery): TimelineItem {
  const tried = attempts > 1 ? ` after ${attempts} attempts` : '';
  const item = itemAt(attempted ?? dateAdded, 'webhook', `${eventType}: ${status}${tried}`);
  return { ...item, DeliveryId: id };
}

/** The changes that a record itself shows, and its jobs that are still due. */
const HISTORIES: {
  readonly [T in TimedTable]: (world: World, record: RecordTypes[T]) => TimelineItem[];
} = {
  charges: chargeHistory,
  customers: removable,
  paymentMethods: removable,
  vault: entryHistory,
  batches: batchHistory,
  authentications: authenticationHistory,
};

function chargeHistory(world: World, charge: Charge): TimelineItem[] {
  const { currency, more, id } = charge;
  const shown = (minor: number): string => amountText(minor, currency);
  const found = more.authentication === null ? undefined : world.authentications.find(more.authentication);
  const steps = found === undefined ? [] : authenticationSteps(world, found);
  const transfers = [...recordsIn(world.transfers.by('charge', id))].slice(-SHOWN_MAX);
  return [
    // At the same instant, a charge that waits for its payer comes before the challenge, any other charge after it.
    ...beginnings(charge, found, shown).toSpliced(found?.redirectUrl ? 1 : 0, 0, ...steps),
    ...more.failedAttempts.map(({ dateAttempted, message, gatewayCode }) => {
      const gateway = gatewayCode && `gateway code ${gatewayCode}`;
      return itemAt(dateAttempted, 'failed', [message, gateway].filter(Boolean).join(', '));
    }),
    ...more.refunds.flatMap(({ dateAdded, amountMinor, comment }) =>
      happened(
        dateAdded,
        'changed',
        `Refunded ${shown(amountMinor)}${comment === null ? '' : `: ${comment}`}`,
      ),
    ),
    ...transfers.flatMap(({ dateAdded, amountMinor, account }) =>
      happened(dateAdded, 'changed', `Transferred ${shown(amountMinor)} to ${account}`),
    ),
    ...happened(more.voidDate, 'ended', 'Authorisation released'),
    ...due(world, AUTHORISATION_EXPIRE, id, 'Authorisation expires'),
    ...due(world, CHARGE_SETTLE, id, 'The bank settles'),
  ];
}

/** A charge begins at once, or with an authorisation, a pending bank payment or a challenge. */
function beginnings(
  charge: Charge,
  authentication: Authentication | undefined,
  shown: (minor: number) => string,
): TimelineItem[] {
  const { status, source, amountMinor, authorisedMinor, dateAdded, successDate } = charge;
  const added = (text: string): TimelineItem[] => happened(dateAdded, 'added', text);
  const [asked, done] =
    source.type === 'CARD' ? ['Asked the payer for', 'Charged'] : ['Asked the bank for', 'Settled'];
  // Only a charge that waited for a challenge has the address of its page.
  const waited = (authentication?.redirectUrl ?? null) !== null;
  if (authorisedMinor !== null) {
    const authorised = `Authorised ${shown(authorisedMinor)}`;
    return [
      ...added(waited ? `${asked} ${shown(authorisedMinor)}` : authorised),
      ...(waited ? happened(authentication?.dateEnded ?? null, 'changed', authorised) : []),
      ...happened(successDate, 'changed', `Captured ${shown(amountMinor)}`),
    ];
  }
  if (successDate === null)
    return added(`${waited || status === 'PENDING' ? asked : 'Tried to charge'} ${shown(amountMinor)}`);
  if (successDate === dateAdded && !waited) return added(`Charged ${shown(amountMinor)}`);
  return [
    ...added(`${asked} ${shown(amountMinor)}`),
    ...happened(successDate, 'changed', `${done} ${shown(amountMinor)}`),
  ];
}

function removable(_world: World, record: Customer | PaymentMethod): TimelineItem[] {
  return [
    ...happened(record.dateAdded, 'added', 'Added'),
    ...happened(record.dateRemoved, 'ended', 'Removed'),
  ];
}

function entryHistory(world: World, { created, id }: VaultEntry): TimelineItem[] {
  return [
    ...happened(created, 'added', 'Stored'),
    ...due(world, VAULT_CCV_EXPIRE, id, 'Its Ccv is removed'),
    ...due(world, VAULT_EXPIRE, id, 'Expires'),
  ];
}

function batchHistory(world: World, batch: Batch): TimelineItem[] {
  const { id, started, done, status, ended } = batch;
  const last = started === null || done === 0 ? null : rowDoneAt(batch, started, done - 1);
  const rows = `${done} of ${count(batch.count, 'row')}`;
  const end = status === 'SUCCESS' ? 'ended' : status === 'FAILED' ? 'failed' : null;
  return [
    ...happened(batch.dateAdded, 'added', `Received with ${count(batch.count, 'row')}`),
    ...happened(started, 'changed', 'Started'),
    ...(end === null
      ? happened(last, 'changed', `${rows} done`)
      : happened(ended ?? last, end, `Ended as ${status} after ${rows}`)),
    ...due(world, BATCH_JOB.create, id, 'Becomes CREATED'),
    ...due(world, BATCH_JOB.start, id, 'Starts'),
    ...due(world, BATCH_JOB.rows, id, 'The next row is done'),
    ...due(world, BATCH_JOB.finish, id, 'Ends'),
  ];
}

function authenticationHistory(world: World, found: Authentication): TimelineItem[] {
  return [...happened(found.dateAdded, 'added', 'Started'), ...authenticationSteps(world, found)];
}

function authenticationSteps(
  world: World,
  { id, status, ending, dateChallenged, dateEnded }: Authentication,
): TimelineItem[] {
  const what = status === 'FAILED' ? 'failed' : 'changed';
  const text = ending === null ? WITHOUT_CHALLENGE[status] : CHALLENGE_ENDED[ending];
  return [
    ...happened(dateChallenged, 'changed', 'Challenge demanded'),
    ...happened(dateEnded, what, text),
    ...due(world, CHALLENGE_EXPIRE, id, 'Challenge times out'),
  ];
}

const CHALLENGE_ENDED: Readonly<Record<ChallengeEnding, string>> = {
  approve: 'Challenge approved',
  fail: 'Challenge failed',
  abandon: 'The payer left the challenge',
  timeOut: 'Challenge timed out',
};

const WITHOUT_CHALLENGE: Readonly<Record<AuthenticationStatus, string>> = {
  CREATED: '',
  CHALLENGED: '',
  PASSED: 'Authenticated without a challenge',
  FAILED: 'Authentication failed',
  UNAVAILABLE: '3-D Secure was unavailable',
};

function itemAt(at: number, What: TimelineItem['What'], Text: string): TimelineItem {
  return { At: formatInstant(at), What, Text, EntryId: null, DeliveryId: null };
}

function happened(at: number | null, what: TimelineItem['What'], text: string): TimelineItem[] {
  return at === null ? [] : [itemAt(at, what, text)];
}

function due(world: World, kind: string, id: string, text: string): TimelineItem[] {
  return happened(world.jobs.dueOf(kind, id) ?? null, 'due', text);
}
