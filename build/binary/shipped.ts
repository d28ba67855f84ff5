import { getAsset } from 'node:sea';

/** In place of `src/node/machine/shipped.ts`: the files are in the executable itself. */

const files = JSON.parse(getAsset('scenarios', 'utf8')) as Readonly<Record<string, string>>;

export const readTexts = (): string => getAsset('texts', 'utf8');

export const readBrowserProgram = (): Promise<string> => Promise.resolve(getAsset('browser', 'utf8'));

export const scenarioFiles = (): Promise<string[]> => Promise.resolve(Object.keys(files));

export const readScenarioFile = (file: string): Promise<string> => Promise.resolve(files[file] ?? '');

/** Node runs no file of an executable on a thread, but it does run an address that contains its program. */
export const deliverWorker = (): URL =>
  new URL(`data:text/javascript;base64,${Buffer.from(getAsset('worker')).toString('base64')}`);
