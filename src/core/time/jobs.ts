/** A job is data, not a closure, so that a snapshot can contain it. */
export interface Job {
  /** Milliseconds since 1970, on the world's clock. */
  readonly due: number;
  readonly kind: string;
  readonly ref: string;
}

export interface JobWindow {
  /** The last instant of this advance. */
  readonly through: number;
  /** The instant of the next other job, which must run in order; Infinity if there is none. */
  readonly before: number;
  /** How many steps the job may take before it yields to the event loop. */
  readonly steps: number;
}

export interface OrderedJob extends Job {
  /** The order of scheduling, in which jobs due at the same instant run. */
  readonly seq: number;
}

export interface QueuedJobs {
  readonly next: number;
  /** A binary heap: no job is due earlier than its parent. A sorted list is also a heap. */
  readonly heap: readonly OrderedJob[];
}

interface HeapJob extends OrderedJob {
  place: number;
}

/** The jobs of a world, ordered by their instants and then by scheduling: a binary heap with removal. */
export class JobQueue {
  readonly #heap: HeapJob[] = [];
  readonly #byKind = new Map<string, Map<string, HeapJob>>();
  #seq = 0;

  get size(): number {
    return this.#heap.length;
  }

  get nextDue(): number {
    return this.#heap[0]?.due ?? Infinity;
  }

  get next(): Job | undefined {
    return this.#heap[0];
  }

  /** Schedules a job; a record has at most one job of a kind, so an earlier one is replaced. */
  schedule(due: number, kind: string, ref: string): void {
    this.cancel(kind, ref);
    const job: HeapJob = { due, kind, ref, seq: this.#seq++, place: this.#heap.length };
    this.#ofKind(kind).set(ref, job);
    this.#heap.push(job);
    this.#rise(job);
  }

  cancel(kind: string, ref: string): void {
    const job = this.#byKind.get(kind)?.get(ref);
    if (job) this.#remove(job);
  }

  take(): Job | undefined {
    const job = this.#heap[0];
    if (job) this.#remove(job);
    return job;
  }

  dueOf(kind: string, ref: string): number | undefined {
    return this.#byKind.get(kind)?.get(ref)?.due;
  }

  /** The first one due first. */
  inOrder(): Job[] {
    return this.#heap.toSorted((a, b) => (runsBefore(a, b) ? -1 : 1));
  }

  snapshot(): QueuedJobs {
    return { next: this.#seq, heap: this.#heap.map(({ due, kind, ref, seq }) => ({ due, kind, ref, seq })) };
  }

  load({ next, heap }: QueuedJobs): void {
    this.#seq = next;
    for (const job of heap) {
      const queued: HeapJob = { ...job, place: this.#heap.length };
      this.#ofKind(job.kind).set(job.ref, queued);
      this.#heap.push(queued);
    }
  }

  #ofKind(kind: string): Map<string, HeapJob> {
    let jobs = this.#byKind.get(kind);
    if (!jobs) this.#byKind.set(kind, (jobs = new Map<string, HeapJob>()));
    return jobs;
  }

  #remove(job: HeapJob): void {
    this.#byKind.get(job.kind)?.delete(job.ref);
    const last = this.#heap.pop();
    if (last === undefined || last === job) return;
    this.#put(last, job.place);
    this.#rise(last);
    this.#sink(last);
  }

  #put(job: HeapJob, place: number): void {
    this.#heap[place] = job;
    job.place = place;
  }

  #rise(job: HeapJob): void {
    while (job.place > 0) {
      const place = job.place;
      const parent = this.#heap[(place - 1) >> 1];
      if (!parent || !runsBefore(job, parent)) return;
      this.#put(job, parent.place);
      this.#put(parent, place);
    }
  }

  #sink(job: HeapJob): void {
    for (;;) {
      const place = job.place;
      const left = this.#heap[2 * place + 1];
      const right = this.#heap[2 * place + 2];
      const child = right && left && runsBefore(right, left) ? right : left;
      if (!child || !runsBefore(child, job)) return;
      this.#put(job, child.place);
      this.#put(child, place);
    }
  }
}

/** Further jobs are only counted. */
const LISTED_MAX = 1000;

export class RunLog {
  readonly ran: Job[] = [];
  readonly counts = new Map<string, number>();
  jobs = 0;

  add(job: Job): void {
    this.jobs++;
    this.count(job.kind, 1);
    if (this.ran.length < LISTED_MAX) this.ran.push(job);
  }

  list(): Pick<AdvanceSummary, 'ran' | 'jobs' | 'counts'> {
    const { ran, jobs, counts } = this;
    return { ran, jobs, counts };
  }

  count(kind: string, more: number): void {
    if (more > 0) this.counts.set(kind, (this.counts.get(kind) ?? 0) + more);
  }
}

export function runsBefore(a: OrderedJob, b: OrderedJob): boolean {
  return a.due < b.due || (a.due === b.due && a.seq < b.seq);
}

export interface AdvanceSummary {
  readonly from: number;
  readonly now: number;
  readonly ran: readonly Job[];
  readonly jobs: number;
  /** How many jobs of each kind ran; for rows of batches, how many rows. */
  readonly counts: ReadonlyMap<string, number>;
  /** How many webhook attempts ended during the advance, and how many of them failed. */
  readonly deliveries: number;
  readonly failures: number;
}
