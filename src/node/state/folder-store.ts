import { createHash } from 'node:crypto';
import { access, constants, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { claim } from './claim.js';
import { JSON_FILE_BYTES_MAX, readJsonFile, requireFormat, WORLD } from '../files/json-file.js';
import {
  FileError,
  isDraftOf,
  pathKind,
  linked,
  OWNER_ONLY_FOLDER,
  refuseRead,
  refuseWrite,
  replaceFile,
  requireFolderOf,
  type Write,
} from '../files/whole-file.js';
import type { StoredWorld, WorldStore } from './world-store.js';

const LOCK = 'lock';
const WORLD_FILE = /^world-[\da-f]{32}\.json$/;
const WORLD_DRAFT = /^\.(world-[\da-f]{32}\.json)\./;

/** The name of a world's file: a hash, since the key is secret. */
function fileOf(key: string): string {
  return `world-${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`;
}

/** Worlds in a folder, one file for each. The lock, or the first save, creates the folder. */
export class FolderStore implements WorldStore {
  constructor(readonly name: string) {}

  async lock(): Promise<void> {
    await this.#usable();
    const folder = await this.#create();
    await claim(folder, LOCK, this.name);
    await clearDrafts(folder);
  }

  async load(): Promise<StoredWorld[]> {
    const path = await this.#usable();
    return (await pathKind(path)) === 'folder' ? worldsIn(this.name, path) : [];
  }

  async save(key: string, document: AsyncIterable<string>): Promise<void> {
    const folder = await this.#create();
    const fill = async (write: Write): Promise<void> => {
      for await (const piece of document) await write(piece);
    };
    await replaceFile(join(folder, fileOf(key)), fill, JSON_FILE_BYTES_MAX);
  }

  async #create(): Promise<string> {
    const path = await linked(this.name);
    await mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER }).catch((error: unknown) =>
      refuseWrite(path, error),
    );
    return path;
  }

  /** The path behind links, if worlds can be saved there. Rejects with a FileError. */
  async #usable(): Promise<string> {
    const path = await linked(this.name);
    const kind = await pathKind(path);
    if (kind === 'nothing') await requireFolderOf(this.name);
    else if (kind === 'folder') await this.#requireOurs(path);
    else throw new FileError(`${this.name} is not a folder. Name a new or an empty folder`);
    return path;
  }

  async #requireOurs(folder: string): Promise<void> {
    await access(folder, constants.W_OK).catch((error: unknown) => refuseWrite(this.name, error));
    const names = (await namesIn(folder)).filter((name) => !name.startsWith('.'));
    const isOurs = (name: string): boolean => WORLD_FILE.test(name) || name.startsWith(`${LOCK}-`);
    if (names.length > 0 && !names.some(isOurs))
      throw new FileError(`${this.name} is a folder with other files. Name a new or an empty folder`);
  }
}

async function worldsIn(name: string, folder: string): Promise<StoredWorld[]> {
  const worlds: StoredWorld[] = [];
  for (const file of (await namesIn(folder)).filter((one) => WORLD_FILE.test(one)).toSorted()) {
    const place = join(name, file);
    if ((await pathKind(join(folder, file))) !== 'file') throw new FileError(`${place} is not a file`);
    const fields = requireFormat(place, await readJsonFile(place), WORLD);
    // A copy under another name would be a second world of the same key.
    if (typeof fields['Key'] === 'string' && fileOf(fields['Key']) !== file)
      throw new FileError(`${place}: a file with this Key must be named ${fileOf(fields['Key'])}`);
    worlds.push({ place, fields });
  }
  return worlds;
}

/** Deletes the half-written worlds of processes that were killed, which hold keys and card numbers. Needs the lock. */
async function clearDrafts(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const [, file] = WORLD_DRAFT.exec(name) ?? [];
    if (file === undefined || !isDraftOf(name, file)) continue;
    const draft = join(folder, name);
    await rm(draft, { force: true }).catch((error: unknown) => refuseWrite(draft, error));
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => refuseRead(folder, error));
}
