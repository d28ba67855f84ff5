import { formatInstant } from '../core/time.js';
import type { World } from '../world.js';
import type { Batch } from './record.js';

/** How a batch stands, without its rows. */
export function presentBatchStatus(_world: World, batch: Batch): object {
  return {
    BatchId: batch.id,
    Count: batch.count,
    Success: batch.success,
    Failure: batch.failure,
    Description: batch.description,
    Status: batch.status,
    Progress: batch.done / batch.count,
    DateAdded: formatInstant(batch.dateAdded),
    Metadata: batch.metadata,
  };
}
