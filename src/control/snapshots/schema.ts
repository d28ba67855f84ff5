import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';
import { optionalText } from '../../http/fields/fields.js';
import { optionalQueryFlag, optionalQueryWord } from '../../http/fields/list-fields.js';
import { SavedCounts } from '../schema.js';

export const ListSnapshots = z.lazy(() =>
  z.object({ Hidden: optionalQueryFlag().describe('Also lists hidden ones. Default: false.') }),
);

export const CompareSnapshot = z.lazy(() =>
  z.object({
    With: optionalText().describe('The name of another snapshot. Default: the world as it is now.'),
  }),
);

export const SnapshotResponse = answers.component('Snapshot', () => ({
  Name: z.string(),
  At: answers.instant().describe('By the world’s clock.'),
  Counts: SavedCounts,
}));
export type SnapshotResponse = z.output<typeof SnapshotResponse>;

export const SnapshotsResponse = answers.object(() => ({
  Count: answers.count(),
  Snapshots: z.array(SnapshotResponse),
}));
export type SnapshotsResponse = z.output<typeof SnapshotsResponse>;

/** Null if it is not set. */
const anyValue = () => z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const DiffResponse = answers.object(() => ({
  Name: z.string(),
  From: answers.instant(),
  Now: answers.instant(),
  Counts: z.record(
    z.string(),
    z.strictObject({ Added: answers.count(), Changed: answers.count(), Removed: answers.count() }),
  ),
  Changes: z.array(
    z.strictObject({
      Kind: z.string(),
      Id: z.string(),
      Change: z.enum(['added', 'changed', 'removed']),
      Fields: z
        .array(z.strictObject({ Field: z.string(), Before: anyValue(), Now: anyValue() }))
        .describe(
          'The fields of a changed record that differ, named as in GET /_sandbox/state, with masked values.',
        ),
      MoreFields: answers.count().describe('The number of further fields that differ.'),
    }),
  ),
}));
export type DiffResponse = z.output<typeof DiffResponse>;

/** The document of a world. Its contents are checked when it is read, not by this schema. */
export const StateDocument = z.lazy(() =>
  z.looseObject({}).describe('The state of the world, including full card numbers.'),
);

export const ExportBundle = z.lazy(() =>
  z.object({
    Format: optionalQueryWord(['json', 'html']).describe('A document, or a page. Default: json.'),
  }),
);

/** The file of `playmoney bundle`. */
export const BundleDocument = z.lazy(() =>
  z.looseObject({}).describe('The state and the calls of a world. The state may include full card numbers.'),
);
