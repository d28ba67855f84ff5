import { formatInstant } from '../core/time.js';
import type { Batch } from './record.js';

/** A batch in a list: without its rows, and without how they ended. */
export function presentBatchSummary(batch: Batch): object {
  return {
    BatchId: batch.id,
    Count: batch.count,
    Description: batch.description,
    Status: batch.status,
    Progress: batch.done / batch.count,
    DateAdded: formatInstant(batch.dateAdded),
    Metadata: batch.metadata,
  };
}
