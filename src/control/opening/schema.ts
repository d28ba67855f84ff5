import * as z from 'zod';

import * as answers from '../../http/answers/answers.js';

/** A file that `playmoney open` reads. Its contents are checked when it is read, not by this schema. */
export const OpenableFile = z.lazy(() =>
  z
    .looseObject({})
    .describe('A bundle, a file with bundles, a state, a trace, a journal or an HTTP archive (HAR).'),
);

const OpenedWorldResponse = answers.component('OpenedWorld', () => ({
  World: z.string().describe('The name of the new world.'),
  Key: z.string().nullable().describe('The key of the new world. Null if the caller may not know it.'),
  Name: z.string().nullable(),
  Now: answers.instant().describe('By the clock of the new world.'),
  Calls: answers.count().describe('The recorded calls.'),
  Different: answers
    .count()
    .nullable()
    .describe(
      'The calls that were sent to the new world, and answered differently or not at all. Null if none were sent.',
    ),
  EntryId: z
    .int()
    .nullable()
    .describe('The call before which a branch begins, to be sent again. Null for a file.'),
}));
export type OpenedWorldResponse = z.output<typeof OpenedWorldResponse>;

export const OpenedResponse = answers.object(() => ({
  Kind: z.string().describe('The kind of file, such as `bundle`; or `branch`.'),
  Worlds: z.array(OpenedWorldResponse),
  Warnings: z.array(z.string()),
}));
export type OpenedResponse = z.output<typeof OpenedResponse>;
