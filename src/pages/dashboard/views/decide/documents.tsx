import { useState } from 'preact/hooks';

import { explainFailure, send } from '../../state/api.js';
import { store } from '../../state/store.js';
import { fieldOf, textOf } from '../../state/wire.js';
import { Asked } from '../../ui/dialog.js';
import { save } from '../../ui/save.js';

/** What can be downloaded. */
const FILES: readonly (readonly [label: string, path: string, ending: string])[] = [
  ['Bundle', '/bundle', 'bundle.json'],
  ['State', '/state', 'state.json'],
  ['HAR', '/journal/export?Format=har', 'har'],
  ['Trace', '/journal/export?Format=trace', 'trace.json'],
];

export async function download(path: string, ending: string): Promise<void> {
  try {
    const response = await send(store.access, 'GET', path);
    save(`${store.seen.peek()?.World ?? 'world'}.${ending}`, await response.blob());
  } catch (error) {
    store.notify(explainFailure(error), true);
  }
}

/** The world as a file, to keep or to open elsewhere. */
export function Documents() {
  const [opened, setOpened] = useState<{ name: string; state: object } | null>(null);
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const state = stateIn(await file.text());
    if (state === null) store.notify(`${file.name} is neither a state nor a bundle.`, true);
    else setOpened({ name: file.name, state });
  };
  return (
    <section class="panel stack">
      <h2>Files</h2>
      <p class="row">
        Download
        {FILES.map(([label, path, ending]) => (
          <button key={path} type="button" onClick={() => void download(path, ending)}>
            {label}
          </button>
        ))}
      </p>
      <p class="soft">
        A bundle holds the state and the calls, for `playmoney open` and `playmoney replay`. State and bundle
        may contain full card numbers.
      </p>
      <p class="row">
        <label class="row">
          Open a state or a bundle
          <input
            type="file"
            accept=".json"
            onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
          />
        </label>
        {opened === null ? null : (
          <Asked
            question={`Replace the world by ${opened.name}?`}
            consequence="All records of this world are lost, unless you save a snapshot first. Its journal stays."
            confirm="Replace"
            run={() => void store.act('PUT', '/state', opened.state, `${opened.name} is open.`)}
          >
            Open {opened.name}
          </Asked>
        )}
      </p>
    </section>
  );
}

/** The state in a file: the whole of it, or a part of a bundle. */
function stateIn(text: string): object | null {
  try {
    const document = JSON.parse(text) as object;
    const format = textOf(document, 'Format');
    if (format === 'playmoney-state') return document;
    const state = fieldOf(document, 'State');
    return format === 'playmoney-bundle' && typeof state === 'object' ? state : null;
  } catch {
    return null;
  }
}
