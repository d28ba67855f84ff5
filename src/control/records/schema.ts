import * as z from 'zod';

import * as answers from '../../http/answers.js';

/** Something that happened to a record, or is due to. */
export const TimelineItemResponse = z.lazy(() =>
  z
    .strictObject({
      At: answers.instant(),
      What: z.enum(['added', 'changed', 'failed', 'ended', 'due', 'call', 'webhook']),
      Text: z.string(),
      EntryId: answers.count().nullable(),
      DeliveryId: z.string().nullable(),
    })
    .meta({ id: 'TimelineItem' }),
);
export type TimelineItemResponse = z.output<typeof TimelineItemResponse>;
