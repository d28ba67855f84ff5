import { CODE, refuse, refuseUnknownId } from '../../core/errors.js';
import { type SearchFilter, type SearchResult, searchTable } from '../../core/store/search.js';
import type { World } from '../../world/world.js';
import { indexRows } from './csv.js';
import {
  BATCH_JOB,
  BATCH_TRANSITIONS,
  type Batch,
  type BatchStatus,
  RECEIVED_FOR,
  waitInStatus,
} from '../../records/batch.js';

/** The estimated memory of a row and its charge. */
const ROW_BYTES = 400;

export interface BatchCommand extends Pick<Batch, 'description' | 'count' | 'webhook' | 'metadata'> {
  readonly text: string;
}

/** Stores a batch. Its jobs process it. */
export function createBatch(world: World, { text, ...command }: BatchCommand): Batch {
  const { count } = command;
  const starts = indexRows(text, count);
  world.requireRoom(world.batches, 'batches');
  world.requireRoom(world.charges, 'charges', count);
  // Refused now, because nobody would see a refusal of a row.
  world.memory.requireRoom(count * ROW_BYTES);
  const outcome = new Uint16Array(count);
  const rows = { text, starts, outcome, charge: new Uint32Array(count), failures: [] };
  const batch: Batch = {
    id: world.batches.nextId,
    index: world.batches.next,
    ...command,
    status: 'RECEIVED',
    done: 0,
    success: 0,
    failure: 0,
    dateAdded: world.now,
    started: null,
    ended: null,
    pace: world.settings.own.batchPace ?? world.script.scenario?.batches?.pace ?? world.settings.batchPace,
    rows,
  };
  world.batches.add(batch);
  world.jobs.schedule(world.now + waitInStatus(batch, RECEIVED_FOR), BATCH_JOB.create, batch.id);
  return batch;
}

/** Returns a batch. Unknown: 404 with code 101. */
export function requireBatch(world: World, id: string): Batch {
  return (
    world.batches.find(id) ?? refuseUnknownId(CODE.InvalidBatch, id, 'batch', 'BatchId', { httpStatus: 404 })
  );
}

/** Moves a batch to its next status, with further changes. */
export function moveBatch(
  world: World,
  batch: Batch,
  status: BatchStatus,
  changed: Partial<Batch> = {},
): Batch {
  if (!BATCH_TRANSITIONS[batch.status].includes(status)) {
    throw new Error(`A batch cannot go from ${batch.status} to ${status}`);
  }
  const isEnd = BATCH_TRANSITIONS[status].length === 0;
  const moved = { ...batch, ...changed, status, ended: isEnd ? world.now : null };
  world.batches.replace(moved);
  world.webhooks.notify('batch.status.changed', batch.id, batch.webhook);
  return moved;
}

/** Stops a batch: processed rows keep their results, the others are never processed. Once it has ended: 409, code 101. */
export function failBatch(world: World, id: string): Batch {
  const batch = world.batches.find(id);
  if (!batch) throw new Error(`There is no batch ${id}`);
  if (!BATCH_TRANSITIONS[batch.status].includes('FAILED')) {
    refuse(
      CODE.InvalidBatch,
      `The batch ${id} is already ${batch.status}; only a batch in progress can fail.`,
      {
        httpStatus: 409,
      },
    );
  }
  for (const kind of Object.values(BATCH_JOB)) world.jobs.cancel(kind, id);
  return moveBatch(world, batch, 'FAILED');
}

const CONDITIONS = { description: (wanted: string) => (batch: Batch) => batch.description === wanted };

export type BatchFilter = SearchFilter<typeof CONDITIONS, never>;

export function searchBatches({ batches }: World, filter: BatchFilter): SearchResult<Batch> {
  return searchTable(batches, filter, { conditions: CONDITIONS });
}
