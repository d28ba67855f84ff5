import * as z from 'zod';

import * as answers from '../../http/answers.js';

/** Something that happened to a record, or is due to. */
export const TimelineItemResponse = answers.component('TimelineItem', () => ({
  At: answers.instant(),
  What: z.enum(['added', 'changed', 'failed', 'ended', 'due', 'call', 'webhook']),
  Text: z.string(),
  EntryId: answers.count().nullable(),
  DeliveryId: z.string().nullable(),
}));
export type TimelineItemResponse = z.output<typeof TimelineItemResponse>;
