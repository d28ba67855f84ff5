import { viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type { QueuesResponse, WorldEvent } from '../state/wire.js';
import { formatQuantity } from '../text/format.js';
import { describeQueued } from '../text/why.js';
import { removeQueues } from '../views/decide/queues.js';
import { CallButton } from '../views/rows.js';

/** Shows on every view what changes answers: the scenario, queued outcomes and faults, the delay, the clock; each with what ends it. */
export function Ribbon() {
  const seen = store.seen.value;
  if (seen === null) return null;
  const { Scenario, QueuedOutcomes, Held, Delay, Mode } = seen;
  if (Scenario === null && QueuedOutcomes + Held === 0 && Delay === 0 && Mode === 'real') return null;
  return (
    <section class="ribbon" aria-label="What changes answers now">
      <span class="soft">In force:</span>
      {Scenario === null ? null : (
        <span class="what">
          <span>
            scenario <a href={viewHref('scenario')}>{Scenario}</a>
          </span>
          <CallButton method="DELETE" path="/scenario" done="Scenario ended." label="End the scenario">
            end
          </CallButton>
        </span>
      )}
      {QueuedOutcomes === 0 ? null : <QueuedPart count={QueuedOutcomes} />}
      {Held === 0 ? null : (
        <span class="what">
          <a
            href={viewHref('next')}
          >{`${Held === 1 ? 'the next call waits' : `the next ${Held} calls wait`} for you`}</a>
          <CallButton method="DELETE" path="/hold" done="No call is held." label="Hold no calls">
            end
          </CallButton>
        </span>
      )}
      {Delay === 0 ? null : <DelayPart by={Delay} />}
      {Mode === 'real' ? null : <ClockPart seen={seen} />}
    </section>
  );
}

function QueuedPart({ count }: { count: number }) {
  const { data } = store.cache.read<QueuesResponse>('/outcomes');
  const [first] = data?.Queues ?? [];
  const text = first === undefined ? null : describeQueued(first);
  return (
    <span class="what">
      <a href={viewHref('next')}>{count === 1 && text ? text : formatQuantity(count, 'queued outcome')}</a>
      <button type="button" aria-label="Remove the queued outcomes" onClick={() => void removeQueues()}>
        remove
      </button>
    </span>
  );
}

function DelayPart({ by }: { by: number }) {
  return (
    <span class="what">
      <span>
        every answer <b>{by} ms</b> later
      </span>
      <CallButton
        method="POST"
        path="/reset"
        body={{ Settings: { Delay: '0ms' } }}
        done="World reset, without a delay."
        label="End the delay"
        canUndo
        ask={{
          question: 'Reset the world without a delay?',
          consequence:
            'Only a reset changes the delay of a world. It deletes all records, the journal and the snapshots.',
          confirm: 'Reset',
        }}
      >
        end
      </CallButton>
    </span>
  );
}

function ClockPart({ seen: { Mode, Rate } }: { seen: WorldEvent }) {
  return (
    <span class="what">
      <span>{Mode === 'manual' ? 'clock paused' : `clock runs × ${Rate}`}</span>
      <CallButton
        method="PUT"
        path="/clock"
        body={{ Mode: 'real' }}
        done="The clock runs in real time."
        label="Resume: let the clock run in real time"
      >
        resume
      </CallButton>
    </span>
  );
}
