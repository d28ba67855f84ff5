import {
  BATCH_CREATE,
  BATCH_FINISH,
  BATCH_ROWS,
  BATCH_START,
  type Batch,
  rowDoneAt,
} from '../../batches/record.js';
import type { Charge } from '../../charges/record.js';
import { dueOf } from '../../subscriptions/schedule.js';
import { SUBSCRIPTION_CHARGE } from '../../subscriptions/record.js';
import { TRANSFER_ARRIVE } from '../../transfers/record.js';
import type { Rows } from '../../core/store.js';
import { TABLE_OF_JOB, type TableName, TABLES } from '../../records.js';
import { timelineOf } from '../../scenarios/timeline.js';
import type { Snapshot } from '../../snapshot.js';
import type { Token } from '../../tokens/record.js';
import { type Delivery, DELIVERIES_MAX } from '../../webhooks/record.js';
import type { StoredJob } from './state-head.js';
import { TABLE_ROWS } from '../records/tables.js';
import { misfit, within } from './state-shape.js';

/** The parts of a document by their names, each of them read before. */
type Sections = Readonly<Record<string, unknown>>;

/** What a record names others by; null: it was removed. */
type StoredReferences = Readonly<Record<string, number | null>> | null;

/** The members that hold the places of other records, and in which table those are. */
const REFERENCES: { readonly [T in TableName]?: Readonly<Record<string, TableName>> } = {
  charges: { Customer: 'customers', PaymentMethod: 'paymentMethods', Batch: 'batches' },
  customers: { DefaultMethod: 'paymentMethods' },
  paymentMethods: { Customer: 'customers', Vault: 'vault' },
  tokens: { Vault: 'vault' },
  subscriptions: { PaymentMethod: 'paymentMethods' },
  transfers: { Charge: 'charges' },
};

/** What a document holds beside its jobs. */
export type CheckedState = Pick<Snapshot, TableName | 'clock' | 'script'>;

/** Checks what no record can tell alone: that the others it names are there, and that jobs fit their records. */
export function checkState(sections: Sections, snapshot: CheckedState, jobs: readonly StoredJob[]): void {
  for (const table of TABLES) checkReferences(sections, table);
  each('Charges', snapshot.charges, (one) => checkCharge(sections, one));
  each('Tokens', snapshot.tokens, checkToken);
  each('Batches', snapshot.batches, (one) => checkBatch(snapshot, one));
  checkDeliveries(snapshot.deliveries);
  checkJobs(snapshot, jobs);
}

function each<R>(name: string, rows: Rows<R>, check: (record: R) => void): void {
  for (let n = 0; n < rows.length; n++) {
    const record = rows.at(n);
    if (record !== undefined) within(name, () => within(n, () => check(record), record), record);
  }
}

/** The places of other records, which must be or have been there. */
function checkReferences(sections: Sections, table: TableName): void {
  const references = Object.entries(REFERENCES[table] ?? {});
  const records = references.length === 0 ? [] : itemsOf(sections, table);
  for (const [n, record] of records.entries()) {
    for (const [name, other] of references) {
      const [place, count] = [record?.[name] ?? null, itemsOf(sections, other).length];
      if (place === null || place < count) continue;
      const check = (): never => misfit(`is ${place}, but there are ${count} ${other}`);
      within(TABLE_ROWS[table].counted, () => within(n, () => within(name, check, place), record), records);
    }
  }
}

function itemsOf(sections: Sections, table: TableName): readonly StoredReferences[] {
  return sections[TABLE_ROWS[table].counted] as readonly StoredReferences[];
}

function checkCharge(sections: Sections, charge: Charge): void {
  if (charge.refundedMinor > charge.amountMinor) misfit('has refunded more than its amount');
  const { More } = itemsOf(sections, 'charges')[charge.index] as { More?: StoredReferences };
  const [place, count] = [More?.['Subscription'] ?? null, itemsOf(sections, 'subscriptions').length];
  if (place === null || place < count) return;
  misfit(`has the Subscription ${place}, but there are ${count} subscriptions`);
}

function checkToken({ source, secret }: Token): void {
  if (secret === null || (secret.pan !== null) === (source.type === 'CARD')) return;
  misfit('has a Pan that does not fit its source: cards alone have one');
}

function checkBatch(snapshot: CheckedState, batch: Batch): void {
  const { status, count, done, success, failure, started, rows } = batch;
  if (success + failure !== done) misfit(`has Success ${success} and Failure ${failure}, but Done ${done}`);
  if (status === 'SUCCESS' && done !== count) misfit('has ended with rows that are not done');
  if ((status === 'RECEIVED' || status === 'CREATED') && done > 0) misfit(`is ${status} with rows done`);
  if ((status === 'IN_PROGRESS' || done > 0) && started === null) misfit('has rows under way but no Started');
  let approved = 0;
  for (let row = 0; row < done; row++) {
    const [outcome, charge] = [rows.outcome[row] ?? 0, rows.charge[row] ?? 0];
    if (outcome > rows.failures.length) misfit(`names a failure for row ${row} that is not in Failures`);
    if (charge > snapshot.charges.length || (outcome === 0 && charge === 0))
      misfit(`names a charge for row ${row} that is not in Charges`);
    if (outcome === 0) approved++;
  }
  if (approved !== success) misfit(`has Success ${success}, but ${approved} rows that succeeded`);
}

function checkDeliveries(deliveries: Rows<Delivery>): void {
  let live = 0;
  each('Deliveries', deliveries, ({ status, due }) => {
    if (++live > DELIVERIES_MAX) misfit(`is more than the ${DELIVERIES_MAX} that a world holds`);
    if ((status === 'pending') !== (due !== null))
      misfit(`is ${status} with${due === null ? 'out' : ''} a Due`);
  });
}

function checkJobs(snapshot: CheckedState, jobs: readonly StoredJob[]): void {
  const { batches, clock } = snapshot;
  const seen = new Set<string>();
  let latest = clock.instant;
  for (const [n, job] of jobs.entries()) {
    const table = TABLE_OF_JOB[job.kind];
    const { length } = table === undefined ? timelineOf(snapshot.script?.scenario ?? null) : snapshot[table];
    // A batch has one job, whatever its kind.
    const about = `${table === 'batches' ? table : job.kind} ${job.ref}`;
    const check = (): void => {
      if (job.due < latest) misfit('is due before the clock or the job in front of it');
      if (job.ref >= length) misfit(`is about a record that is not there`);
      if (seen.has(about)) misfit('is about a record that has such a job already');
      const batch = table === 'batches' ? batches.at(job.ref) : undefined;
      if (batch) checkBatchJob(batch, job);
      checkDueOfRecord(snapshot, job);
    };
    within('Jobs', () => within(n, check, job), job);
    seen.add(about);
    latest = job.due;
  }
  each('Batches', batches, ({ index, status }) => {
    // A batch in progress may be stuck: a scenario can have stopped it.
    if ((status !== 'RECEIVED' && status !== 'CREATED') || seen.has(`batches ${index}`)) return;
    misfit(`is ${status}, but no job of Jobs takes it on`);
  });
  each('Subscriptions', snapshot.subscriptions, ({ index, status }) => {
    if (status !== 'Active' || seen.has(`${SUBSCRIPTION_CHARGE} ${index}`)) return;
    misfit('is Active, but no job of Jobs charges it');
  });
  each('Transfers', snapshot.transfers, ({ index, status }) => {
    if (status !== 'PENDING' || seen.has(`${TRANSFER_ARRIVE} ${index}`)) return;
    misfit('is PENDING, but no job of Jobs lets it arrive');
  });
}

/** Whether the job of a subscription or a transfer fits it. */
function checkDueOfRecord({ subscriptions, transfers }: CheckedState, { kind, ref, due }: StoredJob): void {
  if (kind === SUBSCRIPTION_CHARGE) {
    const subscription = subscriptions.at(ref);
    if (subscription?.status !== 'Active') misfit('does not fit its subscription, which is not Active');
    else if (due !== dueOf(subscription)) misfit('is not due with the next charge of its subscription');
  }
  if (kind === TRANSFER_ARRIVE && transfers.at(ref)?.status !== 'PENDING')
    misfit('does not fit its transfer, which is not PENDING');
}

/** Which job a batch under way waits for. */
function checkBatchJob(batch: Batch, { kind, due }: StoredJob): void {
  const { status, done, count, started } = batch;
  const running = done < count ? BATCH_ROWS : BATCH_FINISH;
  const awaited = {
    RECEIVED: BATCH_CREATE,
    CREATED: BATCH_START,
    IN_PROGRESS: running,
    SUCCESS: '',
    FAILED: '',
  };
  if (kind !== awaited[status])
    misfit(`does not fit its batch, which is ${status} with ${done} of ${count} rows`);
  if (kind === BATCH_ROWS && due !== rowDoneAt(batch, started ?? 0, done))
    misfit('is not due with the next row');
}
