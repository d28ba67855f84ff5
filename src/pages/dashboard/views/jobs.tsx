import { hrefOf } from '../state/route.js';
import { store } from '../state/store.js';
import type { Job } from '../state/wire.js';
import { dateTime, shortId } from '../text/format.js';
import { jobWords } from '../text/jobs.js';
import { whenOf } from '../text/when.js';
import { Button } from '../ui/parts.js';
import { type Column, Table } from '../ui/table.js';

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
      show: ({ At }) => <time title={dateTime(At)}>{whenOf(At, store.now.value)}</time>,
    },
    {
      name: 'What',
      show: (job) => (isMarked(job) ? <b>{jobWords(job).text}</b> : jobWords(job).text),
    },
    { name: 'Record', show: (job) => <Ref job={job} /> },
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
                  label={`${label}: ${jobWords(job).text} at ${dateTime(job.At)}`}
                >
                  {label}
                </Button>
              );
            },
          },
        ]),
  ];
  return (
    <Table
      label="Jobs"
      columns={columns}
      rows={jobs}
      keyOf={({ At, Kind, Ref: ref }) => `${At} ${Kind} ${ref}`}
    />
  );
}

function Ref({ job }: { job: Job }) {
  const { view } = jobWords(job);
  if (view === null || view === 'scenario') return <code>{shortId(job.Ref)}</code>;
  const href = view === 'webhooks' ? hrefOf(view, null, { open: job.Ref }) : hrefOf(view, job.Ref);
  return (
    <a href={href}>
      <code>{shortId(job.Ref)}</code>
    </a>
  );
}
