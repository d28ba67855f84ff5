import { readFile, stat } from 'node:fs/promises';

import { JsonFault } from '../../http/json-fault.js';
import { readJson } from '../../http/json.js';
import { FileError, refuseRead } from './whole-file.js';

/** The largest file that is read whole: JSON of that size takes some gigabytes of memory. */
export const JSON_FILE_BYTES_MAX = 256 * 1024 * 1024;

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
  throw new FileError(`${file} is larger than ${JSON_FILE_BYTES_MAX / 1024 / 1024} MiB, which is the most`);
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
