import { CHALLENGE_EXPIRE } from '../../records/authentication.js';
import { BATCH_JOB, type Batch, rowDoneAt } from '../../records/batch.js';
import type { SourceLinks } from '../../records/payment-method.js';
import { SUBSCRIPTION_CHARGE } from '../../records/subscription.js';
import { chargeDueAt } from '../../records/subscription-schedule.js';
import { runsBefore, type QueuedJobs } from '../../core/time/jobs.js';
import * as field from '../../core/store/field.js';
import { SCENARIO_TIMELINE, timelineOf } from '../../scenarios/script/timeline.js';
import type { Snapshot } from '../../world/snapshot.js';
import { TABLE_OF_JOB, type TableName } from '../../world/tables.js';
import type { IdLookup } from './state-links.js';

const KINDS_OF_JOBS: readonly string[] = [...Object.keys(TABLE_OF_JOB), SCENARIO_TIMELINE];

/** Jobs are listed by due instant, then in the order of scheduling. */
const jobsCodec = field.list(
  field.record({ due: field.instant, kind: field.word(...KINDS_OF_JOBS), ref: field.recordIndex }),
);

type StoredJob = field.ValueOf<typeof jobsCodec>[number];

export function writeJobs({ jobs }: Snapshot, { to }: SourceLinks): object[] {
  const listed = jobs.heap.filter(({ kind }) => KINDS_OF_JOBS.includes(kind));
  listed.sort((a, b) => (runsBefore(a, b) ? -1 : 1));
  return listed.map(({ due, kind, ref }) => {
    const table = TABLE_OF_JOB[kind];
    return { Due: due, Kind: kind, Ref: table === undefined ? Number(ref) : to(table).write(ref) };
  });
}

type JobState = Pick<Snapshot, TableName | 'clock' | 'script'>;

/** Reads the jobs of a document. Refuses those that would fail when they run, or that the queue could not order. */
export function readJobs(value: unknown, state: JobState, idOf: IdLookup): QueuedJobs {
  const jobs = jobsCodec.read(value);
  const seen = new Set<string>();
  let latest = state.clock.instant;
  for (const [n, job] of jobs.entries()) {
    // A batch has one job at a time, whatever its kind.
    const about = `${TABLE_OF_JOB[job.kind] === 'batches' ? 'batches' : job.kind} ${job.ref}`;
    const reason = explainWrongJob(state, job, latest, seen.has(about));
    if (reason !== undefined) field.invalidAt([n], reason);
    seen.add(about);
    latest = job.due;
  }
  // An active subscription without a job would be charged again only after a change, at a date that nothing has checked.
  const idle = state.subscriptions.findIndex(
    (subscription, n) => subscription?.status === 'Active' && !seen.has(`${SUBSCRIPTION_CHARGE} ${n}`),
  );
  if (idle >= 0) field.invalid(`must have the next charge of subscription ${idle}, which is Active`);
  return {
    next: jobs.length,
    heap: jobs.map((job, seq) => ({ ...job, ref: resolveJobRef(job, idOf), seq })),
  };
}

function resolveJobRef({ kind, ref }: StoredJob, idOf: IdLookup): string {
  const table = TABLE_OF_JOB[kind];
  return table === undefined ? String(ref) : idOf(table, ref);
}

function explainWrongJob(
  state: JobState,
  { kind, ref, due }: StoredJob,
  latest: number,
  hasOther: boolean,
): string | undefined {
  const table = TABLE_OF_JOB[kind];
  const { length } = table === undefined ? timelineOf(state.script?.scenario ?? null) : state[table];
  if (due < latest) return 'is due before the time of the clock or before the previous job';
  if (ref >= length) return 'refers to a record that does not exist';
  if (hasOther) return 'refers to a record that already has such a job';
  const batch = table === 'batches' ? state.batches[ref] : undefined;
  if (batch !== undefined) return explainWrongBatchJob(batch, kind, due);
  if (kind === CHALLENGE_EXPIRE && state.authentications[ref]?.status !== 'CHALLENGED')
    return 'does not match its authentication, which is not CHALLENGED';
  if (kind !== SUBSCRIPTION_CHARGE) return undefined;
  const subscription = state.subscriptions[ref];
  if (subscription?.status !== 'Active') return 'does not match its subscription, which is not Active';
  // The later charges of a subscription follow from its record, so a wrong one could lead to a past or impossible date.
  return due === chargeDueAt(subscription)
    ? undefined
    : 'is not due at the time of the next charge of its subscription';
}

function explainWrongBatchJob(batch: Batch, kind: string, due: number): string | undefined {
  const { status, done, count, started } = batch;
  const expected = {
    RECEIVED: BATCH_JOB.create,
    CREATED: BATCH_JOB.start,
    IN_PROGRESS: done < count ? BATCH_JOB.rows : BATCH_JOB.finish,
    SUCCESS: '',
    FAILED: '',
  };
  if (kind !== expected[status])
    return `does not match its batch, which is ${status} with ${done} of ${count} rows`;
  if (kind !== BATCH_JOB.rows) return undefined;
  const isDue = started !== null && due === rowDoneAt(batch, started, done);
  return isDue ? undefined : 'is not due at the time of the next row';
}
