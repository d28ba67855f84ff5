import type { Stats } from 'node:fs';
import { constants, type FileHandle, lstat, open } from 'node:fs/promises';

import { decodeText } from './text-file.js';
import { codeOf, FileError, refuseRead } from './file-error.js';
import { formatMiB } from './whole-file.js';

/** A pipe is not waited for, and a link not followed, if one takes the place of the file after it was looked at. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Reads a file on another thread; null if there is none. Rejects with a FileError for anything but a file of limited size: a pipe or a
 * device may never end, and a link may lead to one. Only the first `bytes` are read if they are given.
 */
export async function readPlainFile(
  file: string,
  bytesMax: number,
  bytes?: number,
): Promise<{ readonly text: string; readonly changedAt: number } | null> {
  const found = await lstat(file).catch((error: unknown) => nullOrRefuse(file, error));
  if (found === null) return null;
  if (!found.isFile()) throw new FileError(`${file} is not a file but a ${nameFileKind(found)}`);
  if (found.size > bytesMax)
    throw new FileError(`${file} is larger than ${formatMiB(bytesMax)}, the maximum`);
  const handle = await open(file, FLAGS).catch((error: unknown) => nullOrRefuse(file, error));
  if (handle === null) return null;
  try {
    const start = await readStart(handle, bytes ?? found.size).catch((error: unknown) =>
      refuseRead(file, error),
    );
    // A part of a file may end within a character.
    const text = bytes === undefined ? decodeText(file, start) : start.toString();
    return { text, changedAt: found.mtimeMs };
  } finally {
    await handle.close();
  }
}

async function readStart(handle: FileHandle, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  let read = 0;
  for (let more = -1; more !== 0 && read < bytes; read += more)
    more = (await handle.read(buffer, read, bytes - read, read)).bytesRead;
  return buffer.subarray(0, read);
}

function nullOrRefuse(file: string, error: unknown): null {
  return codeOf(error) === 'ENOENT' ? null : refuseRead(file, error);
}

function nameFileKind(found: Stats): string {
  if (found.isDirectory()) return 'folder';
  if (found.isSymbolicLink()) return 'link';
  if (found.isFIFO()) return 'named pipe';
  return found.isSocket() ? 'socket' : 'device';
}
