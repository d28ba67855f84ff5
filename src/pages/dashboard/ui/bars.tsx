import type { FacetsResponse } from '../state/wire.js';

interface BarsProps {
  readonly periods: FacetsResponse['Periods'];
  /** The beginning of the period that is chosen. */
  readonly selected: string | null;
  readonly onSelect: (from: string | null) => void;
}

const RESULTS = ['Done', 'Declined', 'Refused', 'Unanswered'] as const;

/** Calls by result over time. Stands in for the plot. */
export function Bars({ periods, selected, onSelect }: BarsProps) {
  const total = (period: FacetsResponse['Periods'][number]): number =>
    RESULTS.reduce((sum, name) => sum + period[name], 0);
  const most = Math.max(1, ...periods.map(total));
  return (
    <div class="bars" role="group" aria-label="Calls over time">
      {periods.map((period, n) => (
        <button
          key={period.From}
          type="button"
          tabIndex={n === 0 ? 0 : -1}
          aria-label={`${total(period)} calls from ${period.From}`}
          aria-pressed={period.From === selected}
          onClick={() => onSelect(period.From === selected ? null : period.From)}
        >
          {RESULTS.map((name) => (
            <i key={name} class={name.toLowerCase()} style={{ height: `${(period[name] / most) * 100}%` }} />
          ))}
        </button>
      ))}
    </div>
  );
}
