import { viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type { Job } from '../state/wire.js';
import { formatDateTime, abbreviateId } from '../text/format.js';
import { describeJob } from '../text/jobs.js';
import { formatDayAndTime } from '../text/when.js';
import { Button } from '../ui/button.js';
import { type Column, DataTable } from '../ui/table.js';

interface JobRowsProps {
  readonly jobs: readonly Job[];
  /** Jobs that are about to run. */
  readonly isMarked?: (job: Job) => boolean;
  readonly act?: (job: Job) => { readonly label: string; readonly run: () => void };
}

/** Jobs with their records. */
export function JobRows({ jobs, isMarked = () => false, act }: JobRowsProps) {
  const columns: readonly Column<Job>[] = [
    {
      name: 'At',
      isNumber: true,
      show: ({ At }) => <time title={formatDateTime(At)}>{formatDayAndTime(At, store.now.value)}</time>,
    },
    {
      name: 'What',
      show: (job) => (isMarked(job) ? <b>{describeJob(job).text}</b> : describeJob(job).text),
    },
    { name: 'Record', show: (job) => <JobRecord job={job} /> },
    ...(act === undefined
      ? []
      : [
          {
            name: 'Run',
            show: (job: Job) => {
              const { label, run } = act(job);
              return (
                <Button
                  kind="plain"
                  run={run}
                  label={`${label}: ${describeJob(job).text} at ${formatDateTime(job.At)}`}
                >
                  {label}
                </Button>
              );
            },
          },
        ]),
  ];
  return (
    <DataTable
      label="Jobs"
      columns={columns}
      rows={jobs}
      keyOf={({ At, Kind, Ref: ref }) => `${At} ${Kind} ${ref}`}
    />
  );
}

function JobRecord({ job }: { job: Job }) {
  const { view } = describeJob(job);
  if (view === null || view === 'scenario') return <code>{abbreviateId(job.Ref)}</code>;
  const href = view === 'webhooks' ? viewHref(view, null, { open: job.Ref }) : viewHref(view, job.Ref);
  return (
    <a href={href}>
      <code>{abbreviateId(job.Ref)}</code>
    </a>
  );
}
