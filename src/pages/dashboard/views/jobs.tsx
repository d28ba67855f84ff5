import { viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type { Job } from '../state/wire.js';
import { abbreviateId } from '../text/format.js';
import { describeJob } from '../text/jobs.js';
import { formatDayAndTime, formatMoment, formatTimeUntil } from '../text/when.js';
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
      show: ({ At }) => <time title={formatMoment(At)}>{formatDayAndTime(At, store.now.value)}</time>,
    },
    {
      name: 'What',
      isWrapped: true,
      show: (job) => <JobLine job={job} isMarked={isMarked(job)} />,
    },
    { name: 'In', isNumber: true, show: ({ At }) => formatTimeUntil(At, store.now.value) },
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
                  label={`${label}: ${describeJob(job).text} at ${formatMoment(job.At)}`}
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

/** A job as a link to its record; its identifier only if nothing else names it. */
function JobLine({ job, isMarked }: { job: Job; isMarked: boolean }) {
  const { view, text } = describeJob(job);
  const words = isMarked ? <b>{text}</b> : text;
  const id = job.About ? null : <code>{abbreviateId(job.Ref)}</code>;
  const line = (
    <bdi>
      {words} {id}
    </bdi>
  );
  if (view === null || view === 'scenario') return line;
  const href = view === 'webhooks' ? viewHref(view, null, { open: job.Ref }) : viewHref(view, job.Ref);
  return <a href={href}>{line}</a>;
}
