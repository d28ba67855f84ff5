import { viewHref } from '../../state/route.js';
import { store } from '../../state/store.js';
import type { DiffResponse } from '../../state/wire.js';
import { capitalise, formatQuantity, abbreviateId } from '../../text/format.js';
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

const TONES = { added: 'good', changed: 'info', removed: 'bad' } as const;

const COLUMNS: readonly Column<DiffChange>[] = [
  { name: 'Record', show: (change) => <ChangedRecord change={change} /> },
  { name: 'Change', show: ({ Change: what }) => <Mark tone={TONES[what]} text={what} /> },
  { name: 'Fields', isWrapped: true, show: (change) => <ChangedFields change={change} /> },
];

function ChangeTable({ diff: { From, Now, Counts, Changes: changes } }: { diff: DiffResponse }) {
  const total = Object.values(Counts).reduce(
    (sum, { Added, Changed, Removed }) => sum + Added + Changed + Removed,
    0,
  );
  return (
    <>
      <p class="soft">
        From {formatMoment(From)} to {formatMoment(Now)}: {formatQuantity(total, 'record')} differ
        {total === 1 ? 's' : ''}.{total > changes.length ? ` The first ${changes.length} are listed.` : ''}
      </p>
      {changes.length === 0 ? null : (
        <DataTable
          label="Changes"
          columns={COLUMNS}
          rows={changes}
          keyOf={({ Kind, Id }) => `${Kind} ${Id}`}
        />
      )}
    </>
  );
}

function ChangedRecord({ change: { Kind, Id } }: { change: DiffChange }) {
  const name = capitalise(Kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
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
