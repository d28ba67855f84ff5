import { randomUUID } from 'node:crypto';
import { access, constants, link, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { CommandError } from '../cli/terminal.js';

/** Readable and writable by its owner alone. */
export const OWNER_ONLY = 0o600;

/** A file cannot be read or written, or does not hold what it should. The message names it and says why. */
export class FileError extends CommandError {
  override readonly name = 'FileError';
}

/** Says in the message of a FileError which option names the file. */
export async function namedBy<T>(option: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof FileError ? new FileError(`${option}: ${error.message}`) : error;
  });
}

/** Reads a file as text; rejects with a FileError. */
export async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => refuseRead(file, error));
}

export type Write = (piece: string | Uint8Array) => Promise<number>;

export interface WriteOptions {
  readonly mode?: number;
  /** Fail if the file exists. */
  readonly isNew?: boolean;
}

/**
 * Writes a file in pieces, whole or not at all: a reader finds what was there before, or all of the new. Returns its size
 * in bytes, or null where another file was there first. Rejects with an error of the file system, or with that of `fill`.
 */
export async function writeWhole(
  file: string,
  fill: (write: Write) => Promise<unknown>,
  { mode = OWNER_ONLY, isNew = false }: WriteOptions = {},
): Promise<number | null> {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  let bytes = 0;
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      await fill(async (piece) => {
        await handle.writeFile(piece);
        return (bytes += Buffer.byteLength(piece));
      });
      // After a power cut there is the old file or the new one, not an empty one.
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isNew) return (await placeFirst(draft, file)) ? bytes : null;
    await rename(draft, file);
    return bytes;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Rejects with a FileError if the file exists; `noun` is what would be written into it. */
export async function requireNew(file: string, noun: string): Promise<void> {
  if (await isThere(file)) throw isTaken(file, noun);
}

function isTaken(file: string, noun: string): FileError {
  return new FileError(`${file} is there already; give the ${noun} another name`);
}

/** Writes a new file, completely or not at all. Returns its size in bytes; rejects with a FileError, or with the error of `fill`. */
export async function writeNew(
  file: string,
  noun: string,
  fill: (write: Write) => Promise<unknown>,
): Promise<number> {
  await requireNew(file, noun);
  const bytes = await writeWhole(file, fill, { isNew: true }).catch((error: unknown) => {
    if (isOfFileSystem(error)) refuseWrite(file, error);
    throw error;
  });
  if (bytes === null) throw isTaken(file, noun);
  return bytes;
}

/** Moves a draft to its place unless a file is there; returns whether it did. */
async function placeFirst(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // Some file systems have no links; on these, two that start at the same instant may disagree.
    await rename(draft, file);
  }
  return true;
}

/** Replaces a file, for its owner alone; rejects with a FileError, or with the error of `fill`. */
export async function replaceFile(
  file: string,
  fill: (write: Write) => Promise<unknown>,
  bytesMax = Infinity,
): Promise<void> {
  const fillBounded = (write: Write): Promise<unknown> =>
    fill(async (piece) => {
      const bytes = await write(piece);
      if (bytes <= bytesMax) return bytes;
      throw new FileError(
        `${file} would be larger than ${inMiB(bytesMax)}, which is the most; it stays as it was`,
      );
    });
  await writeWhole(await linked(file), fillBounded).catch((error: unknown) => {
    if (isOfFileSystem(error)) refuseWrite(file, error);
    throw error;
  });
}

export function inMiB(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`;
}

/** Where a file lies, behind links, so that a link to it stays one. */
export async function linked(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}

/** Rejects with a FileError where a file could not be put into its place. */
export async function requireWritable(file: string): Promise<void> {
  const folder = dirname(await linked(file));
  if (!(await isFolder(folder))) {
    throw new FileError(`cannot write ${file}: there is no folder ${folder}`);
  }
  if (await isFolder(file)) throw new FileError(`cannot write ${file}: it is a folder`);
  await access(folder, constants.W_OK).catch((error: unknown) => refuseWrite(file, error));
}

export async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
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

export function refuseRead(file: string, error: unknown): never {
  throw new FileError(`cannot read ${file}: ${reasonOf(error, READ_REASONS)}`);
}

export function refuseWrite(file: string, error: unknown): never {
  throw new FileError(`cannot write ${file}: ${reasonOf(error, WRITE_REASONS)}`);
}

/** An error of the file system in words; its own message where there are none. */
export function reasonOf(error: unknown, reasons: Reasons): string {
  return reasons[codeOf(error)] ?? (error as Error).message;
}

/** Such as ENOENT; empty when it is not a system error. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

function isOfFileSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
