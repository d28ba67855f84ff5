import { counted, dateTime, duration } from '../text/format.js';
import { Act, useStore } from '../ui/parts.js';
import type { Store } from '../state/store.js';
import type { AdvanceResponse, Seen } from '../state/wire.js';

type Step = readonly [label: string, to: object | null];

const STEPS: readonly Step[] = [
  ['+1 min', { By: '1m' }],
  ['+1 h', { By: '1h' }],
  ['+1 day', { By: '1d' }],
];

const PACES: readonly (readonly [value: string, label: string, body: object])[] = [
  ['manual', 'Manual', { Mode: 'manual' }],
  ['real', 'Real time', { Mode: 'real' }],
  ['scaled', '× 60', { Mode: 'scaled', Rate: 60 }],
];

export function ClockBar() {
  const store = useStore();
  const { seen } = store;
  if (seen === null) return null;
  const { Next } = seen;
  const steps: readonly Step[] = [...STEPS, ['Run next', Next && { To: Next.At }]];
  return (
    <section class="clock row" aria-label="Clock">
      <p class="now number">
        <time class="strong">{dateTime(new Date(store.now).toISOString())}</time>{' '}
        <span class="soft">UTC</span>
        <br />
        <span class="next soft">{nextDue(store, seen)}</span>
      </p>
      <div class="steps row" role="group" aria-label="Move the clock">
        {steps.map(([label, to]) => (
          <Act
            key={label}
            method="POST"
            path="/clock/advance"
            body={to}
            done={advanced}
            kind="small"
            isDisabled={to === null}
          >
            {label}
          </Act>
        ))}
      </div>
      <Pace seen={seen} />
    </section>
  );
}

function Pace({ seen }: { seen: Seen }) {
  const store = useStore();
  const change = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    const chosen = PACES.find(([pace]) => pace === value);
    if (chosen === undefined) return;
    void store.act('PUT', '/clock', chosen[2], `Clock set to ${chosen[1].toLowerCase()}.`);
  };
  return (
    <select class="small" aria-label="Clock mode" value={seen.Mode} onChange={change}>
      {PACES.map(([value, label]) => (
        <option key={value} value={value}>
          {value === 'scaled' && seen.Mode === 'scaled' ? `× ${seen.Rate}` : label}
        </option>
      ))}
    </select>
  );
}

function nextDue({ now }: Store, { Next }: Seen): string {
  if (Next === null) return 'Nothing is due.';
  const left = Date.parse(Next.At) - now;
  return `Next: ${Next.Kind} ${left <= 0 ? 'now' : `in ${duration(left)}`}`;
}

function advanced(answer: unknown): string {
  const { Now, Jobs, Deliveries } = answer as AdvanceResponse;
  const tried = Deliveries === 0 ? '' : `, ${counted(Deliveries, 'webhook')} tried`;
  return `Clock moved to ${dateTime(Now)}: ${Jobs === 0 ? 'nothing was due' : `${counted(Jobs, 'job')} ran`}${tried}.`;
}
