import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

import { TlsFolderError } from '../http/listener.js';

const KEY_MODE = 0o600;
const CERTIFICATE_MODE = 0o644;

/** Where a user's certificates are kept: trust in them shall hold in every project. */
export function defaultTlsFolder(): string {
  return join(dataFolder(), 'playmoney', 'tls');
}

function dataFolder(): string {
  const { XDG_DATA_HOME = '', LOCALAPPDATA = '' } = process.env;
  if (process.platform === 'win32') return LOCALAPPDATA || join(home(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(home(), 'Library', 'Application Support');
  // A relative one is not valid, says its specification.
  return isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(home(), '.local', 'share');
}

function home(): string {
  try {
    return homedir();
  } catch {
    throw new TlsFolderError(
      'there is no home directory for certificates; say where to keep them with --tls-dir',
    );
  }
}

/** The text of a file; null where there is none. */
export async function readKept(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw folderError('read', file, error);
  }
}

/** Puts a certificate that everybody may read in place of what was there. */
export async function keepCertificate(file: string, text: string): Promise<void> {
  await keep(file, text, CERTIFICATE_MODE, rename);
}

/** Puts a private key in place of what was there, for its owner alone. */
export async function keepKey(file: string, text: string): Promise<void> {
  await keep(file, text, KEY_MODE, rename);
}

/** Like `keepKey`, but where another process was first its file stays. */
export async function keepFirstKey(file: string, text: string): Promise<void> {
  await keep(file, text, KEY_MODE, linkFirst);
}

/** Whole or not at all: another process may read it at any time. */
async function keep(
  file: string,
  text: string,
  mode: number,
  place: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(draft, text, { mode, flag: 'wx' });
    await place(draft, file);
  } catch (error) {
    throw folderError('write', file, error);
  } finally {
    await rm(draft, { force: true });
  }
}

async function linkFirst(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Some file systems have no links; there two that start at the same instant may disagree.
    if (code !== 'EEXIST') await rename(from, to);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
};

function folderError(deed: 'read' | 'write', file: string, error: unknown): TlsFolderError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? message;
  return new TlsFolderError(`cannot ${deed} ${file}: ${reason}; keep certificates elsewhere with --tls-dir`);
}
