import { counted, dateTime } from '../text/format.js';
import { ConfirmedAct } from '../ui/confirm.js';
import { Choice, Empty, PLAIN_TEXT, WhenLoaded, readForm, Title, useStore } from '../ui/parts.js';
import type { SnapshotsResponse } from '../state/wire.js';

export function SnapshotsView() {
  const { cache } = useStore();
  return (
    <>
      <Title text="Snapshots" />
      <SaveForm />
      <WhenLoaded of={cache.read<SnapshotsResponse>('/snapshots')} show={(shelf) => <List shelf={shelf} />} />
      <Reset />
    </>
  );
}

function SaveForm() {
  const store = useStore();
  const save = async (event: Event): Promise<void> => {
    const { form, texts } = readForm(event);
    const { name = '' } = texts;
    const isSaved = await store.act('PUT', pathOf(name), {}, `Saved as ${name}.`);
    if (isSaved) form.reset();
  };
  return (
    <form class="panel stack" onSubmit={(event: Event) => void save(event)}>
      <label>
        Name
        <input name="name" required maxlength={64} placeholder="before-refund" {...PLAIN_TEXT} />
      </label>
      <button type="submit" class="main">
        Save snapshot
      </button>
    </form>
  );
}

function pathOf(name: string): string {
  return `/snapshots/${encodeURIComponent(name)}`;
}

function List({ shelf }: { shelf: SnapshotsResponse }) {
  if (shelf.Snapshots.length === 0) {
    return (
      <Empty title="No snapshots yet.">
        <p>
          Save one above. It holds the data, clock, random state, jobs and queues. Restoring it does not
          change the journal.
        </p>
      </Empty>
    );
  }
  return (
    <ul class="list">
      {shelf.Snapshots.map(({ Name, At, Counts: { Charges = 0, Customers = 0 } }) => (
        <Choice
          key={Name}
          title={Name}
          about={[dateTime(At), counted(Charges, 'charge'), counted(Customers, 'customer')].join(', ')}
        >
          <ConfirmedAct
            method="POST"
            path={`${pathOf(Name)}/restore`}
            body={{}}
            done={`World restored to ${dateTime(At)}.`}
            label={`Restore ${Name}`}
            question={`Restore ${Name}?`}
            consequence={`This sets the world back to ${dateTime(At)}. Everything that happened since is lost, unless you save a snapshot first.`}
            confirm="Restore"
          >
            Restore
          </ConfirmedAct>
          <ConfirmedAct
            method="DELETE"
            path={pathOf(Name)}
            done={`Deleted ${Name}.`}
            label={`Delete ${Name}`}
            question={`Delete ${Name}?`}
            consequence="This deletes the snapshot. The world itself is unchanged."
            confirm="Delete"
          >
            Delete
          </ConfirmedAct>
        </Choice>
      ))}
    </ul>
  );
}

function Reset() {
  const store = useStore();
  const { Charges = 0, Customers = 0, Batches = 0 } = store.seen?.Counts ?? {};
  const lost = [
    counted(Charges, 'charge'),
    counted(Customers, 'customer'),
    counted(Batches, 'batch', 'batches'),
  ];
  return (
    <section class="panel stack">
      <h2>Reset</h2>
      <p>
        Deletes all records, the journal and the snapshots, then loads the seed data of the scenario again.
      </p>
      <div>
        <ConfirmedAct
          method="POST"
          path="/reset"
          body={{}}
          done="World reset."
          kind="danger"
          question="Reset the world?"
          consequence={`This deletes ${lost.join(', ')} and everything else in this world, including its snapshots.`}
          confirm="Reset"
        >
          Reset the world
        </ConfirmedAct>
      </div>
    </section>
  );
}
