import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  type FileHandle,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { CommandError } from '../cli/command-error.js';

/** A file cannot be read or written, or does not hold what it should. The message names it and says why. */
export class FileError extends CommandError {
  override readonly name = 'FileError';
}

/** Rejects with a FileError that says which option names the file. */
export async function namedBy<T>(option: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof FileError ? new FileError(`${option}: ${error.message}`) : error;
  });
}

/** Reads a file as text; rejects with a FileError. */
export async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => refuseRead(file, error));
}

/** Whether only the owner reads a file. */
export const OWNER_ONLY = 0o600;

export type Write = (piece: string) => Promise<void>;

/**
 * Puts what is written in pieces into the place of a file, whole or not at all: whoever reads the file at any time finds
 * what was there before, or all of the new. It is its owner's alone. Gives back its size in bytes; rejects with a FileError,
 * or with what `fill` rejects with.
 */
export async function replaceFile(
  file: string,
  fill: (write: Write) => Promise<void>,
  bytesMax = Infinity,
): Promise<number> {
  const target = await linked(file);
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  let bytes = 0;
  try {
    const handle = await open(draft, 'wx', OWNER_ONLY).catch((error: unknown) => refuseWrite(file, error));
    await filled(
      handle,
      file,
      async (piece) => {
        bytes += Buffer.byteLength(piece);
        if (bytes > bytesMax) {
          throw new FileError(
            `${file} would be larger than ${bytesMax / 1024 / 1024} MiB, which is the most; it stays as it was`,
          );
        }
        await handle.writeFile(piece).catch((error: unknown) => refuseWrite(file, error));
      },
      fill,
    );
    await rename(draft, target).catch((error: unknown) => refuseWrite(file, error));
    return bytes;
  } finally {
    await rm(draft, { force: true });
  }
}

async function filled(
  handle: FileHandle,
  file: string,
  write: Write,
  fill: (write: Write) => Promise<void>,
): Promise<void> {
  try {
    await fill(write);
    // What a power cut leaves behind is the old file or the new one, not an empty one.
    await handle.sync().catch((error: unknown) => refuseWrite(file, error));
  } finally {
    await handle.close();
  }
}

/** Where a file lies, behind links, so that a link to it stays one. */
export async function linked(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}

/** Rejects with a FileError where a file could not be put into its place. */
export async function requireWritable(file: string): Promise<void> {
  const folder = dirname(await linked(file));
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true)
    throw new FileError(`cannot write ${file}: there is no folder ${folder}`);
  const there = await stat(file).catch(() => null);
  if (there?.isDirectory() === true) throw new FileError(`cannot write ${file}: it is a folder`);
  await access(folder, constants.W_OK).catch((error: unknown) => refuseWrite(file, error));
}

type Reasons = Readonly<Record<string, string>>;

const READ_REASONS: Reasons = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
};

const WRITE_REASONS: Reasons = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder is not there',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
};

/** Throws a FileError that says why a file cannot be read. */
export function refuseRead(file: string, error: unknown): never {
  throw new FileError(`cannot read ${file}: ${reasonOf(error, READ_REASONS)}`);
}

/** Throws a FileError that says why a file cannot be written. */
export function refuseWrite(file: string, error: unknown): never {
  throw new FileError(`cannot write ${file}: ${reasonOf(error, WRITE_REASONS)}`);
}

/** The reason of the file system, in words; its own message where there are none. */
export function reasonOf(error: unknown, reasons: Reasons): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
