import { useState } from 'preact/hooks';

import type { FacetsResponse } from '../../../control/journal/entry-schema.js';
import type { FullCall } from '../state/wire.js';
import { capitalise, formatQuantity } from '../text/format.js';
import { formatDayAndTime } from '../text/when.js';

type PlotPeriod = FacetsResponse['Periods'][number];
type PlotResult = FullCall['Result'];

interface PlotProps {
  /** The plural noun for what is counted. Default: calls. */
  readonly noun?: string;
  readonly periods: readonly PlotPeriod[];
  readonly now: number;
  /** The result that is shown alone; null for all. */
  readonly result: PlotResult | null;
  readonly onResult: (result: PlotResult | null) => void;
  /** The beginning of the period that is shown alone; null for all. */
  readonly selected: string | null;
  /** With the end of the period; null for the last one. */
  readonly onSelect: (from: string | null, until: string | null) => void;
}

/** From the bottom of a bar to its top: the failures are at the bottom, where their heights can be compared. */
const RESULTS = [
  ['declined', 'Declined', 'bad', 'declined'],
  ['refused', 'Refused', 'warn', 'refused'],
  ['unanswered', 'Unanswered', 'lost', 'no answer'],
  ['done', 'Done', 'good', 'done'],
] as const satisfies readonly (readonly [
  result: PlotResult,
  field: keyof PlotPeriod,
  tone: string,
  label: string,
])[];
type ShownResults = readonly (typeof RESULTS)[number][];

const HEIGHT = 48;
/** Few calls are not drawn as a full bar each. */
const SCALE_MIN = 4;

/** The calls over time by result. The words below it filter by result, a bar by time. */
export function Plot({ periods, noun = 'calls', now, result, onResult, selected, onSelect }: PlotProps) {
  const [at, setAt] = useState(periods.length - 1);
  const shown = RESULTS.filter(([name]) => result === null || name === result);
  const highest = Math.max(...periods.map((one) => sumPeriod(one, shown)));
  const most = Math.max(SCALE_MIN, highest);
  const here = Math.min(at, periods.length - 1);
  const period = periods[here];
  if (period === undefined) return null;
  const move = (by: number): void => setAt(Math.max(0, Math.min(periods.length - 1, here + by)));
  const pick = (n: number): void => {
    const from = periods[n]?.From ?? null;
    if (from === selected) onSelect(null, null);
    else onSelect(from, periods[n + 1]?.From ?? null);
  };
  return (
    <figure class="plot">
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${capitalise(noun)} over time`}
        aria-valuemin={0}
        aria-valuemax={periods.length - 1}
        aria-valuenow={here}
        aria-valuetext={describePeriod(period, noun, now)}
        title={describePeriod(period, noun, now)}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -1, ArrowRight: 1, Home: -periods.length, End: periods.length }[event.key];
          if (by !== undefined) move(by);
          else if (event.key === 'Enter') pick(here);
          else return;
          event.preventDefault();
        }}
      >
        <svg viewBox={`0 0 ${periods.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {periods.map((column, n) => (
            <g
              key={column.From}
              class={column.From === selected ? 'selected' : n === here ? 'here' : ''}
              onPointerEnter={() => setAt(n)}
              onClick={() => pick(n)}
            >
              <rect class="ground" x={n} y={0} width={1} height={HEIGHT} />
              <PlotBar period={column} n={n} shown={shown} most={most} />
            </g>
          ))}
        </svg>
      </div>
      <div class="axis row between soft num" aria-hidden="true">
        <span>{formatDayAndTime(periods[0]?.From ?? period.From, now)} UTC</span>
        <span>highest bar: {formatQuantity(highest, noun.slice(0, -1))}</span>
        <span>{formatDayAndTime(periods.at(-1)?.From ?? period.From, now)} UTC</span>
      </div>
      <figcaption class="row between">
        <span class="soft num">{describePeriod(period, noun, now)}</span>
        <ResultFilter periods={periods} result={result} onResult={onResult} />
      </figcaption>
    </figure>
  );
}

/** How many calls had each result, as buttons that show those alone. */
function ResultFilter({ periods, result, onResult }: Pick<PlotProps, 'periods' | 'result' | 'onResult'>) {
  // One stop for Tab: the arrows lead to the others.
  const step = ({ key, currentTarget }: KeyboardEvent): void => {
    const { activeElement: at } = document;
    const next =
      key === 'ArrowRight' ? at?.nextElementSibling : key === 'ArrowLeft' ? at?.previousElementSibling : null;
    if ((currentTarget as Element).contains(next ?? null)) (next as HTMLElement).focus();
  };
  return (
    <span class="row" role="group" aria-label="Results" onKeyDown={step}>
      {RESULTS.map(([name, field, tone, label]) => {
        const isOn = result === name;
        const count = periods.reduce((sum, period) => sum + period[field], 0).toLocaleString('en-GB');
        return (
          <button
            key={name}
            type="button"
            class="plain"
            tabIndex={name === (result ?? 'declined') ? 0 : -1}
            aria-pressed={isOn}
            onClick={() => onResult(isOn ? null : name)}
          >
            <span class={`mark ${tone}`}>
              {count} {label}
            </span>
          </button>
        );
      })}
    </span>
  );
}

type BarProps = { period: PlotPeriod; n: number; shown: ShownResults; most: number };

function PlotBar({ period, n, shown, most }: BarProps) {
  let top = HEIGHT;
  return (
    <>
      {shown.map(([name, field, tone]) => {
        const height = (period[field] / most) * HEIGHT;
        top -= height;
        return <rect key={name} class={tone} x={n + 0.1} y={top} width={0.8} height={height} />;
      })}
    </>
  );
}

const sumPeriod = (period: PlotPeriod, of: ShownResults): number =>
  of.reduce((sum, [, field]) => sum + period[field], 0);

function describePeriod(period: PlotPeriod, noun: string, now: number): string {
  const counts = RESULTS.flatMap(([, field, , label]) =>
    period[field] > 0 ? [`${period[field]} ${label}`] : [],
  );
  return `Since ${formatDayAndTime(period.From, now)}: ${counts.join(', ') || `no ${noun}`}`;
}
