import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { PROGRAM_FOLDER } from './program-folder.js';

/** The files that come with the program. The single executable contains them: its build puts `build/binary/shipped.ts` in place of this module. */

const BESIDE = new URL(PROGRAM_FOLDER.endsWith('/src/node/machine/') ? '../../../' : '../', PROGRAM_FOLDER);

/** A file or folder of the package. A bundler takes the code away from them; then they are where the package is installed. */
function shipped(path: string): URL {
  const beside = new URL(path, BESIDE);
  if (existsSync(beside)) return beside;
  try {
    const found = createRequire(join(process.cwd(), 'here')).resolve('playmoney/package.json');
    return new URL(path, pathToFileURL(found));
  } catch {
    const advice =
      'Leave playmoney out of the bundle, with esbuild by --external:playmoney, or install it where the bundle runs';
    throw new Error(`The files of playmoney are not beside its code. ${advice}.`);
  }
}

export const readTexts = (): string => readFileSync(shipped('dist/texts.json'), 'utf8');

export const readBrowserProgram = async (): Promise<string> => readFile(shipped('dist/browser.js'), 'utf8');

/** The names of the files in `scenarios/`. */
export const scenarioFiles = async (): Promise<string[]> => readdir(shipped('scenarios/'));

export const readScenarioFile = async (file: string): Promise<string> =>
  readFile(shipped(`scenarios/${file}`), 'utf8');

/** The program of the delivery thread. Its file does not exist in the sources, or in programs that bundle this one. */
export const deliverWorker = (): URL => new URL('chunks/deliver-worker.js', PROGRAM_FOLDER);
