import { toListQuery } from '../state/route.js';
import { store } from '../state/store.js';
import type { JobPage } from '../state/wire.js';
import { formatQuantity } from '../text/format.js';
import { labelRun } from '../text/advance.js';
import { JOB_WORDS } from '../text/jobs.js';
import { formatMoment } from '../text/when.js';
import { Filters } from '../ui/fields.js';
import { EmptyPanel, Title, WhenLoaded } from '../ui/panel.js';
import { Pager } from '../ui/table.js';
import { advanceClock } from './send.js';
import { JobRows } from './jobs.js';
import { filterBy, pageHref } from './rows.js';

const PAGE = 50;
const FILTERS = [
  { name: 'Kind', label: 'Kind', options: Object.keys(JOB_WORDS), words: JOB_WORDS },
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
                  label: isWhole ? labelRun(page, At) : 'Run to here',
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
        {Jobs === 0 ? 'Nothing ran' : `${formatQuantity(Jobs, 'job')} ran`} from {formatMoment(From)} to{' '}
        {formatMoment(Now)}
      </h2>
      {Jobs === 0 ? null : <JobRows jobs={jobs} />}
      {Jobs > jobs.length ? (
        <p class="soft">The first {formatQuantity(jobs.length, 'job')} are listed.</p>
      ) : null}
    </section>
  );
}
