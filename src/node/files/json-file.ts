import { readFileSync, statSync } from 'node:fs';

import { type JsonObject, requireFormat, WORLD } from '../../control/opening/file-format.js';
import { ApiError } from '../../core/errors.js';
import { readJson } from '../../core/json/json.js';
import { JsonFault } from '../../core/json/json-fault.js';
import { decodeText } from './text-file.js';
import { FileError, refuseRead } from './file-error.js';
import { formatMiB } from './whole-file.js';

/** The maximum size of a file: JSON of this size needs a few gigabytes of memory. */
export const JSON_FILE_BYTES_MAX = 256 * 1024 * 1024;

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

/** Parses the text of a file with one world. */
export function parseWorldFile(file: string, text: string): Promise<JsonObject> {
  return asFileError(() => requireFormat(file, parseJsonFile(file, text), WORLD));
}

/** Turns a refusal of what is in a file into a FileError. `place` begins its message, unless the refusal names the file itself. */
export async function asFileError<T>(work: () => T | Promise<T>, place = ''): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ApiError ? new FileError(place + error.refusal.detail) : error;
  }
}
