import { useState } from 'preact/hooks';

import { DEFAULT_KEY } from '../state/keyring.js';
import type { ConnectionState } from '../state/live-events.js';
import { FIRST_VIEW, viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type { WorldsResponse } from '../state/wire.js';
import { formatQuantity, formatDateTime } from '../text/format.js';
import { readForm, TextField } from '../ui/fields.js';
import { Dialog } from '../ui/dialog.js';
import { Mark } from '../ui/marks.js';
import { LoadingOrError, WhenLoaded } from '../ui/panel.js';
import { type Column, DataTable } from '../ui/table.js';

const CONNECTIONS: Readonly<Record<ConnectionState, string>> = {
  connecting: 'Connecting',
  open: 'Connected',
  lost: 'Not connected',
  refused: 'Refused',
};

export function WorldButton() {
  const seen = store.seen.value;
  const state = store.connection.value;
  const { key, world } = store.keyring;
  return (
    <button
      type="button"
      class="world"
      aria-haspopup="dialog"
      onClick={() => (store.dialog.value = 'worlds')}
    >
      <span class={`dot ${state}`} role="img" aria-label={CONNECTIONS[state]} />
      <span class="unseen">World</span>
      <b class="cut">{seen?.Name ?? (world === null ? key : 'World')}</b>
      <code class="soft">{seen?.World ?? '…'}</code>
      <span aria-hidden="true">▾</span>
    </button>
  );
}

const PAGE = 20;

export function WorldDialog() {
  const [skip, setSkip] = useState(0);
  const { keyring, connection, trouble, notice, dialog } = store;
  const close = (): void => void (dialog.value = null);
  const enter = (event: Event): void => {
    const { key = '', admin = '' } = readForm(event).texts;
    store.enterKey(key === '' ? DEFAULT_KEY : key, admin);
  };
  return (
    <Dialog title="Choose a world" closed={close} class="wide">
      <p class="soft">Each secret key has its own world. What you enter here stays in this tab.</p>
      <form class="stack" onSubmit={enter}>
        <TextField label="Secret key" name="key" first={keyring.key} />
        <TextField
          label="Admin token"
          name="admin"
          note="if the server requires one"
          isSecret
          first={keyring.adminToken}
        />
        {connection.value === 'refused' ? <LoadingOrError error={trouble.value} /> : null}
        {/* The notice of the page is behind the dialog. */}
        {notice.value?.isBad ? <LoadingOrError error={notice.value.text} /> : null}
        <div class="row">
          <button type="submit" class="main">
            Show this world
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
      {/* The error is shown above, and without access the list would be refused again and again. */}
      {connection.value === 'refused' ? null : (
        <WhenLoaded
          loaded={store.cache.read<WorldsResponse>(`/worlds?Limit=${PAGE}&Skip=${skip}`)}
          show={(worlds) => <WorldList worlds={worlds} skip={skip} goTo={setSkip} />}
        />
      )}
    </Dialog>
  );
}

type WorldRow = WorldsResponse['Worlds'][number];

const COLUMNS: readonly Column<WorldRow>[] = [
  {
    name: 'World',
    show: ({ World }) => (
      <a href={viewHref(FIRST_VIEW, null, {}, World)}>
        <code>{World}</code>
      </a>
    ),
  },
  { name: 'Key', show: ({ World, Key }) => <WorldKey world={World} listed={Key} /> },
  { name: 'Name', show: ({ Name }) => Name ?? '' },
  { name: 'Scenario', show: ({ Scenario }) => Scenario ?? '' },
  { name: 'Now', isNumber: true, show: ({ Now }) => formatDateTime(Now) },
  { name: 'Charges', isNumber: true, show: ({ Counts }) => Counts['Charges'] },
  { name: 'Calls', isNumber: true, show: ({ Counts }) => Counts['JournalEntries'] },
  { name: 'State', show: ({ Awake }) => (Awake ? '' : <Mark tone="idle" text="asleep" />) },
];

interface WorldListProps {
  readonly worlds: WorldsResponse;
  readonly skip: number;
  readonly goTo: (skip: number) => void;
}

function WorldList({ worlds: { Count, Awake, Worlds, Unreadable }, skip, goTo }: WorldListProps) {
  if (Count === 0) return <p class="soft">No world is open yet. The first call with a key opens one.</p>;
  return (
    <>
      <DataTable label="Worlds" columns={COLUMNS} rows={Worlds} keyOf={({ World }) => World} />
      {Unreadable.map(({ World, Problem }) => (
        <p key={World} class="bad">
          <code>{World}</code> {Problem}
        </p>
      ))}
      <p class="row soft">
        {formatQuantity(Count, 'world')}, {Awake.toLocaleString('en-GB')} in memory.
        {skip > 0 ? (
          <button type="button" class="plain" onClick={() => goTo(Math.max(0, skip - PAGE))}>
            Previous
          </button>
        ) : null}
        {skip + PAGE < Count ? (
          <button type="button" class="plain" onClick={() => goTo(skip + PAGE)}>
            Next
          </button>
        ) : null}
      </p>
    </>
  );
}

function WorldKey({ world, listed }: { world: string; listed: string | null }) {
  const key = listed ?? store.keyring.keyOf(world);
  const isShown = world === store.seen.value?.World;
  if (key === undefined) return <span class="soft">key not known here{isShown ? ' (shown)' : ''}</span>;
  if (isShown) return <span>{key} (shown)</span>;
  return (
    <button type="button" class="plain" onClick={() => store.enterKey(key, store.keyring.adminToken)}>
      {key}
    </button>
  );
}
