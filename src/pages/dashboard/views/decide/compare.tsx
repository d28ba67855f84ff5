import { hrefOf } from '../../state/route.js';
import { store } from '../../state/store.js';
import type { DiffResponse } from '../../state/wire.js';
import { capital, counted, dateTime, shortId } from '../../text/format.js';
import { Options } from '../../ui/fields.js';
import { Mark, WhenLoaded } from '../../ui/parts.js';
import { type Column, Table } from '../../ui/table.js';
import { KINDS } from '../records/kinds.js';
import { filterBy } from '../rows.js';

type Change = DiffResponse['Changes'][number];

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
            <Options of={names} />
          </select>
        </label>
        <label>
          With
          <select value={other} onChange={({ currentTarget }) => filterBy('With', currentTarget.value)}>
            <option value="">the world now</option>
            <Options of={names} />
          </select>
        </label>
      </div>
      {names.includes(chosen) ? (
        <WhenLoaded of={store.cache.read<DiffResponse>(path)} show={(diff) => <Changes of={diff} />} />
      ) : null}
    </section>
  );
}

const TONES = { added: 'good', changed: 'info', removed: 'bad' } as const;

const COLUMNS: readonly Column<Change>[] = [
  { name: 'Record', show: (change) => <Record of={change} /> },
  { name: 'Change', show: ({ Change: what }) => <Mark tone={TONES[what]} text={what} /> },
  { name: 'Fields', isWrapped: true, show: (change) => <FieldsOf of={change} /> },
];

function Changes({ of: { From, Now, Counts, Changes: changes } }: { of: DiffResponse }) {
  const total = Object.values(Counts).reduce(
    (sum, { Added, Changed, Removed }) => sum + Added + Changed + Removed,
    0,
  );
  return (
    <>
      <p class="soft">
        From {dateTime(From)} to {dateTime(Now)}: {counted(total, 'record')} differ
        {total === 1 ? 's' : ''}.{total > changes.length ? ` The first ${changes.length} are listed.` : ''}
      </p>
      {changes.length === 0 ? null : (
        <Table label="Changes" columns={COLUMNS} rows={changes} keyOf={({ Kind, Id }) => `${Kind} ${Id}`} />
      )}
    </>
  );
}

function Record({ of: { Kind, Id } }: { of: Change }) {
  const name = capital(Kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
  const kind = KINDS.find(({ one }) => one === name.toLowerCase());
  const id = <code title={Id}>{shortId(Id)}</code>;
  return (
    <>
      {name} {kind === undefined ? id : <a href={hrefOf(kind.view, Id)}>{id}</a>}
    </>
  );
}

function FieldsOf({ of: { Fields, MoreFields } }: { of: Change }) {
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
