import type { WaterfallColumn } from '../text/waterfall-columns.js';
import type { WaterfallCell, WaterfallTable, WaterfallMark, FallRow } from '../text/waterfall.js';

interface WaterfallProps {
  readonly table: WaterfallTable;
  /** The day and the clock of the columns, such as "1 Jan, world time". */
  readonly caption: string;
  readonly picked: string;
  readonly busy: boolean;
  /** The label of the button that moves the clock to an instant, such as "Run to here (12 jobs)". */
  readonly runLabel: (at: string, place: string) => string;
  readonly onPick: (picked: string) => void;
  readonly onRun: (at: string) => void;
}

/** Draws the past and the future of a charge as a table: a row for each call and webhook, a column for each instant. */
export function Waterfall({ table, caption, picked, busy, runLabel, onPick, onRun }: WaterfallProps) {
  const { columns, rows } = table;
  return (
    <div class="falls">
      <table class={columns.length > 5 ? 'fall dense' : 'fall'} aria-labelledby="fall-title">
        <colgroup>
          <col class="what" />
          {columns.map(({ at }) => (
            <col key={at} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col" class="soft">
              {caption}
            </th>
            {columns.map((column) => (
              <ColumnHead key={column.at} column={column} runLabel={runLabel} busy={busy} onRun={onRun} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} class={row.kind}>
              <th scope="row">
                <RowName row={row} picked={picked} onPick={onPick} />
              </th>
              {row.cells.map((cell, n) => (
                <InstantCell key={columns[n]?.at ?? n} cell={cell} place={columns[n]?.place ?? 'past'} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* The columns are gone where the window is narrow. */}
      <p class="runs row">
        {columns
          .filter(({ place }) => place === 'later')
          .map(({ at, label }) => (
            <button key={at} type="button" disabled={busy} onClick={() => onRun(at)}>
              {runLabel(at, label)}
            </button>
          ))}
      </p>
    </div>
  );
}

function ColumnHead({
  column: { at, place, label, gap },
  runLabel,
  busy,
  onRun,
}: { readonly column: WaterfallColumn } & Pick<WaterfallProps, 'runLabel' | 'busy' | 'onRun'>) {
  return (
    <th scope="col" class={place}>
      <b>{label}</b>
      {place === 'later' ? (
        <button type="button" disabled={busy} title={gap} onClick={() => onRun(at)}>
          {runLabel(at, 'here')}
        </button>
      ) : (
        <span class="gap">{place === 'now' ? ['now', gap].filter(Boolean).join(', ') : gap}</span>
      )}
    </th>
  );
}

function RowName({
  row: { kind, method, text, pick },
  picked,
  onPick,
}: { row: FallRow } & Pick<WaterfallProps, 'picked' | 'onPick'>) {
  if (pick === null) return <span class="soft">{text}</span>;
  return (
    <button
      type="button"
      class={kind === 'webhook' ? 'of' : ''}
      data-row={pick}
      aria-expanded={pick === picked}
      onClick={() => onPick(pick)}
      title={text}
    >
      {method === '' ? null : <b>{method}</b>} <span>{text}</span>
    </button>
  );
}

function InstantCell({
  cell: { marks, waits },
  place,
}: {
  cell: WaterfallCell;
  place: WaterfallColumn['place'];
}) {
  const wait = waits === null ? '' : waits === 'until' ? ' wait dash' : ' wait';
  return (
    <td class={`${place}${wait}`}>
      {marks.map((mark, n) => (
        <MarkInCell key={String(n)} mark={mark} />
      ))}
    </td>
  );
}

function MarkInCell({ mark: { tone, text, took, title, at } }: { mark: WaterfallMark }) {
  return (
    <span class="at" data-at={at} title={title}>
      <span class={`mark ${tone}`}>
        {text}
        {took === '' ? null : <span class="took"> · {took}</span>}
      </span>
    </span>
  );
}
