import { formatInstant } from '../core/time.js';
import type { World } from '../world.js';
import type { Batch } from './record.js';

/** A batch in a list: without its rows, and without how they ended. */
export function presentBatchSummary(world: World, batch: Batch): object {
  return {
    BatchId: world.batches.idOf(batch.index),
    Count: batch.count,
    Description: batch.description,
    Status: batch.status,
    Progress: batch.done / batch.count,
    DateAdded: formatInstant(batch.dateAdded),
    Metadata: batch.metadata,
  };
}
