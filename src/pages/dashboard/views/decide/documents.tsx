import { explainFailure, sendControlCall } from '../../state/api.js';
import { store } from '../../state/store.js';
import { saveFile } from '../../ui/save.js';
import { openFile } from './open-file.js';

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

/** The world as a file, to keep or to open elsewhere. */
export function Documents() {
  return (
    <section class="panel stack">
      <h2>Files</h2>
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
      <p>
        <label class="row">
          Open a file…
          <input
            type="file"
            accept=".json,.har"
            onChange={({ currentTarget }) => void openFile(currentTarget.files?.[0])}
          />
          <span class="soft">
            in a new world: a bundle, state, trace, journal or HAR; or drop it on the page
          </span>
        </label>
      </p>
    </section>
  );
}
