import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

import { PROGRAM_FOLDER } from './places.js';

/** The files that come with the program. The single executable contains them: its build puts `build/binary/shipped.ts` in place of this module. */

const PACKAGE = new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../', PROGRAM_FOLDER);
const SCENARIOS = new URL('scenarios/', PACKAGE);

export const readTexts = (): string => readFileSync(new URL('dist/texts.json', PACKAGE), 'utf8');

/** The names of the files in `scenarios/`. */
export const scenarioFiles = (): Promise<string[]> => readdir(SCENARIOS);

export const readScenarioFile = (file: string): Promise<string> => readFile(new URL(file, SCENARIOS), 'utf8');

/** The program of the delivery thread. Its file does not exist in the sources, or in programs that bundle this one. */
export const deliverWorker = (): URL => new URL('chunks/deliver-worker.js', PROGRAM_FOLDER);
