import type { Job } from '../../core/time/jobs.js';
import { requestSchema } from '../../http/fields/field.js';
import { optionalText } from '../../http/fields/fields.js';
import { pageFields } from '../../http/fields/list-fields.js';
import { buildSearchRow } from '../../http/answers/rows.js';
import { presentJob } from '../presenter.js';
import { JobResponse } from '../schema.js';

const SearchJobs = requestSchema(
  () => ({
    Kind: optionalText().describe('Only jobs of this kind, such as `authorisation.expire`.'),
    Ref: optionalText().describe('Only jobs of this record.'),
    ...pageFields(),
  }),
  ({ Kind, Ref, Limit, Skip }) => ({ kind: Kind, ref: Ref, page: { limit: Limit, skip: Skip } }),
);

export const JOBS_ROW = buildSearchRow({
  path: '/_sandbox/jobs',
  id: 'lookJobs',
  summary: 'List what is due',
  text: 'The jobs of the world, the next one first. An advance of the clock runs those that become due.',
  query: SearchJobs,
  list: 'Jobs',
  item: JobResponse,
  search: ({ jobs }, { kind, ref, page: { skip, limit } }) => {
    const fits = (job: Job): boolean => (kind ?? job.kind) === job.kind && (ref ?? job.ref) === job.ref;
    const all = jobs.inOrder().filter(fits);
    return { found: all.slice(skip, skip + limit), count: all.length };
  },
  present: (_, job) => presentJob(job),
});
