import { readFile } from 'node:fs/promises';

import { JsonFault } from '../../core/json/json-fault.js';
import { decodeFile } from '../../http/body/utf8.js';
import { FileError, refuseRead } from './file-error.js';

/** A file is not UTF-8 text. The message begins with the place of the first byte that is not. */
export class EncodingError extends FileError {
  constructor(
    file: string,
    readonly line: number,
    readonly column: number,
    readonly reason: string,
  ) {
    super(`${file}:${line}:${column}: ${reason}`);
  }
}

/** Reads a file as text; rejects with a FileError. */
export async function readText(file: string): Promise<string> {
  return decodeText(file, await readFile(file).catch((error: unknown) => refuseRead(file, error)));
}

/**
 * The text of a file, or of what else has a name, without the byte order mark that programs on Windows write. Throws an EncodingError for
 * other encodings: their letters would become other texts, which match nothing.
 */
export function decodeText(name: string, bytes: Uint8Array, lack = ''): string {
  try {
    return decodeFile(bytes).replace(/^\uFEFF/, '');
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new EncodingError(name, error.line, error.column, `${lack}${error.message}; save it as UTF-8`);
  }
}
