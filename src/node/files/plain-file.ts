import type { Stats } from 'node:fs';
import { constants, type FileHandle, lstat, open } from 'node:fs/promises';

import { codeOf, FileError, inMiB, refuseRead } from './whole-file.js';

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
  const found = await lstat(file).catch((error: unknown) => noneOr(file, error));
  if (found === null) return null;
  if (!found.isFile()) throw new FileError(`${file} is not a file but a ${kindIn(found)}`);
  if (found.size > bytesMax) throw new FileError(`${file} is larger than ${inMiB(bytesMax)}, the maximum`);
  const handle = await open(file, FLAGS).catch((error: unknown) => noneOr(file, error));
  if (handle === null) return null;
  try {
    const text = await readStart(handle, bytes ?? found.size);
    // Programs on Windows write a byte order mark, which JSON does not have.
    return { text: text.replace(/^\uFEFF/, ''), changedAt: found.mtimeMs };
  } catch (error) {
    return refuseRead(file, error);
  } finally {
    await handle.close();
  }
}

async function readStart(handle: FileHandle, bytes: number): Promise<string> {
  const buffer = Buffer.alloc(bytes);
  let read = 0;
  for (let more = -1; more !== 0 && read < bytes; read += more)
    more = (await handle.read(buffer, read, bytes - read, read)).bytesRead;
  return buffer.toString('utf8', 0, read);
}

function noneOr(file: string, error: unknown): null {
  return codeOf(error) === 'ENOENT' ? null : refuseRead(file, error);
}

function kindIn(found: Stats): string {
  if (found.isDirectory()) return 'folder';
  if (found.isSymbolicLink()) return 'link';
  if (found.isFIFO()) return 'named pipe';
  return found.isSocket() ? 'socket' : 'device';
}
