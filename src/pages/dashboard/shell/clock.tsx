import { useState } from 'preact/hooks';

import { store } from '../state/store.js';
import type { JobPage, WorldEvent } from '../state/wire.js';
import { labelRun } from '../text/advance.js';
import { describeBriefly, describeJob, parseSpan } from '../text/jobs.js';
import { formatMoment, formatTimeUntil } from '../text/when.js';
import { PLAIN_TEXT } from '../ui/fields.js';
import { Dialog } from '../ui/dialog.js';
import { WhenLoaded } from '../ui/panel.js';
import { advanceClock } from '../views/send.js';
import { JobRows } from '../views/jobs.js';

const MODE_CHOICES: readonly (readonly [value: string, label: string, body: object])[] = [
  ['manual', 'Paused', { Mode: 'manual' }],
  ['real', 'Real time', { Mode: 'real' }],
  ['scaled', '× 60', { Mode: 'scaled', Rate: 60 }],
];

/** The time of the world, and a button that runs what is due next. */
export function ClockButton() {
  const seen = store.seen.value;
  if (seen === null) return null;
  const { Mode, Rate, Next } = seen;
  const pace = Mode === 'manual' ? ', paused' : Mode === 'real' ? '' : ` × ${Rate}`;
  return (
    <div class="clock" role="group" aria-label="Clock">
      <button
        type="button"
        class="time"
        aria-haspopup="dialog"
        title="Move the clock (t)"
        onClick={() => (store.dialog.value = 'clock')}
      >
        <span class="unseen">Move the clock:</span> <WorldTime />
        <span class="soft state">{pace}</span>
      </button>
      {Next === null ? (
        <span class="soft next">Nothing scheduled.</span>
      ) : (
        <button
          type="button"
          class="next"
          title={describeJob(Next).text}
          onClick={() => void advanceClock({ To: Next.At })}
        >
          Next: {describeBriefly(Next)}, {formatTimeUntil(Next.At, store.now.value)}
        </button>
      )}
    </div>
  );
}

function WorldTime() {
  return <time class="num strong">{formatMoment(new Date(store.now.value).toISOString())}</time>;
}

export function ClockDialog() {
  const [by, setBy] = useState('7d');
  const [to, setTo] = useState<string | null>(null);
  const seen = store.seen.value;
  const span = parseSpan(by);
  // The estimate moves while the clock runs, but the list need not.
  const target = to ?? (span === null ? null : new Date(store.now.peek() + span).toISOString());
  const close = (): void => void (store.dialog.value = null);
  const go = (event: Event): void => {
    event.preventDefault();
    // The page reads durations that the server does not, such as 1h 30min.
    void advanceClock(to === null ? { By: `${span ?? 0}ms` } : { To: to });
    close();
  };
  return (
    <Dialog title="Move the clock" closed={close} class="wide">
      <form class="stack" onSubmit={go}>
        <div class="row">
          <label class="row">
            By
            <input
              value={to === null ? by : ''}
              placeholder="7d"
              size={8}
              autofocus
              aria-describedby="until"
              onInput={({ currentTarget }) => {
                setBy(currentTarget.value);
                setTo(null);
              }}
              {...PLAIN_TEXT}
            />
          </label>
          <button type="submit" class="main" disabled={target === null}>
            Go
          </button>
          <span id="until" class="soft num">
            {target === null ? 'Type a duration such as 90s, 2h or 7d.' : `to ${formatMoment(target)}`}
          </span>
        </div>
        <WhenLoaded
          loaded={store.cache.read<JobPage>('/jobs?Limit=100')}
          show={(page) => <Preview page={page} until={target} choose={setTo} />}
        />
      </form>
      {seen === null ? null : <ModeSelect seen={seen} />}
    </Dialog>
  );
}

interface PreviewProps {
  readonly page: JobPage;
  readonly until: string | null;
  readonly choose: (at: string) => void;
}

function Preview({ page, until, choose }: PreviewProps) {
  const { Jobs, Count } = page;
  if (Count === 0) return <p>Nothing is scheduled in this world.</p>;
  const running = until === null ? [] : Jobs.filter(({ At }) => At <= until);
  const more = running.length < Jobs.length || Count <= Jobs.length ? '' : ' at least';
  return (
    <>
      <p>
        {running.length === 0
          ? 'Nothing will run.'
          : `${running.length === 1 ? 'This one' : `These${more} ${running.length}`} will run, and whatever ${running.length === 1 ? 'it sets' : 'they set'} off:`}
      </p>
      <JobRows
        jobs={Jobs}
        isMarked={({ At }) => until !== null && At <= until}
        act={({ At }) => ({ label: labelRun(page, At), run: () => choose(At) })}
      />
    </>
  );
}

function ModeSelect({ seen }: { seen: WorldEvent }) {
  const change = (value: string): void => {
    const chosen = MODE_CHOICES.find(([pace]) => pace === value);
    if (chosen !== undefined)
      void store.callAndNotify('PUT', '/clock', chosen[2], `Clock: ${chosen[1].toLowerCase()}.`);
  };
  return (
    <label class="row">
      Clock mode
      <select value={seen.Mode} onChange={({ currentTarget }) => change(currentTarget.value)}>
        {MODE_CHOICES.map(([value, label]) => (
          <option key={value} value={value}>
            {value === 'scaled' && seen.Mode === 'scaled' ? `× ${seen.Rate}` : label}
          </option>
        ))}
      </select>
    </label>
  );
}
