import { randomUUID } from 'node:crypto';
import { access, constants, type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A file cannot be written; the message names it and says why. */
export class UnwritableFile extends Error {
  override readonly name = 'UnwritableFile';
}

/** Whether only the owner reads a file. */
export const OWNER_ONLY = 0o600;

export type Write = (piece: string) => Promise<void>;

/**
 * Puts what is written in pieces into the place of a file, whole or not at all: whoever reads the file at any time finds
 * what was there before, or all of the new. It is its owner's alone. Gives back its size in bytes; rejects with an UnwritableFile,
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
          throw new UnwritableFile(
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

/** Rejects with an UnwritableFile where a file could not be put into its place. */
export async function requireWritable(file: string): Promise<void> {
  const folder = dirname(await linked(file));
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true)
    throw new UnwritableFile(`cannot write ${file}: there is no folder ${folder}`);
  const there = await stat(file).catch(() => null);
  if (there?.isDirectory() === true) throw new UnwritableFile(`cannot write ${file}: it is a folder`);
  await access(folder, constants.W_OK).catch((error: unknown) => refuseWrite(file, error));
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder is not there',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
};

/** Says in an UnwritableFile why a file cannot be written. */
export function refuseWrite(file: string, error: unknown): never {
  const { code = '', message } = error as NodeJS.ErrnoException;
  throw new UnwritableFile(`cannot write ${file}: ${REASONS[code] ?? message}`);
}
