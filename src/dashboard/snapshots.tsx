import { useState } from 'hono/jsx/dom';

import { counted, dateTime } from './format.js';
import { Act, Choice, Dialog, Empty, PLAIN_TEXT, Reading, textsOf, Title, useStore } from './parts.js';
import type { SnapshotsResponse } from './wire.js';

/** Saving the world, going back to what was saved, and beginning anew. */
export function SnapshotsView() {
  const { cache } = useStore();
  return (
    <>
      <Title text="Snapshots" />
      <SaveForm />
      <Reading of={cache.read<SnapshotsResponse>('/snapshots')} show={(shelf) => <List shelf={shelf} />} />
      <Reset />
    </>
  );
}

function SaveForm() {
  const store = useStore();
  const save = async (event: Event): Promise<void> => {
    const { form, texts } = textsOf(event);
    const { name = '' } = texts;
    const isSaved = await store.act('PUT', pathOf(name), {}, () => `Saved as ${name}.`);
    if (isSaved) form.reset();
  };
  return (
    <form class="panel stack" onSubmit={(event: Event) => void save(event)}>
      <label>
        Name
        <input name="name" required maxlength={64} placeholder="before-refund" {...PLAIN_TEXT} />
      </label>
      <button type="submit" class="main">
        Save the world
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
      <Empty title="No snapshot yet.">
        <p>One holds data, clock, randomness, jobs and queues. The journal goes on when it is restored.</p>
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
          <Act
            method="POST"
            path={`${pathOf(Name)}/restore`}
            body={{}}
            done={`The world is as it was at ${dateTime(At)}.`}
            label={`Restore ${Name}`}
          >
            Restore
          </Act>
          <Act method="DELETE" path={pathOf(Name)} done={`${Name} is deleted.`} label={`Delete ${Name}`}>
            Delete
          </Act>
        </Choice>
      ))}
    </ul>
  );
}

function Reset() {
  const store = useStore();
  const [isAsking, setAsking] = useState(false);
  const reset = (): void => {
    setAsking(false);
    void store.act('POST', '/reset', {}, () => 'The world is fresh.');
  };
  const { Charges = 0, Customers = 0, Batches = 0 } = store.seen?.Counts ?? {};
  const lost = [
    counted(Charges, 'charge'),
    counted(Customers, 'customer'),
    counted(Batches, 'batch', 'batches'),
  ];
  return (
    <section class="panel stack">
      <h2>Reset</h2>
      <p>Begins the world anew, with the seed data of its scenario. Records, journal and snapshots go.</p>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Reset the world…
      </button>
      {isAsking ? (
        <Dialog title="Reset the world?" closed={() => setAsking(false)}>
          <p>{lost.join(', ')} and all else in it will be gone. A snapshot does not outlive it.</p>
          <form method="dialog" class="row">
            <button type="button" class="danger" onClick={reset}>
              Reset
            </button>
            <button>Keep it</button>
          </form>
        </Dialog>
      ) : null}
    </section>
  );
}
