import { counted } from '../text/format.js';
import { useStore } from '../ui/parts.js';
import { hrefOf } from '../state/route.js';
import type { Seen } from '../state/wire.js';

/** Shows on every view what affects answers: the scenario, queued outcomes, the clock. */
export function Ribbon() {
  const { seen } = useStore();
  if (seen === null) return null;
  const { Scenario, QueuedOutcomes } = seen;
  const clock = clockText(seen);
  if (Scenario === null && QueuedOutcomes === 0 && clock === null) return null;
  return (
    <section class="ribbon row" aria-label="What changes answers now">
      <span class="soft">In effect now:</span>
      {Scenario === null ? null : <a href={hrefOf('scenario')}>Scenario {Scenario}</a>}
      {QueuedOutcomes === 0 ? null : (
        <a href={hrefOf('outcomes')}>{counted(QueuedOutcomes, 'queued outcome')}</a>
      )}
      {clock === null ? null : <span>{clock}</span>}
    </section>
  );
}

function clockText({ Mode, Rate }: Seen): string | null {
  if (Mode === 'real') return null;
  return Mode === 'manual' ? 'Clock stands still until it is moved' : `Clock runs × ${Rate}`;
}
