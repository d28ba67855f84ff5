import type { Column } from './columns.js';
import { dateTime } from './format.js';
import { DEFAULT_KEY } from './keys.js';
import { Table } from './lists.js';
import { Dialog, PLAIN_TEXT, Reading, textsOf, useStore, Waiting } from './parts.js';
import type { WorldsResponse } from './wire.js';

/** Shows the current world, and opens the dialog that chooses another. */
export function WorldButton() {
  const store = useStore();
  return (
    <button type="button" class="world row" aria-haspopup="dialog" onClick={() => store.choose(true)}>
      <span class="soft">World</span> <code>{store.seen?.World ?? '…'}</code>
      <span class="key cut">{store.keyring.key}</span>
    </button>
  );
}

/** Chooses a world by its key. */
export function WorldDialog() {
  const store = useStore();
  const enter = (event: Event): void => {
    const { key = '', admin = '' } = textsOf(event).texts;
    store.enter(key === '' ? DEFAULT_KEY : key, admin);
  };
  return (
    <Dialog title="Choose a world" closed={() => store.choose(false)}>
      <p class="soft">Each secret key opens its own world. What you enter here stays in this tab.</p>
      <form class="stack" onSubmit={enter}>
        <label>
          Secret key
          <input name="key" value={store.keyring.key} {...PLAIN_TEXT} />
        </label>
        <label>
          Admin token <span class="soft">if the server requires one</span>
          <input name="admin" type="password" value={store.keyring.adminToken} autocomplete="off" />
        </label>
        {store.line === 'refused' ? <Waiting error={store.trouble} /> : null}
        <div class="row">
          <button type="submit" class="main">
            Show this world
          </button>
          <button type="button" onClick={() => store.choose(false)}>
            Cancel
          </button>
        </div>
      </form>
      {/* The error is shown above. */}
      {store.line === 'refused' ? null : (
        <Reading
          of={store.cache.read<WorldsResponse>('/worlds')}
          show={(worlds) => <WorldList of={worlds} />}
        />
      )}
    </Dialog>
  );
}

const COLUMNS: readonly Column<WorldsResponse['Worlds'][number]>[] = [
  { name: 'World', show: ({ World }) => <code>{World}</code> },
  { name: 'Key', show: ({ World }) => <KeyOf world={World} /> },
  { name: 'Scenario', show: ({ Scenario }) => Scenario ?? '–' },
  { name: 'Now', isNumber: true, show: ({ Now }) => dateTime(Now) },
  { name: 'Charges', isNumber: true, needsName: true, show: ({ Counts }) => Counts['Charges'] },
];

function WorldList({ of: { Count, Worlds } }: { of: WorldsResponse }) {
  if (Count === 0) return <p class="soft">No world is open yet. The first call with a key opens one.</p>;
  return (
    <>
      <Table label="Worlds" columns={COLUMNS} rows={Worlds} keyOf={({ World }) => World} />
      {Count > Worlds.length ? (
        <p class="soft">
          The first {Worlds.length} of {Count} worlds.
        </p>
      ) : null}
    </>
  );
}

/** The key of a world, if it was entered in this tab. Opens that world. */
function KeyOf({ world }: { world: string }) {
  const store = useStore();
  const key = store.keyring.keyOf(world);
  if (key === undefined) return <span class="soft">not entered in this tab</span>;
  if (world === store.seen?.World) return <span>{key} (shown)</span>;
  return (
    <button type="button" class="link" onClick={() => store.enter(key, store.keyring.adminToken)}>
      {key}
    </button>
  );
}
