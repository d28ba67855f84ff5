import { Title } from '../../ui/panel.js';
import { downloadDocument, DownloadPageButton } from '../download.js';
import { openChosenFile } from './open-file.js';

/** The files of a world that can be downloaded. */
const FILES: readonly (readonly [label: string, path: string, ending: string])[] = [
  ['Bundle', '/bundle', 'bundle.json'],
  ['State', '/state', 'state.json'],
  ['HAR', '/journal/export?Format=har', 'har'],
  ['Trace', '/journal/export?Format=trace', 'trace.json'],
];

/** The world as a file, to keep or to open elsewhere. */
export function FilesView() {
  return (
    <>
      <Title text="Files" />
      <section class="panel stack">
        <h2>The world as a file</h2>
        <p class="row">
          Download
          {FILES.map(([label, path, ending]) => (
            <button key={path} type="button" onClick={() => void downloadDocument(path, ending)}>
              {label}
            </button>
          ))}
          <DownloadPageButton />
        </p>
        <p class="soft">
          The page opens by a double click, without a server, and has stand-ins for card numbers. A bundle
          holds the state and the calls, for `playmoney open` and `playmoney replay`. State and bundle may
          contain full card numbers.
        </p>
        <p>
          <label class="row">
            Open a file…
            <input
              type="file"
              accept=".json,.har"
              onChange={({ currentTarget }) => void openChosenFile(currentTarget.files?.[0])}
            />
            <span class="soft">
              in a new world: a bundle, state, trace, journal or HAR; or drop it on the page
            </span>
          </label>
        </p>
      </section>
    </>
  );
}
