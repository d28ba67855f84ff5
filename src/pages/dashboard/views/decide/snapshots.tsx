import { store } from '../../state/store.js';
import type { SnapshotsResponse } from '../../state/wire.js';
import { counted, dateTime } from '../../text/format.js';
import { readForm, Text } from '../../ui/fields.js';
import { Empty, Title, WhenLoaded } from '../../ui/parts.js';
import { type Column, Table } from '../../ui/table.js';
import { Compare } from './compare.js';
import { Documents } from './documents.js';
import { Act } from '../rows.js';

type Snapshot = SnapshotsResponse['Snapshots'][number];

export function SnapshotsView() {
  return (
    <>
      <Title text="Snapshots" />
      <SaveForm />
      <WhenLoaded
        of={store.cache.read<SnapshotsResponse>('/snapshots')}
        show={({ Snapshots }) => (
          <>
            <Shelf of={Snapshots} />
            {Snapshots.length === 0 ? null : <Compare names={Snapshots.map(({ Name }) => Name)} />}
          </>
        )}
      />
      <Documents />
      <Reset />
    </>
  );
}

function SaveForm() {
  const save = async (event: Event): Promise<void> => {
    const { form, texts } = readForm(event);
    const { name = '' } = texts;
    if ((await store.act('PUT', snapshotPath(name), {}, `Saved as ${name}.`)) !== null) form.reset();
  };
  return (
    <form class="panel fields" onSubmit={(event) => void save(event)}>
      <Text label="Name" name="name" hint="before-refund" isRequired />
      <button type="submit" class="main">
        Save snapshot
      </button>
    </form>
  );
}

function snapshotPath(name: string): string {
  return `/snapshots/${encodeURIComponent(name)}`;
}

const COLUMNS: readonly Column<Snapshot>[] = [
  { name: 'Name', show: ({ Name }) => <b>{Name}</b> },
  { name: 'At', isNumber: true, show: ({ At }) => dateTime(At) },
  {
    name: 'Holds',
    show: ({ Counts: { Charges = 0, Customers = 0 } }) =>
      `${counted(Charges, 'charge')}, ${counted(Customers, 'customer')}`,
  },
  { name: 'Do', show: (snapshot) => <Actions of={snapshot} /> },
];

function Shelf({ of }: { of: readonly Snapshot[] }) {
  if (of.length > 0)
    return <Table label="Snapshots" columns={COLUMNS} rows={of} keyOf={({ Name }) => Name} />;
  return (
    <Empty title="No snapshots yet.">
      <p>
        Save one above. It holds the data, clock, random state, jobs and queues. Restoring it does not change
        the journal.
      </p>
    </Empty>
  );
}

function Actions({ of: { Name, At } }: { of: Snapshot }) {
  return (
    <span class="row">
      <Act
        method="POST"
        path={`${snapshotPath(Name)}/restore`}
        body={{}}
        done={`World restored to ${dateTime(At)}.`}
        label={`Restore ${Name}`}
        ask={{
          question: `Restore ${Name}?`,
          consequence: `This sets the world back to ${dateTime(At)}. Everything that happened since is lost, unless you save a snapshot first.`,
          confirm: 'Restore',
        }}
      >
        Restore
      </Act>
      <Act
        method="DELETE"
        path={snapshotPath(Name)}
        done={`Deleted ${Name}.`}
        label={`Delete ${Name}`}
        ask={{
          question: `Delete ${Name}?`,
          consequence: 'This deletes the snapshot. The world itself is unchanged.',
          confirm: 'Delete',
        }}
      >
        Delete
      </Act>
    </span>
  );
}

function Reset() {
  return (
    <section class="panel stack">
      <h2>Reset</h2>
      <p>
        Deletes all records, the journal and the snapshots, then loads the seed data of the scenario again.
      </p>
      <p>
        <Act
          method="POST"
          path="/reset"
          body={{}}
          done="World reset."
          kind="danger"
          ask={{
            question: 'Reset the world?',
            consequence: 'This deletes everything in this world, including its snapshots.',
            confirm: 'Reset',
          }}
        >
          Reset the world
        </Act>
      </p>
    </section>
  );
}
