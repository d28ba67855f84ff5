import { BATCH_JOB, type Batch, rowDoneAt } from '../../records/batch.js';
import { AUTHORISATION_EXPIRE, CHARGE_SETTLE, type Charge } from '../../records/charge.js';
import { recordsIn } from '../../core/store/search.js';
import { count } from '../../core/text/text.js';
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
import type { World } from '../../world/world.js';
import { amountText } from '../pages/card-pages.js';

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
type Verb = 'create' | 'capture' | 'void' | 'refund' | 'remove';

/** Something that happened to a record, or will. */
export interface Change {
  readonly at: number;
  readonly what: 'added' | 'changed' | 'failed' | 'ended' | 'due';
  readonly text: string;
  /** What a call did that made it; null if a job or a failed call did. */
  readonly by: Verb | null;
}

/** The changes that a record itself shows, and its jobs that are still due. */
export const HISTORIES: {
  readonly [T in TimedTable]: (world: World, record: RecordTypes[T]) => Change[];
} = {
  charges: chargeHistory,
  customers: removable,
  paymentMethods: removable,
  vault: entryHistory,
  batches: batchHistory,
  authentications: authenticationHistory,
  subscriptions: (world, { id, dateAdded }) => [
    ...happened(dateAdded, 'added', 'Added', 'create'),
    ...due(world, SUBSCRIPTION_CHARGE, id, 'The next charge'),
  ],
  paymentLinks: (_, { dateAdded }) => happened(dateAdded, 'added', 'Added', 'create'),
  transfers: (world, { id, dateAdded }) => [
    ...happened(dateAdded, 'added', 'Added', 'create'),
    ...due(world, TRANSFER_ARRIVE, id, 'Arrives'),
  ],
};

function chargeHistory(world: World, charge: Charge): Change[] {
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
      return changeAt(dateAttempted, 'failed', [message, gateway].filter(Boolean).join(', '));
    }),
    ...more.refunds.flatMap(({ dateAdded, amountMinor, comment }) =>
      happened(
        dateAdded,
        'changed',
        `Refunded ${shown(amountMinor)}${comment === null ? '' : `: ${comment}`}`,
        'refund',
      ),
    ),
    ...transfers.flatMap(({ dateAdded, amountMinor, account }) =>
      happened(dateAdded, 'changed', `Transferred ${shown(amountMinor)} to ${account}`, 'create'),
    ),
    ...happened(more.voidDate, 'ended', 'Authorisation released', 'void'),
    ...due(world, AUTHORISATION_EXPIRE, id, 'Authorisation expires'),
    ...due(world, CHARGE_SETTLE, id, 'The bank settles'),
  ];
}

/** A charge begins at once, or with an authorisation, a pending bank payment or a challenge. */
function beginnings(
  charge: Charge,
  authentication: Authentication | undefined,
  shown: (minor: number) => string,
): Change[] {
  const { status, source, amountMinor, authorisedMinor, dateAdded, successDate } = charge;
  const added = (text: string): Change[] => happened(dateAdded, 'added', text, 'create');
  const [asked, done] =
    source.type === 'CARD' ? ['Asked the payer for', 'Charged'] : ['Asked the bank for', 'Settled'];
  // Only a charge that waited for a challenge has the address of its page.
  const waited = (authentication?.redirectUrl ?? null) !== null;
  if (authorisedMinor !== null) {
    const authorised = `Authorised ${shown(authorisedMinor)}`;
    return [
      ...added(waited ? `${asked} ${shown(authorisedMinor)}` : authorised),
      ...(waited ? happened(authentication?.dateEnded ?? null, 'changed', authorised) : []),
      ...happened(successDate, 'changed', `Captured ${shown(amountMinor)}`, 'capture'),
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

function removable(_world: World, record: Customer | PaymentMethod): Change[] {
  return [
    ...happened(record.dateAdded, 'added', 'Added', 'create'),
    ...happened(record.dateRemoved, 'ended', 'Removed', 'remove'),
  ];
}

function entryHistory(world: World, { created, id }: VaultEntry): Change[] {
  return [
    ...happened(created, 'added', 'Stored', 'create'),
    ...due(world, VAULT_CCV_EXPIRE, id, 'Its Ccv is removed'),
    ...due(world, VAULT_EXPIRE, id, 'Expires'),
  ];
}

function batchHistory(world: World, batch: Batch): Change[] {
  const { id, started, done, status, ended } = batch;
  const last = started === null || done === 0 ? null : rowDoneAt(batch, started, done - 1);
  const rows = `${done} of ${count(batch.count, 'row')}`;
  const end = status === 'SUCCESS' ? 'ended' : status === 'FAILED' ? 'failed' : null;
  return [
    ...happened(batch.dateAdded, 'added', `Received with ${count(batch.count, 'row')}`, 'create'),
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

function authenticationHistory(world: World, found: Authentication): Change[] {
  return [...happened(found.dateAdded, 'added', 'Started', 'create'), ...authenticationSteps(world, found)];
}

function authenticationSteps(
  world: World,
  { id, status, ending, dateChallenged, dateEnded }: Authentication,
): Change[] {
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

function changeAt(at: number, what: Change['what'], text: string, by: Verb | null = null): Change {
  return { at, what, text, by };
}

function happened(at: number | null, what: Change['what'], text: string, by?: Verb): Change[] {
  return at === null ? [] : [changeAt(at, what, text, by)];
}

function due(world: World, kind: string, id: string, text: string): Change[] {
  return happened(world.jobs.dueOf(kind, id) ?? null, 'due', text);
}
