import type { Entry } from '../../journal/entry.js';
import type { Snapshot } from '../../world/snapshot.js';
import type { World } from '../../world/world.js';
import { NAMED_SNAPSHOTS } from '../snapshots/shelf.js';

/** Where a branch begins, and the calls that lead from there to the state before a call. */
export interface BranchStart {
  /** Null for the beginning of the world. */
  readonly snapshot: Snapshot | null;
  readonly calls: readonly Entry[];
}

/** The latest state before a call that can be had again, or a sentence that says why there is none. */
export function findBranchStart(world: World, entry: Entry): BranchStart | string {
  if (entry.isUndone)
    return 'The world has gone back to a state before this call. Restore a snapshot instead.';
  if (entry.isRecorded) return 'This call came with a file, which has no state from before it.';
  const snapshot = findSnapshot(world, entry.id);
  const { journal } = world;
  if (snapshot === null && journal.evicted > 0)
    return `The journal has dropped ${journal.evicted} earlier calls, and no snapshot is from after them.`;
  const calls = listPresentCalls(world, snapshot?.branch?.next ?? journal.oldestId, entry.id);
  const [first] = journal.entries();
  if (snapshot === null && (first?.isUndone === true || first?.isRecorded === true))
    return 'The beginning of this world is unknown, since its state was replaced. Snapshots make later calls ready for a branch.';
  if (snapshot === null && world.script.snapshot().start > (first?.at ?? entry.at))
    return 'The scenario was changed after the first call. Snapshots make later calls ready for a branch.';
  const cut = calls.find(({ requestTruncated }) => requestTruncated);
  if (cut !== undefined)
    return `The journal has only the beginning of the body of call ${cut.id}, before this one.`;
  return { snapshot, calls };
}

function listPresentCalls({ journal }: World, from: number, to: number): Entry[] {
  const calls: Entry[] = [];
  for (const call of journal.entries(from)) {
    if (call.id >= to) break;
    if (!call.isUndone) calls.push(call);
  }
  return calls;
}

/** The latest snapshot of the present before a call, after which the journal has every call. */
function findSnapshot(world: World, before: number): Snapshot | null {
  const { journal } = world;
  let latest: Snapshot | null = null;
  for (const { snapshot } of NAMED_SNAPSHOTS.list(world, true)) {
    const { branch } = snapshot;
    if (branch === null || branch.next > before || branch.next < journal.oldestId) continue;
    const isPresent = journal.branch.undone.every(
      ({ from, to }) =>
        from >= branch.next ||
        branch.undone.some((past) => past.from <= from && past.to >= Math.min(to, branch.next)),
    );
    if (isPresent && branch.next >= (latest?.branch?.next ?? 0)) latest = snapshot;
  }
  return latest;
}
