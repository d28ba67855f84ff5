import { readFileSync, statSync } from 'node:fs';

import { BUNDLE_FORMAT, BUNDLE_VERSION, TRACE_FORMAT, TRACE_VERSION } from '../../control/journal/trace.js';
import { ApiError } from '../../core/errors.js';
import { isObject, quoteText } from '../../core/text/text.js';
import { readJson } from '../../core/json/json.js';
import { JsonFault } from '../../core/json/json-fault.js';
import type { Scenario } from '../../scenarios/script/model.js';
import type { Snapshot } from '../../world/snapshot.js';
import type { WorldSettings } from '../../world/settings.js';
import { NODE_HOST } from '../machine/host.js';
import { decodeText } from './text-file.js';
import { FileError, refuseRead } from './file-error.js';
import { formatMiB } from './whole-file.js';

/** The maximum size of a file: JSON of this size needs a few gigabytes of memory. */
export const JSON_FILE_BYTES_MAX = 256 * 1024 * 1024;

export type JsonObject = Readonly<Record<string, unknown>>;

/** A kind of JSON file that this program writes and reads. */
export interface FileFormat {
  readonly format: string;
  /** The version that is written, and the newest that is read. */
  readonly version: number;
  /** The word for such a file in messages, such as `trace`. */
  readonly noun: string;
}

export const TRACE: FileFormat = { format: TRACE_FORMAT, version: TRACE_VERSION, noun: 'trace' };
export const BUNDLE: FileFormat = { format: BUNDLE_FORMAT, version: BUNDLE_VERSION, noun: 'bundle' };
/** Bundles of several worlds, as `exec --bundle` writes them. */
export const BUNDLES: FileFormat = { format: 'playmoney-bundles', version: 1, noun: 'file with bundles' };
/** The JSON that `exec --journal` writes. */
export const JOURNAL: FileFormat = { format: 'playmoney-journal', version: 1, noun: 'journal' };
/** A file with one world. */
export const WORLD: FileFormat = { format: 'playmoney-world', version: 1, noun: 'saved world' };

/** Describes files of other formats, and how to use them. */
const KNOWN_FORMATS: ReadonlyMap<unknown, string> = new Map([
  ['playmoney-state', 'the state of a world. GET /_sandbox/journal/export?Format=trace exports a trace'],
  [TRACE.format, 'a trace. `playmoney replay` replays it'],
  [BUNDLE.format, 'a bundle. `playmoney open` opens it'],
  [BUNDLES.format, 'a file with bundles. `playmoney open` opens it'],
  [JOURNAL.format, 'a journal. `playmoney open` opens it'],
  [WORLD.format, 'one world of a folder. Name the folder in --state'],
]);

/**
 * Reads a JSON file; rejects with a FileError that gives the position of a syntax error, and ends with `hint`.
 */
export async function readJsonFile(file: string, hint = ''): Promise<unknown> {
  return parseJsonFile(file, readBoundedFile(file), hint);
}

/** Parses the text of a JSON file, as {@link readJsonFile} does. */
export function parseJsonFile(file: string, text: string, hint = ''): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The platform's parser gives no position, or repeats the text, which may contain card numbers.
    throw new FileError(`${file}${locateFault(text)}${hint}`);
  }
}

function readBoundedFile(file: string): string {
  let bytes: Uint8Array | null = null;
  try {
    // At once: another thread would take ten times as long, and parsing what it read longer still.
    const { size } = statSync(file);
    if (size <= JSON_FILE_BYTES_MAX) bytes = readFileSync(file);
  } catch (error) {
    refuseRead(file, error);
  }
  if (bytes !== null) return decodeText(file, bytes, 'not valid JSON: ');
  throw new FileError(`${file} is larger than ${formatMiB(JSON_FILE_BYTES_MAX)}, the maximum`);
}

/** Where and why the text is not valid JSON, if the strict reader finds a position. */
function locateFault(text: string): string {
  try {
    readJson(text);
  } catch (error) {
    const isPlace = error instanceof JsonFault && !error.message.startsWith('Found more ');
    if (isPlace) return `:${error.line}:${error.column}: not valid JSON: ${error.message}`;
  }
  return ': not valid JSON';
}

/** Refuses other formats and unknown versions. `nouns`: all kinds of files that the caller accepts. */
export function requireFormat(
  file: string,
  value: unknown,
  { format, version, noun }: FileFormat,
  nouns = noun,
): JsonObject {
  const fail = (message: string): never => {
    throw new FileError(`${file} is not a ${nouns}: ${message}`);
  };
  if (!isObject(value)) return fail('it must contain a JSON object');
  if ('log' in value) return fail('it is an HTTP archive (HAR)');
  const { Format: found, Version } = value;
  const ours = `that of a ${noun} is ${quoteText(format)}`;
  if (typeof found !== 'string') return fail(`it has no field Format; ${ours}`);
  if (found !== format) {
    const known = KNOWN_FORMATS.get(found);
    return fail(known ? `it is ${known}` : `its Format is ${quoteText(found)}; ${ours}`);
  }
  if (Version === version) return value;
  const isNewer = typeof Version === 'number' && Version > version;
  throw new FileError(
    isNewer
      ? `${file} is a ${noun} of version ${Version}, but this playmoney reads only version ${version}. Use a newer playmoney`
      : `${file} is a ${noun} of an unknown version; this playmoney reads version ${version}`,
  );
}

/** Reads the scenario in the field `name` of a file; null if there is none. */
export async function readScenarioField(
  place: string,
  name: string,
  definition: unknown,
): Promise<Scenario | null> {
  if (definition === null || definition === undefined) return null;
  const { readSavedScenario } = await import('../../scenarios/file/schema.js');
  const parsed = readSavedScenario(definition);
  if ('scenario' in parsed) return parsed.scenario;
  const issues = parsed.issues.map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`);
  throw new FileError(`${place}: ${issues.join('; ')}`);
}

/** Reads the state of a world; `settings` has the settings that the state does not contain. */
export async function readSnapshotField(state: unknown, settings: WorldSettings): Promise<Snapshot> {
  const { readState } = await import('../../control/snapshots/state-read.js');
  return readState(state, settings, () => NODE_HOST.pause());
}

/** Turns an error of the sandbox about a file into a FileError that names the place. */
export async function nameFaultPlace<T>(place: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof ApiError ? new FileError(`${place}: ${error.refusal.detail}`) : error;
  });
}
