import { readdirSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';

import { findNearest } from '../../core/text/nearest.js';
import { CommandError } from '../terminal/terminal.js';

/** A file cannot be read or written, or has the wrong content. The message names the file and the reason. */
export class FileError extends CommandError {
  override readonly name = 'FileError';
}

type Reasons = Readonly<Record<string, string>>;

const READ_REASONS: Reasons = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
};

const WRITE_REASONS: Reasons = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder does not exist, or takes nothing new',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
};

export function refuseRead(file: string, error: unknown): never {
  const near = codeOf(error) === 'ENOENT' ? findNearFile(file) : undefined;
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  throw new FileError(`cannot read ${file}: ${explainFileError(error, READ_REASONS)}${hint}`);
}

/** A file in the same folder with a similar name, such as one that ends in .yaml instead of .yml. */
function findNearFile(file: string): string | undefined {
  const byStem = new Map(listFolder(dirname(file)).map((name) => [parse(name).name, name]));
  const [near = ''] = findNearest(parse(file).name, byStem.keys(), 1);
  const name = byStem.get(near);
  return name === undefined ? undefined : join(dirname(file), name);
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function refuseWrite(file: string, error: unknown): never {
  throw new FileError(`cannot write ${file}: ${explainFileError(error, WRITE_REASONS)}`);
}

/** Describes an error of the file system; falls back to its own message. */
export function explainFileError(error: unknown, reasons: Reasons): string {
  return reasons[codeOf(error)] ?? (error as Error).message;
}

/** The code of an error, such as ENOENT; empty if it has none. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
