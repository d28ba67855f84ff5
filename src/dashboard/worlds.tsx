import { useLayoutEffect, useRef } from 'hono/jsx/dom';

import { dateTime } from './format.js';
import { DEFAULT_KEY } from './keys.js';
import { PLAIN_TEXT, textsOf, useStore, Waiting } from './parts.js';
import type { WorldsResponse } from './wire.js';

/** Whose world is looked at; it leads to the others. */
export function WorldButton() {
  const store = useStore();
  return (
    <button type="button" class="world" aria-haspopup="dialog" onClick={() => store.choose(true)}>
      <span class="soft">World</span> <code>{store.seen?.World ?? '…'}</code>
      <span class="key">{store.keyring.key}</span>
    </button>
  );
}

/** Chooses a world by its key. */
export function WorldDialog() {
  const store = useStore();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const enter = (event: Event): void => {
    const { key = '', admin = '' } = textsOf(event).texts;
    store.enter(key === '' ? DEFAULT_KEY : key, admin);
  };
  return (
    <dialog ref={dialog} aria-labelledby="worlds-title" onClose={() => store.choose(false)}>
      <h2 id="worlds-title">Choose a world</h2>
      <p class="soft">Each secret key opens a world of its own. What is typed here stays in this tab.</p>
      <form onSubmit={enter}>
        <label>
          Secret key
          <input name="key" value={store.keyring.key} {...PLAIN_TEXT} />
        </label>
        <label>
          Admin token <span class="soft">where the server was started with one</span>
          <input name="admin" type="password" value={store.keyring.adminToken} autocomplete="off" />
        </label>
        {store.line === 'refused' ? (
          <p class="trouble" role="alert">
            {store.trouble}
          </p>
        ) : null}
        <div class="row">
          <button type="submit" class="main">
            Show this world
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
      <WorldList />
    </dialog>
  );
}

function WorldList() {
  const store = useStore();
  const { data, error } = store.cache.read<WorldsResponse>('/worlds');
  // Why it was refused is said above.
  if (store.line === 'refused') return null;
  if (data === null) return <Waiting error={error} />;
  if (data.Count === 0) return <p class="soft">No world is open yet. The first call with a key opens one.</p>;
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="Worlds">
      <table>
        <thead>
          <tr>
            <th scope="col">World</th>
            <th scope="col">Key</th>
            <th scope="col">Scenario</th>
            <th scope="col" class="number">
              Now
            </th>
            <th scope="col" class="number">
              Charges
            </th>
          </tr>
        </thead>
        <tbody>
          {data.Worlds.map(({ World, Scenario, Now, Counts }) => (
            <tr key={World}>
              <th scope="row">
                <code>{World}</code>
              </th>
              <td>
                <KeyOf world={World} />
              </td>
              <td>{Scenario ?? '–'}</td>
              <td class="number">{dateTime(Now)}</td>
              <td class="number">{Counts['Charges']}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {data.Count > data.Worlds.length ? <p class="soft">{data.Count} in all.</p> : null}
    </div>
  );
}

/** The key of a world where it was typed in this tab, which opens it again. */
function KeyOf({ world }: { world: string }) {
  const store = useStore();
  const key = store.keyring.keyOf(world);
  if (key === undefined) return <span class="soft">not typed here</span>;
  if (world === store.seen?.World) return <span>{key} (shown)</span>;
  return (
    <button type="button" class="link" onClick={() => store.enter(key, store.keyring.adminToken)}>
      {key}
    </button>
  );
}
