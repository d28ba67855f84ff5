import {
  BATCH_CREATE,
  BATCH_FINISH,
  BATCH_ROWS,
  BATCH_START,
  type Batch,
  rowDoneAt,
} from '../../records/batch.js';
import type { Charge } from '../../records/charge.js';
import { invalidAt } from '../../core/store/codec.js';
import type { Rows } from '../../core/store/store.js';
import type { SourceLinks } from '../../records/payment-method.js';
import { KINDS, TABLE_OF_JOB, type TableName, TABLES } from '../../world/tables.js';
import { timelineOf } from '../../scenarios/script/timeline.js';
import type { Snapshot } from '../../world/snapshot.js';
import { SUBSCRIPTION_CHARGE } from '../../records/subscription.js';
import { dueOf } from '../../records/subscription-schedule.js';
import type { Token } from '../../records/token.js';
import { CHALLENGE_EXPIRE } from '../../records/authentication.js';
import { TRANSFER_ARRIVE } from '../../records/transfer.js';
import { type Delivery, DELIVERIES_MAX } from '../../webhooks/record.js';
import type { StoredJob } from './state-head.js';
import { referencesOf } from './state-links.js';
import { moneyOfBatches, moneyOfCharges, moneyOfTransfers } from './state-money.js';

/** The parts of a document by name, which have been read before. */
type Sections = Readonly<Record<string, unknown>>;

/** The references of a record to others; null if it was removed. */
type StoredReferences = Readonly<Record<string, number | null>> | null;

export type CheckedState = Pick<Snapshot, TableName | 'clock' | 'script'>;

type Reason = string | undefined;

/** Checks the records against each other: that the records they refer to exist, and that jobs match their records. */
export function checkState(
  sections: Sections,
  links: SourceLinks,
  state: CheckedState,
  jobs: readonly StoredJob[],
): void {
  for (const table of TABLES) checkReferences(sections, table, referencesOf(table, links));
  check('charges', state.charges, (charge) => reasonAgainstCharge(sections, charge));
  check('charges', state.charges, moneyOfCharges(state));
  check('transfers', state.transfers, moneyOfTransfers(state));
  check('tokens', state.tokens, reasonAgainstToken);
  check('batches', state.batches, (batch) => reasonAgainstBatch(state, batch));
  check('batches', state.batches, moneyOfBatches(state));
  checkDeliveries(state.deliveries);
  checkJobs(state, jobs);
}

function check<R>(table: TableName, rows: Rows<R>, reasonAgainst: (record: R) => Reason): void {
  for (const [n, record] of rows.entries()) {
    const reason = record === undefined ? undefined : reasonAgainst(record);
    if (reason !== undefined) invalidAt([KINDS[table].counted, n], reason);
  }
}

/** Checks that references lead to records that exist or existed. */
function checkReferences(
  sections: Sections,
  table: TableName,
  references: readonly [field: string, other: TableName][],
): void {
  const records = references.length === 0 ? [] : itemsOf(sections, table);
  for (const [n, record] of records.entries()) {
    for (const [field, other] of references) {
      const [place, count] = [record?.[field] ?? null, itemsOf(sections, other).length];
      if (place === null || place < count) continue;
      invalidAt([KINDS[table].counted, n, field], `is ${place}, but there are ${count} ${other}`);
    }
  }
}

function itemsOf(sections: Sections, table: TableName): readonly StoredReferences[] {
  return sections[KINDS[table].counted] as readonly StoredReferences[];
}

function reasonAgainstCharge(sections: Sections, charge: Charge): Reason {
  const { More } = itemsOf(sections, 'charges')[charge.index] as { More?: StoredReferences };
  const [place, count] = [More?.['Subscription'] ?? null, itemsOf(sections, 'subscriptions').length];
  if (place === null || place < count) return undefined;
  return `has the Subscription ${place}, but there are ${count} subscriptions`;
}

function reasonAgainstToken({ source, secret }: Token): Reason {
  if (secret === null || (secret.pan !== null) === (source.type === 'CARD')) return undefined;
  return 'has a Pan that does not fit its source: a card has one, other sources have none';
}

function reasonAgainstBatch(state: CheckedState, batch: Batch): Reason {
  const { status, count, done, success, failure, started, rows } = batch;
  if (success + failure !== done) return `has Success ${success} and Failure ${failure}, but Done ${done}`;
  if (status === 'SUCCESS' && done !== count) return 'is SUCCESS, but not all of its rows are done';
  if ((status === 'RECEIVED' || status === 'CREATED') && done > 0)
    return `is ${status}, but some of its rows are done`;
  if ((status === 'IN_PROGRESS' || done > 0) && started === null)
    return 'has started its rows, but has no Started';
  let approved = 0;
  for (let row = 0; row < done; row++) {
    const [outcome, charge] = [rows.outcome[row] ?? 0, rows.charge[row] ?? 0];
    if (outcome > rows.failures.length) return `refers to a failure for row ${row} that is not in Failures`;
    if (charge > state.charges.length || (outcome === 0 && charge === 0))
      return `refers to a charge for row ${row} that is not in Charges`;
    if (outcome === 0) approved++;
  }
  return approved === success ? undefined : `has Success ${success}, but ${approved} of its rows succeeded`;
}

function checkDeliveries(deliveries: Rows<Delivery>): void {
  let live = 0;
  check('deliveries', deliveries, ({ status, due }) => {
    if (++live > DELIVERIES_MAX) return `exceeds the maximum of ${DELIVERIES_MAX} deliveries in a world`;
    if ((status === 'pending') === (due !== null)) return undefined;
    return `is ${status} with${due === null ? 'out' : ''} a Due`;
  });
}

function checkJobs(state: CheckedState, jobs: readonly StoredJob[]): void {
  const seen = new Set<string>();
  let latest = state.clock.instant;
  for (const [n, job] of jobs.entries()) {
    // A batch has one job at a time, whatever its kind.
    const about = `${TABLE_OF_JOB[job.kind] === 'batches' ? 'batches' : job.kind} ${job.ref}`;
    const reason = reasonAgainstJob(state, job, latest, seen.has(about));
    if (reason !== undefined) invalidAt(['Jobs', n], reason);
    seen.add(about);
    latest = job.due;
  }
  for (const { table, statuses, job, does } of WAITING) {
    check<{ readonly index: number; readonly status: string }>(table, state[table], ({ index, status }) =>
      !statuses.includes(status) || seen.has(`${job} ${index}`)
        ? undefined
        : `is ${status}, but no job in Jobs ${does}`,
    );
  }
}

/** The statuses in which a record waits for a job. A batch in progress may have none: a scenario can stop it. */
const WAITING: readonly {
  readonly table: 'batches' | 'subscriptions' | 'transfers' | 'authentications';
  readonly statuses: readonly string[];
  readonly job: string;
  readonly does: string;
}[] = [
  { table: 'batches', statuses: ['RECEIVED', 'CREATED'], job: 'batches', does: 'creates it' },
  { table: 'subscriptions', statuses: ['Active'], job: SUBSCRIPTION_CHARGE, does: 'charges it' },
  { table: 'transfers', statuses: ['PENDING'], job: TRANSFER_ARRIVE, does: 'completes it' },
  { table: 'authentications', statuses: ['CHALLENGED'], job: CHALLENGE_EXPIRE, does: 'ends the challenge' },
];

function reasonAgainstJob(state: CheckedState, job: StoredJob, latest: number, hasOther: boolean): Reason {
  const { kind, ref, due } = job;
  const table = TABLE_OF_JOB[kind];
  const { length } = table === undefined ? timelineOf(state.script?.scenario ?? null) : state[table];
  if (due < latest) return 'is due before the time of the clock or before the previous job';
  if (ref >= length) return 'refers to a record that does not exist';
  if (hasOther) return 'refers to a record that already has such a job';
  const batch = table === 'batches' ? state.batches.at(ref) : undefined;
  if (batch) return reasonAgainstBatchJob(batch, job);
  const waiting = WAITING.find(({ job: awaited }) => awaited === kind);
  if (waiting === undefined) return undefined;
  const { table: owner, statuses } = waiting;
  if (!statuses.includes(state[owner].at(ref)?.status ?? ''))
    return `does not match its ${KINDS[owner].kind}, which is not ${statuses.join(' or ')}`;
  const subscription = kind === SUBSCRIPTION_CHARGE ? state.subscriptions.at(ref) : undefined;
  if (subscription === undefined || due === dueOf(subscription)) return undefined;
  return 'is not due at the time of the next charge of its subscription';
}

function reasonAgainstBatchJob(batch: Batch, { kind, due }: StoredJob): Reason {
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
    return `does not match its batch, which is ${status} with ${done} of ${count} rows`;
  return kind === BATCH_ROWS && due !== rowDoneAt(batch, started ?? 0, done)
    ? 'is not due at the time of the next row'
    : undefined;
}
