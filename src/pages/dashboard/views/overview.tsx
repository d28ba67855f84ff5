import type { ComponentChildren } from 'preact';

import { viewHref, type Query } from '../state/route.js';
import { store } from '../state/store.js';
import {
  type DeliveriesResponse,
  type FacetsResponse,
  type JobPage,
  type RecordPage,
  readTextAt,
} from '../state/wire.js';
import { abbreviateId } from '../text/format.js';
import { listDeclineReasons } from '../text/overview.js';
import { Plot } from '../ui/plot.js';
import { StatusMark } from '../ui/marks.js';
import { Title, WhenLoaded } from '../ui/panel.js';
import { FindingsCard } from './findings.js';
import { BatchBar } from './records/batch-bar.js';
import { JobRows } from './jobs.js';
import { STATUSES } from './records/kinds.js';
import { WEBHOOK_STATUSES, WEBHOOK_WORDS } from '../text/webhooks.js';

/** The whole world on one page: charges, declines, webhooks, batches and the next jobs. */
export function OverviewView() {
  return (
    <>
      <Title text="Overview" />
      <div class="cards">
        <FindingsCard />
        <OverviewCard title="Charges" href={viewHref('charges')}>
          <StatusCounts view="charges" path="/records/charges" statuses={STATUSES} />
          <ChargePlot />
        </OverviewCard>
        <OverviewCard
          title="Why charges were declined"
          href={viewHref('charges', null, { Status: 'FAILED' })}
        >
          <DeclineReasons />
        </OverviewCard>
        <OverviewCard title="Webhooks" href={viewHref('webhooks')}>
          <StatusCounts view="webhooks" path="/webhooks" statuses={WEBHOOK_STATUSES} />
        </OverviewCard>
        <OverviewCard title="Batches" href={viewHref('batches')}>
          <LatestBatches />
        </OverviewCard>
        <OverviewCard title="Due next" href={viewHref('due')}>
          <WhenLoaded
            loaded={store.cache.read<JobPage>('/jobs?Limit=5')}
            show={({ Jobs }) => (Jobs.length === 0 ? <p class="soft">Nothing.</p> : <JobRows jobs={Jobs} />)}
          />
        </OverviewCard>
      </div>
    </>
  );
}

function OverviewCard({
  title,
  href,
  children,
}: {
  title: string;
  href: string;
  children: ComponentChildren;
}) {
  return (
    <section class="panel stack">
      <h2>
        <a href={href}>{title}</a>
      </h2>
      {children}
    </section>
  );
}

interface StatusesProps {
  readonly view: string;
  readonly path: string;
  readonly statuses: readonly string[];
}

/** How many records have each status. */
function StatusCounts({ view, path, statuses }: StatusesProps) {
  const counts = statuses.map((status) => {
    const address = `${path}?Status=${status}&Limit=1`;
    return [status, store.cache.read<RecordPage | DeliveriesResponse>(address).data?.Count] as const;
  });
  if (counts.every(([, count]) => count === 0)) return <p class="soft">None.</p>;
  return (
    <ul class="row">
      {counts.map(([status, count = 0]) =>
        count === 0 ? null : (
          <li key={status}>
            <a href={viewHref(view, null, { Status: status })}>
              <StatusMark status={WEBHOOK_WORDS[status] ?? status} />{' '}
              <b class="num">{count.toLocaleString('en-GB')}</b>
            </a>
          </li>
        ),
      )}
    </ul>
  );
}

/** All charges, however they were made; the plot and the reasons read the same answer. */
const CHARGE_FACETS = '/journal/facets?Charges=true&Periods=60';

function ChargePlot() {
  const { data } = store.cache.read<FacetsResponse>(CHARGE_FACETS);
  const periods = data?.Charges?.Periods ?? [];
  if (periods.length === 0) return null;
  const show = (query: Query): void => void (location.hash = viewHref('charges', null, query));
  return (
    <Plot
      periods={periods}
      noun="charges"
      now={store.now.peek()}
      result={null}
      onResult={(result) => show({ Status: result === 'declined' ? 'FAILED' : null })}
      selected={null}
      // A period has its first instant; the filter does not.
      onSelect={(from, AddedBefore) =>
        show({ AddedAfter: from && new Date(Date.parse(from) - 1).toISOString(), AddedBefore })
      }
    />
  );
}

function DeclineReasons() {
  return (
    <WhenLoaded
      loaded={store.cache.read<FacetsResponse>(CHARGE_FACETS)}
      show={({ Charges }) => {
        const { total, reasons } = listDeclineReasons(Charges ?? { Declines: [], Periods: [] });
        if (total === 0) return <p class="soft">None was declined.</p>;
        return (
          <ol class="reasons">
            {[...reasons, { name: 'In all', count: total }].map(({ name, count }) => (
              <li key={name} class="row between">
                <span>{name}</span>
                <b class="num">{count.toLocaleString('en-GB')}</b>
              </li>
            ))}
          </ol>
        );
      }}
    />
  );
}

function LatestBatches() {
  return (
    <WhenLoaded
      loaded={store.cache.read<RecordPage>('/records/batches?Limit=5')}
      show={({ Records }) =>
        Records.length === 0 ? (
          <p class="soft">None.</p>
        ) : (
          <ul class="stack">
            {Records.map((batch) => {
              const id = readTextAt(batch, 'BatchId');
              return (
                <li key={id} class="row">
                  <a href={viewHref('batches', id)}>{readTextAt(batch, 'Description') || abbreviateId(id)}</a>
                  <StatusMark status={readTextAt(batch, 'Status')} />
                  <BatchBar batch={batch} />
                </li>
              );
            })}
          </ul>
        )
      }
    />
  );
}
