import { readFile, stat } from 'node:fs/promises';

import { TRACE_FORMAT, TRACE_VERSION } from '../../control/journal/export.js';
import { ApiError } from '../../core/errors.js';
import { isObject, quoted } from '../../core/text.js';
import { readJson } from '../../http/json.js';
import { JsonFault } from '../../http/json-fault.js';
import type { Scenario } from '../../scenarios/model.js';
import type { Snapshot } from '../../snapshot.js';
import type { WorldSettings } from '../../world.js';
import { NODE_HOST } from '../http/host.js';
import { FileError, inMiB, refuseRead } from './whole-file.js';

/** The largest file that is read whole: JSON of that size takes some gigabytes of memory. */
export const JSON_FILE_BYTES_MAX = 256 * 1024 * 1024;

export type JsonObject = Readonly<Record<string, unknown>>;

/** A kind of JSON file that this program writes and reads. */
export interface Format {
  readonly format: string;
  /** The version that is written, and the newest that is read. */
  readonly version: number;
  /** What it is called in messages. */
  readonly noun: string;
}

export const TRACE: Format = { format: TRACE_FORMAT, version: TRACE_VERSION, noun: 'trace' };
export const BUNDLE: Format = { format: 'playmoney-bundle', version: 1, noun: 'bundle' };
export const WORLDS: Format = { format: 'playmoney-worlds', version: 1, noun: 'file of worlds' };

/** What a file of another format is, and where to get the right one. */
const KNOWN_FORMATS: ReadonlyMap<unknown, string> = new Map([
  ['playmoney-state', 'a state document; a trace comes from GET /_sandbox/journal/export?Format=trace'],
  [TRACE.format, 'a trace; `playmoney replay` plays it'],
  [BUNDLE.format, 'a bundle; `playmoney open` opens it'],
]);

/** Reads a file of JSON; rejects with a FileError that says where the JSON breaks off. */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readBounded(file);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The platform's parser names no place, or repeats the text, where card numbers are.
    throw new FileError(`${file}${faultOf(text)}`);
  }
}

async function readBounded(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size <= JSON_FILE_BYTES_MAX) return await readFile(file, 'utf8');
  } catch (error) {
    refuseRead(file, error);
  }
  throw new FileError(`${file} is larger than ${inMiB(JSON_FILE_BYTES_MAX)}, which is the most`);
}

/** Where and why the text is no JSON, as far as the strict reader gets in it. */
function faultOf(text: string): string {
  try {
    readJson(text);
  } catch (error) {
    const isPlace = error instanceof JsonFault && !error.message.startsWith('Found more ');
    if (isPlace) return `:${error.line}:${error.column}: this is no JSON: ${error.message}`;
  }
  return ': this is no JSON';
}

/** Refuses another format, and another version of this one. */
export function requireFormat(file: string, value: unknown, { format, version, noun }: Format): JsonObject {
  const fail = (message: string): never => {
    throw new FileError(`${file} is no ${noun}: ${message}`);
  };
  if (!isObject(value)) return fail('it holds no JSON object');
  if ('log' in value) return fail('it is an HTTP archive; export the journal with Format=trace');
  const { Format: found, Version } = value;
  if (typeof found !== 'string') return fail(`it has no Format ${format}`);
  if (found !== format) {
    const known = KNOWN_FORMATS.get(found);
    return fail(known ? `it is ${known}` : `its Format is ${quoted(found)}, not ${format}`);
  }
  if (Version === version) return value;
  const isNewer = typeof Version === 'number' && Version > version;
  throw new FileError(
    isNewer
      ? `${file} is a ${noun} of version ${Version}, which is newer than this program; it reads version ${version}`
      : `${file} is a ${noun} of an unknown version; this program reads version ${version}`,
  );
}

/** Reads the scenario in the field `name` of a file; null where there is none. */
export async function scenarioIn(place: string, name: string, definition: unknown): Promise<Scenario | null> {
  if (definition === null || definition === undefined) return null;
  const { parseScenario } = await import('../../scenarios/schema.js');
  const parsed = parseScenario(definition);
  if ('scenario' in parsed) return parsed.scenario;
  const issues = parsed.issues.map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`);
  throw new FileError(`${place}: ${issues.join('; ')}`);
}

/** Reads the state of a world; `settings` are those that it does not hold itself. */
export async function snapshotIn(state: unknown, settings: WorldSettings): Promise<Snapshot> {
  const { readState } = await import('../../control/snapshots/state-read.js');
  return readState(state, settings, () => NODE_HOST.pause());
}

/** Turns what the sandbox refuses of a file into a FileError that names the place. */
export async function refusedAt<T>(place: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof ApiError ? new FileError(`${place}: ${error.refusal.detail}`) : error;
  });
}
