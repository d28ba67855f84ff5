import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { access, constants, link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileError, refuseWrite, codeOf } from './file-error.js';

/** Only the owner may read and write the file. */
export const OWNER_ONLY = 0o600;
export const OWNER_ONLY_FOLDER = 0o700;
/** A longer piece is not written in one turn of the event loop. */
const PIECE_MAX = 64 * 1024;

/** Adds the option that names the file to the message of a FileError. */
export async function nameFaultOption<T>(option: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof FileError ? new FileError(`${option}: ${error.message}`) : error;
  });
}

export type WritePiece = (piece: string | Uint8Array) => Promise<number>;

export interface WriteOptions {
  readonly mode?: number;
  /** Fails if the file exists. */
  readonly isNew?: boolean;
}

/**
 * Writes a file in pieces, completely or not at all: readers see the old file or the new one. Resolves with its size in
 * bytes, or null if `isNew` and the file exists. Rejects with an error of the file system, or with the error of `fill`. Short
 * pieces are written at once: on another thread they take ten times as long, and all threads may be waiting for the disk.
 */
export async function writeWhole(
  file: string,
  fill: (write: WritePiece) => Promise<unknown>,
  { mode = OWNER_ONLY, isNew = false }: WriteOptions = {},
): Promise<number | null> {
  const draft = nameDraft(file);
  let bytes = 0;
  let isDraft = true;
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      await fill(async (piece) => {
        if (piece.length > PIECE_MAX) await handle.writeFile(piece);
        else writeFileSync(handle.fd, piece);
        return (bytes += Buffer.byteLength(piece));
      });
      // So that a power cut leaves the old file or the new one, not an empty one.
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isNew) return (await placeFirst(draft, file)) ? bytes : null;
    await retryWhileBusy(() => rename(draft, file));
    isDraft = false;
    return bytes;
  } finally {
    if (isDraft) await rm(draft, { force: true });
  }
}

/** The errors of Windows for a file that another program, such as a virus scanner, has open. */
const BUSY = new Set(['EPERM', 'EACCES', 'EBUSY']);
const TRIES_MAX = 20;
const TRY_MS = 50;

/** Does work that fails on Windows while another program has the file open; tries again for a second. */
export async function retryWhileBusy(
  work: () => Promise<void>,
  platform: NodeJS.Platform = process.platform,
  tryMs = TRY_MS,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (platform !== 'win32' || !BUSY.has(codeOf(error)) || tries === TRIES_MAX) throw error;
      await sleep(tryMs);
    }
  }
}

/** A new name for a draft, next to the file that it becomes. */
function nameDraft(file: string): string {
  return join(dirname(file), `.${basename(file)}.${randomUUID()}`);
}

/** Whether a name is that of a draft of a file. */
export function isDraftName(name: string, file: string): boolean {
  return name.startsWith(`.${file}.`) && UUID.test(name.slice(file.length + 2));
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Rejects with a FileError if the file exists; `noun` describes its content in the message. */
export async function requireNew(file: string, noun: string): Promise<void> {
  if ((await findPathKind(file)) !== 'nothing') throw buildTakenError(file, noun);
}

function buildTakenError(file: string, noun: string): FileError {
  return new FileError(`${file} already exists; choose another name for the ${noun}`);
}

/** Writes a new file, completely or not at all. Returns its size in bytes; rejects with a FileError, or with the error of `fill`. */
export async function writeNew(
  file: string,
  noun: string,
  fill: (write: WritePiece) => Promise<unknown>,
): Promise<number> {
  await requireNew(file, noun);
  const bytes = await writeWhole(file, fill, { isNew: true }).catch((error: unknown) =>
    refuseWriting(file, error),
  );
  if (bytes === null) throw buildTakenError(file, noun);
  return bytes;
}

/** Moves a draft to its place unless a file is there; returns whether it did. */
async function placeFirst(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // Some file systems have no links. On these, two processes that start at the same instant may overwrite each other.
    await rename(draft, file);
  }
  return true;
}

/** Replaces a file, or the one behind it if it may be a link, readable only by its owner; rejects with a FileError, or with the error of `fill`. */
export async function replaceFile(
  file: string,
  fill: (write: WritePiece) => Promise<unknown>,
  bytesMax = Infinity,
  mayBeLink = true,
): Promise<void> {
  const fillBounded = (write: WritePiece): Promise<unknown> =>
    fill(async (piece) => {
      const bytes = await write(piece);
      if (bytes <= bytesMax) return bytes;
      throw new FileError(
        `${file} would be larger than ${formatMiB(bytesMax)}, the maximum; it was not changed`,
      );
    });
  await writeWhole(mayBeLink ? await followLinks(file) : file, fillBounded).catch((error: unknown) =>
    refuseWriting(file, error),
  );
}

export function formatMiB(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`;
}

/** The path of a file behind links, so that writing it keeps a link to it. Rejects with a FileError if a link leads nowhere. */
export async function followLinks(file: string): Promise<string> {
  const path = lookOrNull(() => realpathSync.native(file));
  if (path !== null) return path;
  if (lookOrNull(() => lstatSync(file))?.isSymbolicLink() !== true) return file;
  throw new FileError(`cannot write ${file}: it is a link to something that does not exist`);
}

/** Rejects with a FileError if the file cannot be written. */
export async function requireWritable(file: string): Promise<void> {
  await requireFolder(file);
  if ((await findPathKind(file)) === 'folder') throw new FileError(`cannot write ${file}: it is a folder`);
}

/** Rejects with a FileError if nothing can be created at a path. */
export async function requireFolder(file: string): Promise<void> {
  const folder = dirname(await followLinks(file));
  if ((await findPathKind(folder)) !== 'folder') {
    throw new FileError(`cannot write ${file}: the folder ${folder} does not exist`);
  }
  await access(folder, constants.W_OK).catch((error: unknown) => refuseWrite(file, error));
}

/** Creates a folder and those around it, unless they exist. In /proc, where nothing can be created, Node never ends doing so. */
export function createFolder(path: string, mode?: number): void {
  const isFolder = (): boolean => lookOrNull(() => statSync(path))?.isDirectory() === true;
  if (isFolder()) return;
  if (dirname(path) !== path) createFolder(dirname(path), mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have created it.
    if (!isFolder()) throw error;
  }
}

/** The file or folder at a path, behind links. */
export async function findPathKind(path: string): Promise<'nothing' | 'file' | 'folder' | 'other'> {
  const found = lookOrNull(() => statSync(path));
  if (found === null) return 'nothing';
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : 'other';
}

function lookOrNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}

/** Throws a FileError for an error of the file system, and any other error as it is. */
function refuseWriting(file: string, error: unknown): never {
  if (error instanceof Error && 'syscall' in error) refuseWrite(file, error);
  throw error;
}
