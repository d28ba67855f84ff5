import { BUNDLE_FORMAT, BUNDLE_VERSION, TRACE_FORMAT, TRACE_VERSION } from '../journal/trace.js';
import { CODE, refuse } from '../../core/errors.js';
import { isObject, quoteText } from '../../core/text/text.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A kind of JSON file that this program writes and reads. */
export interface FileFormat {
  readonly format: string;
  /** The version that is written, and the newest that is read. */
  readonly version: number;
  /** The word for such a file in messages, such as `trace`. */
  readonly noun: string;
}

export const STATE: FileFormat = { format: 'playmoney-state', version: 1, noun: 'state' };
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
  [STATE.format, 'the state of a world. GET /_sandbox/journal/export?Format=trace exports a trace'],
  [TRACE.format, 'a trace. `playmoney open` opens it'],
  [BUNDLE.format, 'a bundle. `playmoney open` opens it'],
  [BUNDLES.format, 'a file with bundles. `playmoney open` opens it'],
  [JOURNAL.format, 'a journal. `playmoney open` opens it'],
  [WORLD.format, 'one world of a folder. Name the folder in --state'],
]);

/** Refuses a file for its content. The message begins with the file or a place in it. */
export function refuseFile(message: string): never {
  return refuse(CODE.ValidationError, message);
}

/** Refuses other formats and unknown versions. `nouns`: all kinds of files that the caller accepts. */
export function requireFormat(
  file: string,
  value: unknown,
  { format, version, noun }: FileFormat,
  nouns = noun,
): JsonObject {
  const fail = (message: string): never => refuseFile(`${file} is not a ${nouns}: ${message}`);
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
  return refuseFile(
    isNewer
      ? `${file} is a ${noun} of version ${Version}, but this playmoney reads only version ${version}. Use a newer playmoney`
      : `${file} is a ${noun} of an unknown version; this playmoney reads version ${version}`,
  );
}
