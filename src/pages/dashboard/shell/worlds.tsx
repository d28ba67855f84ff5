import { useRef } from 'hono/jsx/dom';

import type { Column } from '../ui/columns.js';
import { counted, dateTime } from '../text/format.js';
import { DEFAULT_KEY } from '../state/keys.js';
import { Table } from '../ui/lists.js';
import { Dialog, PLAIN_TEXT, WhenLoaded, readForm, useStore, Waiting } from '../ui/parts.js';
import { hrefOf } from '../state/route.js';
import type { WorldsResponse } from '../state/wire.js';

export const WORLDS = '/worlds';

export function WorldButton() {
  const store = useStore();
  return (
    <button
      type="button"
      class="world row"
      aria-haspopup="dialog"
      onClick={() => store.showWorldDialog(true)}
    >
      <span class="soft">World</span> <code>{store.seen?.World ?? '…'}</code>
      <span class="key cut">{store.keyring.world === null ? store.keyring.key : ''}</span>
    </button>
  );
}

export function WorldDialog() {
  const store = useStore();
  const enter = (event: Event): void => {
    const { key = '', admin = '' } = readForm(event).texts;
    store.enter(key === '' ? DEFAULT_KEY : key, admin);
  };
  return (
    <Dialog title="Choose a world" closed={() => store.showWorldDialog(false)}>
      <p class="soft">Each secret key has its own world. What you enter here stays in this tab.</p>
      <form class="stack" onSubmit={enter}>
        <label>
          Secret key
          <input name="key" value={store.keyring.key} {...PLAIN_TEXT} />
        </label>
        <label>
          Admin token <span class="soft">if the server requires one</span>
          <input name="admin" type="password" value={store.keyring.adminToken} autocomplete="off" />
        </label>
        {store.connection === 'refused' ? <Waiting error={store.trouble} /> : null}
        {/* The notice of the page is behind the dialog. */}
        {store.notice?.isBad ? <Waiting error={store.notice.text} /> : null}
        <div class="row">
          <button type="submit" class="main">
            Show this world
          </button>
          <button type="button" onClick={() => store.showWorldDialog(false)}>
            Cancel
          </button>
        </div>
      </form>
      {/* The error is shown above. */}
      {store.connection === 'refused' ? null : (
        <WhenLoaded
          of={store.cache.read<WorldsResponse>(WORLDS)}
          show={(worlds) => <WorldList of={worlds} />}
        />
      )}
    </Dialog>
  );
}

const COLUMNS: readonly Column<WorldsResponse['Worlds'][number]>[] = [
  { name: 'World', show: ({ World }) => <WorldLink world={World} /> },
  { name: 'Key', show: ({ World }) => <KeyOf world={World} /> },
  { name: 'Name', show: ({ Name }) => Name ?? '–' },
  { name: 'Scenario', show: ({ Scenario }) => Scenario ?? '–' },
  { name: 'Now', isNumber: true, show: ({ Now }) => dateTime(Now) },
  { name: 'Charges', isNumber: true, needsName: true, show: ({ Counts }) => Counts['Charges'] },
  { name: 'Calls', isNumber: true, needsName: true, show: ({ Counts }) => Counts['JournalEntries'] },
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

function WorldLink({ world }: { world: string }) {
  return (
    <a href={hrefOf('live', null, {}, world)}>
      <code>{world}</code>
    </a>
  );
}

const NAMED_MAX = 3;

/** The other worlds that have calls, the one with most calls first. It does not change while the list below is frozen. */
export function OtherWorlds({ isFrozen }: { isFrozen: boolean }) {
  const store = useStore();
  // Without access the list is refused, which opens the dialog again and again.
  const loaded = store.seen === null ? null : store.cache.read<WorldsResponse>(WORLDS, 'fixed');
  const shown = useRef(loaded);
  if (!isFrozen) shown.current = loaded;
  const data = shown.current?.data;
  const callsOf = ({ Counts }: WorldsResponse['Worlds'][number]): number => Counts['JournalEntries'] ?? 0;
  const others = (data?.Worlds ?? [])
    .filter((world) => world.World !== store.seen?.World && callsOf(world) > 0)
    .toSorted((a, b) => callsOf(b) - callsOf(a));
  if (store.seen === null || others.length === 0) return null;
  return (
    <p class="row others">
      <span class="soft">Other worlds with calls:</span>
      {others.slice(0, NAMED_MAX).map((world) => (
        <span key={world.World}>
          <WorldLink world={world.World} /> <span class="soft">({counted(callsOf(world), 'call')})</span>
        </span>
      ))}
      {others.length > NAMED_MAX ? (
        <button type="button" class="link" onClick={() => store.showWorldDialog(true)}>
          {others.length - NAMED_MAX} more
        </button>
      ) : null}
    </p>
  );
}

function KeyOf({ world }: { world: string }) {
  const store = useStore();
  const key = store.keyring.keyOf(world);
  const isShown = world === store.seen?.World;
  if (key === undefined) return <span class="soft">not entered in this tab{isShown ? ' (shown)' : ''}</span>;
  if (isShown) return <span>{key} (shown)</span>;
  return (
    <button type="button" class="link" onClick={() => store.enter(key, store.keyring.adminToken)}>
      {key}
    </button>
  );
}
