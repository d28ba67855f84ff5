import { store } from '../../state/store.js';
import type { SnapshotsResponse } from '../../state/wire.js';
import { formatQuantity, formatDateTime } from '../../text/format.js';
import { formatMoment } from '../../text/when.js';
import { readForm, TextField } from '../../ui/fields.js';
import { EmptyPanel, Title, WhenLoaded } from '../../ui/panel.js';
import { type Column, DataTable } from '../../ui/table.js';
import { Compare } from './compare.js';
import { CallButton } from '../rows.js';

type Snapshot = SnapshotsResponse['Snapshots'][number];

export function SnapshotsView() {
  return (
    <>
      <Title text="Snapshots" />
      <SaveForm />
      <WhenLoaded
        loaded={store.cache.read<SnapshotsResponse>('/snapshots')}
        show={({ Snapshots }) => (
          <>
            <SnapshotTable snapshots={Snapshots} />
            {Snapshots.length === 0 ? null : <Compare names={Snapshots.map(({ Name }) => Name)} />}
          </>
        )}
      />
      <ResetPanel />
    </>
  );
}

function SaveForm() {
  const save = async (event: Event): Promise<void> => {
    const { form, texts } = readForm(event);
    const { name = '' } = texts;
    if (name.startsWith('.')) {
      store.notify(`${name} begins with a dot, so the list would not have it. Choose another name.`, true);
      return;
    }
    if ((await store.callAndNotify('PUT', snapshotPath(name), {}, `Saved as ${name}.`)) !== null)
      form.reset();
  };
  return (
    <form class="panel fields" onSubmit={(event) => void save(event)}>
      <TextField label="Name" name="name" hint="before-refund" isRequired />
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
  { name: 'At', isNumber: true, show: ({ At }) => formatDateTime(At) },
  {
    name: 'Holds',
    show: ({ Counts: { Charges = 0, Customers = 0 } }) =>
      `${formatQuantity(Charges, 'charge')}, ${formatQuantity(Customers, 'customer')}`,
  },
  { name: 'Do', show: (snapshot) => <SnapshotActions snapshot={snapshot} /> },
];

function SnapshotTable({ snapshots }: { snapshots: readonly Snapshot[] }) {
  if (snapshots.length > 0)
    return <DataTable label="Snapshots" columns={COLUMNS} rows={snapshots} keyOf={({ Name }) => Name} />;
  return (
    <EmptyPanel title="No snapshots yet.">
      <p>
        Save one above. It holds the data, clock, random state, jobs and queues. Restoring it does not change
        the journal.
      </p>
    </EmptyPanel>
  );
}

function SnapshotActions({ snapshot: { Name, At } }: { snapshot: Snapshot }) {
  return (
    <span class="row">
      <CallButton
        method="POST"
        path={`${snapshotPath(Name)}/restore`}
        body={{}}
        done={`World restored to ${formatMoment(At)}.`}
        label={`Restore ${Name}`}
        canUndo
        ask={{
          question: `Restore ${Name}?`,
          consequence: `This sets the world back to ${formatMoment(At)}. The notice that follows has a button that undoes it.`,
          confirm: 'Restore',
        }}
      >
        Restore
      </CallButton>
      <CallButton
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
      </CallButton>
    </span>
  );
}

function ResetPanel() {
  return (
    <section class="panel stack">
      <h2>Reset</h2>
      <p>
        Deletes all records, the journal and the snapshots, then loads the seed data of the scenario again.
      </p>
      <p>
        <CallButton
          method="POST"
          path="/reset"
          body={{}}
          done="World reset."
          kind="danger"
          canUndo
          ask={{
            question: 'Reset the world?',
            consequence:
              'This deletes everything in this world, including its snapshots. Undo brings the records back, but not the journal and the snapshots.',
            confirm: 'Reset',
          }}
        >
          Reset the world
        </CallButton>
      </p>
    </section>
  );
}
