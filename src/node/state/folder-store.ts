import { createHash } from 'node:crypto';
import { access, constants, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { isObject } from '../../core/text/text.js';
import { type Claim, claim } from './claim.js';
import { JSON_FILE_BYTES_MAX, readJsonFile, requireFormat, WORLD, WORLDS } from '../files/json-file.js';
import {
  codeOf,
  draftOf,
  FileError,
  isDraftOf,
  pathKind,
  linked,
  OWNER_ONLY_FOLDER,
  refuseRead,
  refuseWrite,
  replaceFile,
  replaceFileWith,
  requireFolderOf,
} from '../files/whole-file.js';
import { DOCUMENT_HEAD } from './world-document.js';
import type { StoredWorld, WorldStore } from './world-store.js';

const LOCK = 'lock';
const WORLD_FILE = /^world-[\da-f]{32}\.json$/;
const WORLD_DRAFT = /^\.(world-[\da-f]{32}\.json)\./;

/** The name of a world's file: a hash, since the key is secret. */
function fileOf(key: unknown): string {
  return `world-${createHash('sha256').update(String(key)).digest('hex').slice(0, 32)}.json`;
}

/**
 * Worlds in a folder, one file for each. Also reads a file of version 0.1.0, which holds all worlds; the first save replaces it with
 * a folder of the same name.
 */
export class FolderStore implements WorldStore {
  #isLocked = false;
  /** The path of the folder, which is created once. */
  #made: Promise<string> | null = null;

  constructor(readonly name: string) {}

  async lock(): Promise<void> {
    const path = await this.#usable();
    if ((await pathKind(path)) !== 'folder') await this.#lockBeside(path);
    // Another process may have made the folder while this one waited.
    if ((await pathKind(path)) === 'folder') await claim(path, LOCK, this.name);
    this.#isLocked = true;
    await clearDrafts(path);
  }

  /** Locks a path that is a file, or makes a folder there. */
  async #lockBeside(path: string): Promise<void> {
    const beside = await claim(dirname(path), `${basename(path)}.${LOCK}`, this.name);
    // A process that was killed had just put the file aside.
    if ((await pathKind(path)) === 'nothing') await rename(asideOf(path), path).catch(ignoreMissing);
    if ((await pathKind(path)) === 'file') return;
    await makeFolder(path);
    // From now on, others see the folder, and its own lock.
    beside.release();
  }

  async load(): Promise<StoredWorld[]> {
    const path = await this.#usable();
    switch (await pathKind(path)) {
      case 'file':
        return worldsIn(this.name, path);
      case 'folder':
        return worldsOf(this.name, path);
      default:
        return [];
    }
  }

  async save(key: string, document: AsyncIterable<string>): Promise<number> {
    const folder = await this.#folder();
    let bytes = 0;
    const fill = async (write: (piece: string) => Promise<number>): Promise<void> => {
      for await (const piece of document) bytes = await write(piece);
    };
    await replaceFile(join(folder, fileOf(key)), fill, JSON_FILE_BYTES_MAX);
    return bytes;
  }

  #folder(): Promise<string> {
    this.#made ??= this.#make().catch((error: unknown) => {
      // So that the next save tries again.
      this.#made = null;
      throw error;
    });
    return this.#made;
  }

  async #make(): Promise<string> {
    const path = await this.#usable();
    if ((await pathKind(path)) === 'file') await this.#replaceWithFolder(path);
    else await makeFolder(path);
    return path;
  }

  /** Puts a folder with the same worlds in the place of a file, completely or not at all. */
  async #replaceWithFolder(path: string): Promise<void> {
    const draft = draftOf(path);
    let lock: Claim | null = null;
    try {
      await makeFolder(draft);
      for (const { fields } of await worldsIn(this.name, path)) {
        const document = JSON.stringify({ ...DOCUMENT_HEAD, ...fields });
        await replaceFile(join(draft, fileOf(fields['Key'])), (write) => write(document));
      }
      // Any process that sees the folder must also see its lock.
      if (this.#isLocked) lock = await claim(draft, LOCK, this.name);
      await replaceFileWith(draft, path, asideOf(path));
    } catch (error) {
      lock?.release();
      // What cannot be deleted now is deleted with the next lock.
      await rm(draft, { recursive: true, force: true }).catch(() => {});
      throw error;
    }
    lock?.moved(path);
    await rm(asideOf(path), { force: true });
  }

  /** The path behind links, if worlds can be saved there. Rejects with a FileError. */
  async #usable(): Promise<string> {
    const path = await linked(this.name);
    const kind = await pathKind(path);
    if (kind === 'other') throw new FileError(`${this.name} is neither a folder nor a file`);
    // Another process may make the folder at any time.
    if (kind !== 'folder') await requireFolderOf(this.name);
    else {
      await access(path, constants.W_OK).catch((error: unknown) => refuseWrite(this.name, error));
      const names = (await namesIn(path)).filter((name) => !name.startsWith('.'));
      const isOurs = (name: string): boolean => WORLD_FILE.test(name) || name.startsWith(`${LOCK}-`);
      if (names.length > 0 && !names.some(isOurs)) {
        throw new FileError(`${this.name} is a folder with other files. Name a new or an empty folder`);
      }
    }
    return path;
  }
}

/** The worlds of a file of version 0.1.0. */
async function worldsIn(name: string, file: string): Promise<StoredWorld[]> {
  const { Worlds: listed } = requireFormat(name, await readJsonFile(file), WORLDS);
  if (!Array.isArray(listed)) throw new FileError(`${name}: Worlds must be a list`);
  return listed.map((fields: unknown, n) => ({
    place: `${name}: Worlds.${n}`,
    fields: isObject(fields) ? fields : {},
  }));
}

async function worldsOf(name: string, folder: string): Promise<StoredWorld[]> {
  const worlds: StoredWorld[] = [];
  for (const file of (await namesIn(folder)).filter((one) => WORLD_FILE.test(one)).toSorted()) {
    const place = join(name, file);
    const kind = await pathKind(join(folder, file));
    if (kind !== 'file') throw new FileError(`${place} is not a file`);
    const fields = requireFormat(place, await readJsonFile(place), WORLD);
    // A copy under another name would be a second world of the same key.
    if (typeof fields['Key'] === 'string' && fileOf(fields['Key']) !== file) {
      throw new FileError(`${place}: a file with this Key must be named ${fileOf(fields['Key'])}`);
    }
    worlds.push({ place, fields });
  }
  return worlds;
}

/** Deletes what processes that were killed left of this store, which holds keys and card numbers. Needs the lock. */
async function clearDrafts(path: string): Promise<void> {
  const isFolder = (await pathKind(path)) === 'folder';
  const within = isFolder ? await namesIn(path) : [];
  const drafts = within.filter((name) => {
    const [, file = ''] = WORLD_DRAFT.exec(name) ?? [];
    return file !== '' && isDraftOf(name, file);
  });
  // The folder above may belong to another user.
  const beside = await readdir(dirname(path)).catch((): string[] => []);
  const others = beside
    .filter((name) => isDraftOf(name, basename(path)))
    .map((name) => join(dirname(path), name));
  const left = [...drafts.map((name) => join(path, name)), ...others, ...(isFolder ? [asideOf(path)] : [])];
  for (const one of left) {
    await rm(one, { recursive: true, force: true }).catch((error: unknown) => refuseWrite(one, error));
  }
}

/** Where a file is while a folder takes its place. */
function asideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.before`);
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER }).catch((error: unknown) =>
    refuseWrite(path, error),
  );
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => refuseRead(folder, error));
}
