import { homeInPage } from '../../home.js';
import { explainFailure, sendControlCall } from '../state/api.js';
import { store } from '../state/store.js';
import { saveFile } from '../ui/save.js';

export async function downloadDocument(path: string, ending: string): Promise<void> {
  try {
    const response = await sendControlCall(store.access, 'GET', path);
    saveFile(`${store.seen.peek()?.World ?? 'world'}.${ending}`, await response.blob());
  } catch (error) {
    store.notify(explainFailure(error), true);
  }
}

/** Saves the world and the dashboard for a colleague, who needs nothing but a browser. */
export const downloadPage = (): Promise<void> => downloadDocument('/bundle?Format=html', 'html');

/** A page that is a file has no server that could make another. */
export const canDownloadPage = (): boolean => homeInPage() === undefined;

export function DownloadPageButton() {
  if (!canDownloadPage()) return null;
  return (
    <button type="button" onClick={() => void downloadPage()}>
      Download as page
    </button>
  );
}
