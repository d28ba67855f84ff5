import { routeHref, viewHref } from '../../state/route.js';
import { store } from '../../state/store.js';
import type { DiffResponse } from '../../state/wire.js';
import { capitalise, abbreviateId } from '../../text/format.js';
import { listDiffParts, nameDiffKind } from '../../text/decide/compare.js';
import { formatMoment } from '../../text/when.js';
import { OptionList } from '../../ui/fields.js';
import { Mark } from '../../ui/marks.js';
import { WhenLoaded } from '../../ui/panel.js';
import { type Column, DataTable } from '../../ui/table.js';
import { KINDS } from '../records/kinds.js';
import { filterBy } from '../rows.js';

type DiffChange = DiffResponse['Changes'][number];

/** Compares a snapshot with the world or another snapshot, field by field. */
export function Compare({ names }: { names: readonly string[] }) {
  const { query } = store.route.value;
  const chosen = query.get('Compare') ?? '';
  const other = query.get('With') ?? '';
  const path = `/snapshots/${encodeURIComponent(chosen)}/diff${other === '' ? '' : `?With=${encodeURIComponent(other)}`}`;
  return (
    <section class="stack" aria-label="Compare">
      <h2>Compare</h2>
      <div class="fields">
        <label>
          Snapshot
          <select value={chosen} onChange={({ currentTarget }) => filterBy('Compare', currentTarget.value)}>
            <option value="">Choose one</option>
            <OptionList words={names} />
          </select>
        </label>
        <label>
          With
          <select value={other} onChange={({ currentTarget }) => filterBy('With', currentTarget.value)}>
            <option value="">the world now</option>
            <OptionList words={names} />
          </select>
        </label>
      </div>
      {names.includes(chosen) ? (
        <WhenLoaded
          loaded={store.cache.read<DiffResponse>(path)}
          show={(diff) => <ChangeTable diff={diff} />}
        />
      ) : null}
    </section>
  );
}

/** How many changes the server lists. */
const DIFF_LISTED = 100;

const TONES = { added: 'good', changed: 'info', removed: 'bad' } as const;

const COLUMNS: readonly Column<DiffChange>[] = [
  { name: 'Record', show: (change) => <ChangedRecord change={change} /> },
  { name: 'Change', show: ({ Change: what }) => <Mark tone={TONES[what]} text={what} /> },
  { name: 'Fields', isWrapped: true, show: (change) => <ChangedFields change={change} /> },
];

/** The counts by kind, each of which leads to its records, and the records. */
function ChangeTable({ diff }: { diff: DiffResponse }) {
  const { From, Now, Changes: changes } = diff;
  const parts = listDiffParts(diff);
  const wanted = store.route.value.query.get('Part');
  const part = parts.find(({ text }) => text === wanted);
  const rows = changes.filter(
    ({ Kind, Change: change }) =>
      part === undefined || (nameDiffKind(Kind) === part.kind && change === part.change),
  );
  return (
    <>
      <p class="soft">
        From {formatMoment(From)} to {formatMoment(Now)}
        {parts.length === 0 ? ': nothing differs.' : ''}
      </p>
      <p class="row">
        {parts.map(({ text }) => (
          <a
            key={text}
            href={routeHref(store.route.value, { Part: text === wanted ? null : text })}
            aria-current={text === wanted ? 'true' : undefined}
          >
            {text}
          </a>
        ))}
      </p>
      {changes.length < DIFF_LISTED ? null : (
        <p class="soft">The first {changes.length} changes are listed, by kind.</p>
      )}
      {rows.length === 0 ? null : (
        <DataTable label="Changes" columns={COLUMNS} rows={rows} keyOf={({ Kind, Id }) => `${Kind} ${Id}`} />
      )}
    </>
  );
}

function ChangedRecord({ change: { Kind, Id } }: { change: DiffChange }) {
  const name = capitalise(nameDiffKind(Kind));
  const kind = KINDS.find(({ one }) => one === name.toLowerCase());
  const id = <code title={Id}>{abbreviateId(Id)}</code>;
  return (
    <>
      {name} {kind === undefined ? id : <a href={viewHref(kind.view, Id)}>{id}</a>}
    </>
  );
}

function ChangedFields({ change: { Fields, MoreFields } }: { change: DiffChange }) {
  const shown = (value: string | number | boolean | null): string => (value === null ? '–' : String(value));
  return (
    <ul>
      {Fields.map(({ Field, Before, Now }) => (
        <li key={Field}>
          {Field}: <del>{shown(Before)}</del> → <ins>{shown(Now)}</ins>
        </li>
      ))}
      {MoreFields > 0 ? <li class="soft">and {MoreFields} more</li> : null}
    </ul>
  );
}
