import { toListQuery } from '../state/route.js';
import { store } from '../state/store.js';
import type { JobPage } from '../state/wire.js';
import { formatQuantity, formatDateTime } from '../text/format.js';
import { countJobsThrough, runToLabel } from '../text/advance.js';
import { JOB_KINDS } from '../text/jobs.js';
import { Filters } from '../ui/fields.js';
import { EmptyPanel, Title, WhenLoaded } from '../ui/panel.js';
import { Pager } from '../ui/table.js';
import { advanceClock } from './send.js';
import { JobRows } from './jobs.js';
import { filterBy, pageHref } from './rows.js';

const PAGE = 50;
const FILTERS = [
  { name: 'Kind', label: 'Kind', options: JOB_KINDS },
  { name: 'Ref', label: 'Order, charge or batch' },
] as const;

/** Everything that will happen in the world, and what the last move of the clock ran. */
export function DueView() {
  const route = store.route.value;
  const isWhole = FILTERS.every(({ name }) => !route.query.get(name));
  return (
    <>
      <Title text="Due" />
      <LastAdvance />
      <Filters filters={FILTERS} values={route.query} changed={filterBy} />
      <WhenLoaded
        loaded={store.cache.read<JobPage>(`/jobs?${toListQuery(route, PAGE)}`)}
        show={(page) =>
          page.Count === 0 ? (
            <EmptyPanel title="Nothing scheduled." />
          ) : (
            <>
              <JobRows
                jobs={page.Jobs}
                act={({ At }) => ({
                  // With a filter, other jobs run as well.
                  label: isWhole ? runToLabel(page.Skip + countJobsThrough(page.Jobs, At)) : 'Run to here',
                  run: () => void advanceClock({ To: At }),
                })}
              />
              <Pager page={page} hrefAt={pageHref} words={['Earlier', 'Later']} />
            </>
          )
        }
      />
    </>
  );
}

function LastAdvance() {
  const ran = store.lastAdvance.value;
  if (ran === null) return null;
  const { From, Now, Ran: jobs, Jobs } = ran;
  return (
    <section class="panel stack" aria-label="What ran">
      <h2>
        {Jobs === 0 ? 'Nothing ran' : `${formatQuantity(Jobs, 'job')} ran`} from {formatDateTime(From)} to{' '}
        {formatDateTime(Now)}
      </h2>
      {Jobs === 0 ? null : <JobRows jobs={jobs} />}
      {Jobs > jobs.length ? (
        <p class="soft">The first {formatQuantity(jobs.length, 'job')} are listed.</p>
      ) : null}
    </section>
  );
}
