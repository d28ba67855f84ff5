import { BATCH_JOB, type Batch, CREATED_FOR, rowDoneAt, waitInStatus } from '../../records/batch.js';
import { AUTHORISATION_EXPIRE, CHARGE_SETTLE, type Charge } from '../../records/charge.js';
import { listRecords } from '../../core/store/search.js';
import { formatCount } from '../../core/text/text.js';
import { AWAIT_TRIGGER, type Checkout, CHECKOUT_EXPIRE } from '../../records/checkout.js';
import type { Customer } from '../../records/customer.js';
import type { PaymentMethod } from '../../records/payment-method.js';
import { SUBSCRIPTION_CHARGE } from '../../records/subscription.js';
import { TRANSFER_ARRIVE } from '../../records/transfer.js';
import type { RecordTypes } from '../../world/tables.js';
import {
  type Authentication,
  type AuthenticationStatus,
  CHALLENGE_EXPIRE,
  type ChallengeEnding,
} from '../../records/authentication.js';
import { VAULT_CCV_EXPIRE, VAULT_EXPIRE, type VaultEntry } from '../../records/vault-entry.js';
import { presentProvider } from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import { formatWithCurrency } from '../pages/card-pages.js';

export type TimedTable =
  | 'charges'
  | 'customers'
  | 'paymentMethods'
  | 'vault'
  | 'batches'
  | 'authentications'
  | 'subscriptions'
  | 'paymentLinks'
  | 'transfers';

/** The maximum number of transfers, calls and deliveries in a history: the newest of each. */
export const SHOWN_MAX = 50;

/** The end of the name of the operation that makes a change. */
type ChangeVerb = 'create' | 'capture' | 'void' | 'refund' | 'remove';

/** Something that happened to a record, or will. */
export interface RecordChange {
  readonly at: number;
  readonly kind: 'added' | 'changed' | 'failed' | 'ended' | 'due';
  readonly text: string;
  /** The verb of the call that made the change; null if a job or a failed call did. */
  readonly by: ChangeVerb | null;
}

/** The changes that a record itself shows, and its jobs that are still due. */
export const HISTORIES: {
  readonly [T in TimedTable]: (world: World, record: RecordTypes[T]) => RecordChange[];
} = {
  charges: listChargeChanges,
  customers: listRemovableChanges,
  paymentMethods: listRemovableChanges,
  vault: listEntryChanges,
  batches: listBatchChanges,
  authentications: listAuthenticationChanges,
  subscriptions: (world, { id, dateAdded }) => [
    ...changeIfDated(dateAdded, 'added', 'Added', 'create'),
    ...changeIfDue(world, SUBSCRIPTION_CHARGE, id, 'The next charge'),
  ],
  paymentLinks: (_, { dateAdded }) => changeIfDated(dateAdded, 'added', 'Added', 'create'),
  transfers: (world, { id, dateAdded }) => [
    ...changeIfDated(dateAdded, 'added', 'Added', 'create'),
    ...changeIfDue(world, TRANSFER_ARRIVE, id, 'Arrives'),
  ],
};

function listChargeChanges(world: World, charge: Charge): RecordChange[] {
  const { currency, more, id } = charge;
  const shown = (minor: number): string => formatWithCurrency(minor, currency);
  const found = more.authentication === null ? undefined : world.authentications.find(more.authentication);
  const steps = found === undefined ? [] : listAuthenticationSteps(world, found);
  const checkout = more.checkout === null ? undefined : world.checkouts.find(more.checkout);
  // One that had ended before kept no charge waiting. On a clock that stands still, the decisions tell.
  const isAwaited =
    (checkout?.dateEnded ?? Infinity) > charge.dateAdded ||
    more.decisions.some(({ trigger }) => trigger === AWAIT_TRIGGER);
  const transfers = [...listRecords(world.transfers.by('charge', id))].slice(-SHOWN_MAX);
  return [
    // At the same instant, a charge that waits for its payer comes before the challenge, any other charge after it.
    ...listBeginnings(
      charge,
      isAwaited && checkout ? checkout : found?.redirectUrl ? found : null,
      shown,
    ).toSpliced(found?.redirectUrl ? 1 : 0, 0, ...steps),
    ...more.failedAttempts.flatMap(({ providerId, dateAttempted, message, gatewayCode }) => {
      const gateway = gatewayCode && `gateway code ${gatewayCode}`;
      const text = [message, gateway].filter(Boolean).join(', ');
      if (providerId === charge.providerId) return changeIfDated(dateAttempted, 'failed', text);
      const { Name } = presentProvider(world, providerId);
      return changeIfDated(dateAttempted, 'changed', `Not taken by ${Name}: ${text}`, 'create');
    }),
    ...more.refunds.flatMap(({ dateAdded, amountMinor, comment }) =>
      changeIfDated(
        dateAdded,
        'changed',
        `Refunded ${shown(amountMinor)}${comment === null ? '' : `: ${comment}`}`,
        'refund',
      ),
    ),
    ...transfers.flatMap(({ dateAdded, amountMinor, account }) =>
      changeIfDated(dateAdded, 'changed', `Transferred ${shown(amountMinor)} to ${account}`, 'create'),
    ),
    ...changeIfDated(
      more.voidDate,
      'ended',
      charge.authorisedMinor === null ? 'Given up' : 'Authorisation released',
      'void',
    ),
    ...changeIfDue(world, CHECKOUT_EXPIRE, more.checkout ?? '', 'The check-out expires'),
    ...changeIfDue(world, AUTHORISATION_EXPIRE, id, 'Authorisation expires'),
    ...changeIfDue(world, CHARGE_SETTLE, id, 'The bank settles'),
  ];
}

/** A charge begins at once, or with an authorisation, a pending bank payment, a challenge or a check-out. */
function listBeginnings(
  charge: Charge,
  awaited: Pick<Authentication | Checkout, 'dateEnded'> | null,
  shown: (minor: number) => string,
): RecordChange[] {
  const { status, source, amountMinor, authorisedMinor, dateAdded, successDate, more } = charge;
  const added = (text: string): RecordChange[] => changeIfDated(dateAdded, 'added', text, 'create');
  const [requested, done] =
    source.type === 'BANK_ACCOUNT' ? ['Asked the bank for', 'Settled'] : ['Asked the payer for', 'Charged'];
  const waited = awaited !== null;
  if (authorisedMinor !== null) {
    const authorised = `Authorised ${shown(authorisedMinor)}`;
    return [
      ...added(waited ? `${requested} ${shown(authorisedMinor)}` : authorised),
      ...(waited ? changeIfDated(awaited.dateEnded, 'changed', authorised) : []),
      ...changeIfDated(successDate, 'changed', `Captured ${shown(amountMinor)}`, 'capture'),
    ];
  }
  if (successDate === null) {
    const wasAsked =
      waited || status === 'PENDING' || more.decisions.some(({ operation }) => operation === 'charge.settle');
    return added(`${wasAsked ? requested : 'Tried to charge'} ${shown(amountMinor)}`);
  }
  if (successDate === dateAdded && !waited) return added(`Charged ${shown(amountMinor)}`);
  return [
    ...added(`${requested} ${shown(amountMinor)}`),
    ...changeIfDated(successDate, 'changed', `${done} ${shown(amountMinor)}`),
  ];
}

function listRemovableChanges(_world: World, record: Customer | PaymentMethod): RecordChange[] {
  return [
    ...changeIfDated(record.dateAdded, 'added', 'Added', 'create'),
    ...changeIfDated(record.dateRemoved, 'ended', 'Removed', 'remove'),
  ];
}

function listEntryChanges(world: World, { created, id }: VaultEntry): RecordChange[] {
  return [
    ...changeIfDated(created, 'added', 'Stored', 'create'),
    ...changeIfDue(world, VAULT_CCV_EXPIRE, id, 'Its Ccv is removed'),
    ...changeIfDue(world, VAULT_EXPIRE, id, 'Expires'),
  ];
}

function listBatchChanges(world: World, batch: Batch): RecordChange[] {
  const { id, started, done, status, ended } = batch;
  const last = started === null || done === 0 ? null : rowDoneAt(batch, started, done - 1);
  const rows = `${done} of ${formatCount(batch.count, 'row')}`;
  const end = status === 'SUCCESS' ? 'ended' : status === 'FAILED' ? 'failed' : null;
  return [
    ...changeIfDated(batch.dateAdded, 'added', `Received with ${formatCount(batch.count, 'row')}`, 'create'),
    ...changeIfDated(started, 'changed', 'Started'),
    ...(end === null
      ? changeIfDated(last, 'changed', `${rows} done`)
      : changeIfDated(ended ?? last, end, `Ended as ${status} after ${rows}`)),
    ...changeIfDue(world, BATCH_JOB.create, id, 'Becomes CREATED'),
    ...changeIfDue(world, BATCH_JOB.start, id, 'Starts'),
    ...changeIfDue(world, BATCH_JOB.rows, id, 'The next row is done'),
    ...changeIfDated(findBatchEnd(world, batch), 'due', 'Ends'),
  ];
}

/** When a batch ends unless something breaks it off; null if it has. */
function findBatchEnd({ jobs }: World, batch: Batch): number | null {
  const { id, status, started } = batch;
  if (status === 'SUCCESS' || status === 'FAILED') return null;
  const created = jobs.dueOf(BATCH_JOB.create, id);
  const starts =
    created === undefined ? jobs.dueOf(BATCH_JOB.start, id) : created + waitInStatus(batch, CREATED_FOR);
  const begun = started ?? starts ?? null;
  return begun === null ? null : rowDoneAt(batch, begun, batch.count - 1);
}

function listAuthenticationChanges(world: World, found: Authentication): RecordChange[] {
  return [
    ...changeIfDated(found.dateAdded, 'added', 'Started', 'create'),
    ...listAuthenticationSteps(world, found),
  ];
}

function listAuthenticationSteps(
  world: World,
  { id, status, ending, dateChallenged, dateEnded }: Authentication,
): RecordChange[] {
  const kind = status === 'FAILED' ? 'failed' : 'changed';
  const text = ending === null ? WITHOUT_CHALLENGE[status] : CHALLENGE_ENDED[ending];
  return [
    ...changeIfDated(dateChallenged, 'changed', 'Challenge demanded'),
    ...changeIfDated(dateEnded, kind, text),
    ...changeIfDue(world, CHALLENGE_EXPIRE, id, 'Challenge times out'),
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

function changeIfDated(
  at: number | null,
  kind: RecordChange['kind'],
  text: string,
  by: ChangeVerb | null = null,
): RecordChange[] {
  return at === null ? [] : [{ at, kind, text, by }];
}

function changeIfDue(world: World, kind: string, id: string, text: string): RecordChange[] {
  return changeIfDated(world.jobs.dueOf(kind, id) ?? null, 'due', text);
}
