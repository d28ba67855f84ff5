import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom';

import { counted, dateTime } from './format.js';
import { Empty, PLAIN_TEXT, textsOf, Title, useStore, Waiting } from './parts.js';
import type { Counts, SnapshotsResponse } from './wire.js';

/** Saving the world, going back to what was saved, and beginning anew. */
export function SnapshotsView() {
  const { cache } = useStore();
  const { data, error } = cache.read<SnapshotsResponse>('/snapshots');
  return (
    <>
      <Title text="Snapshots" />
      <SaveForm />
      {data === null ? <Waiting error={error} /> : <List shelf={data} />}
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
    <form class="panel inline" onSubmit={(event: Event) => void save(event)}>
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
    <ul class="choices">
      {shelf.Snapshots.map((saved) => (
        <Line key={saved.Name} saved={saved} />
      ))}
    </ul>
  );
}

function Line({ saved }: { saved: SnapshotsResponse['Snapshots'][number] }) {
  const store = useStore();
  const { Name, At, Counts: counts } = saved;
  const remove = (): void => {
    void store.act('DELETE', pathOf(Name), undefined, () => `${Name} is deleted.`);
  };
  const restore = (): void => {
    void store.act('POST', `${pathOf(Name)}/restore`, {}, () => `The world is as it was at ${dateTime(At)}.`);
  };
  return (
    <li>
      <div>
        <p class="strong">{Name}</p>
        <p class="soft">
          {dateTime(At)}, {counted(counts['Charges'] ?? 0, 'charge')},{' '}
          {counted(counts['Customers'] ?? 0, 'customer')}
        </p>
      </div>
      <div class="row">
        <button type="button" aria-label={`Restore ${Name}`} onClick={restore}>
          Restore
        </button>
        <button type="button" aria-label={`Delete ${Name}`} onClick={remove}>
          Delete
        </button>
      </div>
    </li>
  );
}

function Reset() {
  const store = useStore();
  const [isAsking, setAsking] = useState(false);
  const reset = (): void => {
    setAsking(false);
    void store.act('POST', '/reset', {}, () => 'The world is fresh.');
  };
  return (
    <section class="panel">
      <h2>Reset</h2>
      <p>Begins the world anew, with the seed data of its scenario. Records, journal and snapshots go.</p>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Reset the world…
      </button>
      {isAsking ? (
        <Confirm counts={store.seen?.Counts ?? {}} yes={reset} no={() => setAsking(false)} />
      ) : null}
    </section>
  );
}

function Confirm({ counts, yes, no }: { counts: Counts; yes: () => void; no: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const lost = [
    counted(counts['Charges'] ?? 0, 'charge'),
    counted(counts['Customers'] ?? 0, 'customer'),
    counted(counts['Batches'] ?? 0, 'batch', 'batches'),
  ];
  return (
    <dialog ref={dialog} aria-labelledby="reset-title" onClose={no}>
      <h2 id="reset-title">Reset the world?</h2>
      <p>{lost.join(', ')} and all else in it will be gone. A snapshot does not outlive it.</p>
      <div class="row">
        <button type="button" class="danger" onClick={yes}>
          Reset
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Keep it
        </button>
      </div>
    </dialog>
  );
}
