import { useState } from 'preact/hooks';

import { explainFailure, sendControlCall } from '../../state/api.js';
import { store } from '../../state/store.js';
import { readField, readTextAt } from '../../state/wire.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Title } from '../../ui/panel.js';
import { saveFile } from '../../ui/save.js';

/** The files of a world that can be downloaded. */
const FILES: readonly (readonly [label: string, path: string, ending: string])[] = [
  ['Bundle', '/bundle', 'bundle.json'],
  ['State', '/state', 'state.json'],
  ['HAR', '/journal/export?Format=har', 'har'],
  ['Trace', '/journal/export?Format=trace', 'trace.json'],
];

export async function downloadDocument(path: string, ending: string): Promise<void> {
  try {
    const response = await sendControlCall(store.access, 'GET', path);
    saveFile(`${store.seen.peek()?.World ?? 'world'}.${ending}`, await response.blob());
  } catch (error) {
    store.notify(explainFailure(error), true);
  }
}

export function FilesView() {
  return (
    <>
      <Title text="Files" />
      <Documents />
    </>
  );
}

/** The world as a file, to keep or to open elsewhere. */
function Documents() {
  const [opened, setOpened] = useState<{ name: string; state: object } | null>(null);
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const state = readStateDocument(await file.text());
    if (state === null) store.notify(`${file.name} is neither a state nor a bundle.`, true);
    else setOpened({ name: file.name, state });
  };
  return (
    <section class="panel stack">
      <h2>The world as a file</h2>
      <p class="row">
        Download
        {FILES.map(([label, path, ending]) => (
          <button key={path} type="button" onClick={() => void downloadDocument(path, ending)}>
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
          <ConfirmButton
            question={`Replace the world by ${opened.name}?`}
            consequence="All records of this world are lost, unless you save a snapshot first. Its journal stays."
            confirm="Replace"
            run={() => void store.callAndNotify('PUT', '/state', opened.state, `${opened.name} is open.`)}
          >
            Open {opened.name}
          </ConfirmButton>
        )}
      </p>
    </section>
  );
}

/** The state in a file: the whole of it, or a part of a bundle. */
function readStateDocument(text: string): object | null {
  try {
    const document = JSON.parse(text) as object;
    const format = readTextAt(document, 'Format');
    if (format === 'playmoney-state') return document;
    const state = readField(document, 'State');
    return format === 'playmoney-bundle' && typeof state === 'object' ? state : null;
  } catch {
    return null;
  }
}
