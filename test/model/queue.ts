import type { Job, JobKind, State } from './state.js';

/** What is due when: a plain list that is searched, since a model need not be fast. */

/** Schedules a job; an earlier one of the kind for the same record is replaced. */
export function schedule(state: State, due: number, kind: JobKind, ref: number): void {
  cancel(state, kind, ref);
  state.jobs.push({ due, kind, ref, turn: state.nextTurn++ });
}

export function cancel(state: State, kind: JobKind, ref: number): void {
  state.jobs = state.jobs.filter((job) => job.kind !== kind || job.ref !== ref);
}

/** Takes out what is due first at or before an instant; at one instant, what was scheduled first. */
export function takeDue(state: State, through: number): Job | undefined {
  const due = state.jobs.filter((job) => job.due <= through);
  const [first] = due.sort((a, b) => a.due - b.due || a.turn - b.turn);
  if (first) cancel(state, first.kind, first.ref);
  return first;
}
