import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

import { TlsFolderError } from '../http/listener.js';
import { codeOf, reasonOf, type WriteOptions, writeWhole } from '../state/whole-file.js';

/** Where a user's certificates are kept, so that trust in them holds in every project. */
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

/** The text of a file; null where there is none. Rejects with a TlsFolderError. */
export async function readKept(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw folderError('read', file, error);
  }
}

/** Writes a file, for its owner alone unless the options say otherwise. Rejects with a TlsFolderError. */
export async function keep(file: string, text: string, options?: WriteOptions): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeWhole(file, (write) => write(text), options);
  } catch (error) {
    throw folderError('write', file, error);
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
  const reason = reasonOf(error, REASONS);
  return new TlsFolderError(`cannot ${deed} ${file}: ${reason}; keep certificates elsewhere with --tls-dir`);
}
