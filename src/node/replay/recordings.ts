import { readRecordings as readParsed, type Recordings } from '../../control/opening/recordings.js';
import type { Trace } from '../../control/opening/recorded-call.js';
import { FileError } from '../files/file-error.js';
import { asFileError, readJsonFile } from '../files/json-file.js';

/** Reads a file with calls; to open it, also a state. Rejects with a FileError. */
export async function readRecordingsFile(file: string, isOpened = false): Promise<Recordings> {
  const nouns = `${isOpened ? 'bundle, state, trace' : 'trace, bundle'}, journal or HAR`;
  const read = await readJsonFile(file, `. The file must be a ${nouns}`);
  return asFileError(() => readParsed(read, file, isOpened));
}

/** The calls of a file, one world after the other. Rejects with a FileError. */
export async function readTraceFile(file: string): Promise<Trace> {
  const { all } = await readRecordingsFile(file);
  const [first] = all;
  if (first === undefined) throw new FileError(`${file} has no calls`);
  return { ...first.trace, entries: all.flatMap(({ trace }) => trace.entries) };
}
