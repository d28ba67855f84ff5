import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Job, JobQueue, RunLog } from '../../../src/core/time/jobs.js';

function drain(queue: JobQueue): string[] {
  const taken: string[] = [];
  for (let job = queue.take(); job; job = queue.take()) taken.push(`${job.due} ${job.kind} ${job.ref}`);
  return taken;
}

describe('the order of jobs', () => {
  test('the earliest due comes first', () => {
    const queue = new JobQueue();
    queue.schedule(30, 'a', '1');
    queue.schedule(10, 'a', '2');
    queue.schedule(20, 'a', '3');
    expect(queue.nextDue).toBe(10);
    expect(drain(queue)).toEqual(['10 a 2', '20 a 3', '30 a 1']);
  });

  test('jobs due at one instant come in the order in which they were scheduled', () => {
    const queue = new JobQueue();
    for (const ref of [5, 3, 9, 1, 7, 2, 8]) queue.schedule(10, ref % 2 ? 'odd' : 'even', String(ref));
    expect(drain(queue).map((text) => text.at(-1))).toEqual(['5', '3', '9', '1', '7', '2', '8']);
  });

  test('a job scheduled again goes behind those that wait for the same instant', () => {
    const queue = new JobQueue();
    queue.schedule(10, 'a', '1');
    queue.schedule(10, 'a', '2');
    queue.schedule(10, 'a', '1');
    expect(drain(queue)).toEqual(['10 a 2', '10 a 1']);
  });
});

describe('the jobs of a record', () => {
  test('a record has one job of a kind: the later call replaces the earlier', () => {
    const queue = new JobQueue();
    queue.schedule(10, 'a', '1');
    queue.schedule(99, 'a', '1');
    expect(queue.size).toBe(1);
    expect(queue.dueOf('a', '1')).toBe(99);
  });

  test('jobs of other kinds and other records are apart', () => {
    const queue = new JobQueue();
    queue.schedule(10, 'a', '1');
    queue.schedule(20, 'b', '1');
    queue.schedule(30, 'a', '2');
    queue.cancel('a', '1');
    expect(queue.dueOf('a', '1')).toBeUndefined();
    expect(drain(queue)).toEqual(['20 b 1', '30 a 2']);
  });

  test('cancelling what is not there changes nothing', () => {
    const queue = new JobQueue();
    queue.schedule(10, 'a', '1');
    queue.cancel('a', '2');
    queue.cancel('b', '1');
    expect(queue.size).toBe(1);
  });

  test('a job that was taken is no longer the record’s', () => {
    const queue = new JobQueue();
    queue.schedule(10, 'a', '1');
    queue.take();
    expect(queue.dueOf('a', '1')).toBeUndefined();
    queue.cancel('a', '1');
    expect([queue.size, queue.nextDue, queue.take()]).toEqual([0, Infinity, undefined]);
  });
});

describe('what a queue holds, as plain data', () => {
  function filled(): JobQueue {
    const queue = new JobQueue();
    for (const [n, due] of [30, 10, 20, 10].entries()) queue.schedule(due, n % 2 ? 'odd' : 'even', String(n));
    return queue;
  }

  test('is each job with its turn, and the turn of the next one', () => {
    const { next, heap } = filled().snapshot();
    expect(next).toBe(4);
    expect(heap).toHaveLength(4);
    expect(heap[0]).toEqual({ due: 10, kind: 'odd', ref: '1', seq: 1 });
  });

  test('fills another queue that goes on in the same order', () => {
    const queue = filled();
    const copy = new JobQueue();
    copy.load(queue.snapshot());
    expect([copy.size, copy.dueOf('even', '2')]).toEqual([4, 20]);
    // In their turn behind those that wait for the same instant, and one that moves through the heap.
    for (const each of [queue, copy]) {
      each.schedule(10, 'even', '9');
      each.schedule(5, 'even', '0');
      each.cancel('odd', '1');
    }
    expect(drain(copy)).toEqual(['5 even 0', '10 odd 3', '10 even 9', '20 even 2']);
    expect(drain(queue)).toEqual(['5 even 0', '10 odd 3', '10 even 9', '20 even 2']);
  });

  test('does not change with the queue', () => {
    const queue = filled();
    const held = queue.snapshot();
    queue.take();
    expect(held.heap).toHaveLength(4);
  });
});

test('no job of a kind that was never scheduled is due', () => {
  expect(new JobQueue().dueOf('a', '1')).toBeUndefined();
});

test('the log of a stretch of time counts all jobs and lists the first thousand', () => {
  const log = new RunLog();
  expect([log.jobs, log.ran]).toEqual([0, []]);
  for (let ref = 0; ref < 1001; ref++) log.add({ due: 1, kind: 'a', ref: String(ref) });
  expect([log.jobs, log.ran.length, log.ran[0]?.ref, log.ran.at(-1)?.ref]).toEqual([1001, 1000, '0', '999']);
});

/** What a queue is: a list that is searched. */
class NaiveQueue {
  #jobs: Job[] = [];

  schedule(due: number, kind: string, ref: string): void {
    this.cancel(kind, ref);
    this.#jobs.push({ due, kind, ref });
  }

  cancel(kind: string, ref: string): void {
    this.#jobs = this.#jobs.filter((job) => job.kind !== kind || job.ref !== ref);
  }

  take(): Job | undefined {
    const due = Math.min(...this.#jobs.map((job) => job.due));
    const next = this.#jobs.find((job) => job.due === due);
    if (next) this.cancel(next.kind, next.ref);
    return next;
  }

  get size(): number {
    return this.#jobs.length;
  }
}

describe('against a naive model', () => {
  const kind = fc.constantFrom('a', 'b', 'c');
  const ref = fc.nat(12).map(String);
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constant('schedule' as const), fc.nat(15), kind, ref) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('cancel' as const), fc.constant(0), kind, ref) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('take' as const), fc.constant(0), kind, ref) },
  );

  test('every sequence of calls gives the same jobs in the same order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const queue = new JobQueue();
        const naive = new NaiveQueue();
        for (const [call, due, ofKind, ofRef] of steps) {
          if (call === 'take') expect(asPlain(queue.take())).toEqual(naive.take());
          else if (call === 'cancel') for (const each of [queue, naive]) each.cancel(ofKind, ofRef);
          else for (const each of [queue, naive]) each.schedule(due, ofKind, ofRef);
          expect(queue.size).toBe(naive.size);
        }
        while (naive.size > 0) expect(asPlain(queue.take())).toEqual(naive.take());
        expect(queue.take()).toBeUndefined();
      }),
      { numRuns: 400 },
    );
  });
});

function asPlain(job: Job | undefined): Job | undefined {
  return job && { due: job.due, kind: job.kind, ref: job.ref };
}
