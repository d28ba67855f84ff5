import { createHash } from 'node:crypto';
import { lstatSync, utimesSync } from 'node:fs';
import { access, constants, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type {
  TextPieces,
  SaveDetails,
  StoredWorldId,
  StoredWorld,
  WorldStore,
} from '../../app/saving/store.js';
import { deriveWorldName } from '../../core/keys.js';
import { claimFolder, readFolderNames } from './claim.js';
import type { OwnClaim } from './own-claim.js';
import { JSON_FILE_BYTES_MAX, parseJsonFile, parseWorldFile } from '../files/json-file.js';
import { readPlainFile } from '../files/plain-file.js';
import { FileError, refuseWrite } from '../files/file-error.js';
import {
  createFolder,
  isDraftName,
  followLinks,
  OWNER_ONLY,
  OWNER_ONLY_FOLDER,
  findPathKind,
  replaceFile,
  requireFolder,
  type WritePiece,
} from '../files/whole-file.js';

const LOCK = 'lock';
const UPTIME = 'uptime';
const WORLD_FILE = /^world-([\da-f]{12}-[\da-f]{20})\.json$/;
/** Empty; its name says when the world must wake. */
const DUE_FILE = /^due-(\d+)-([\da-f]{12}-[\da-f]{20})$/;
/** The name of a world's file before the first release. */
const FORMER_FILE = /^world-[\da-f]{32}\.json$/;
const DRAFT = /^\.((?:world|calls)-[\da-f-]{32,33}\.json|uptime)\./;
/** A job that is due so much later or earlier needs no other file. */
const DUE_TOLERANCE_MS = 1_000;
/** The beginning of a document, with everything before its state. */
const HEAD_BYTES = 16 * 1024;
const UPTIME_BYTES_MAX = 1024;

const nameWorldFile = (id: string): string => `world-${id}.json`;
const nameCallsFile = (id: string): string => `calls-${id}.json`;

/** Worlds in a folder, one file for each, another for its calls, and an empty one for its next job. */
export class FolderStore implements WorldStore {
  readonly hint = 'To keep it, move that file to another place. ';
  /** By identifier, the names of its files that say when it must wake. */
  readonly #dues = new Map<string, string[]>();
  /** The names of worlds and jobs when the folder was locked: to read hundreds of thousands takes a second. */
  #names: string[] | null = null;
  #path: string | null = null;
  /** Null for a folder that is only read. */
  #claim: OwnClaim | null = null;

  constructor(readonly name: string) {}

  /** A hash, since the key is secret. */
  idOf(key: string): string {
    const hash = createHash('sha256').update(key).digest('hex').slice(0, 20);
    return `${deriveWorldName(key)}-${hash}`;
  }

  async lock(): Promise<void> {
    await this.#usable();
    const folder = await this.#create();
    this.#claim = await claimFolder(folder, LOCK, this.name);
    this.#names = [];
    for (const name of listWorldFiles(folder)) {
      const [, file] = DRAFT.exec(name) ?? [];
      // The half-written files of processes that were killed hold keys and card numbers.
      if (file !== undefined && isDraftName(name, file)) await removePath(join(folder, name));
      else this.#names.push(FORMER_FILE.test(name) ? await this.#renameFormer(folder, name) : name);
    }
  }

  async list(): Promise<readonly StoredWorldId[]> {
    const path = await this.#usable();
    if ((await findPathKind(path)) !== 'folder') return [];
    this.#dues.clear();
    const ids: string[] = [];
    const dues = new Map<string, number>();
    const names = this.#names ?? [...listWorldFiles(path)];
    this.#names = null;
    for (const name of names.toSorted()) {
      const [, id] = WORLD_FILE.exec(name) ?? [];
      if (id !== undefined) {
        ids.push(id);
        continue;
      }
      const [, due, ofId] = DUE_FILE.exec(name) ?? [];
      if (ofId === undefined) continue;
      this.#dues.set(ofId, [...(this.#dues.get(ofId) ?? []), name]);
      dues.set(ofId, Math.min(Number(due), dues.get(ofId) ?? Infinity));
    }
    return ids.map((id) => ({ id, due: dues.get(id) ?? null }));
  }

  async load(id: string): Promise<StoredWorld | null> {
    const file = join(this.name, nameWorldFile(id));
    const callsPlace = join(this.name, nameCallsFile(id));
    const [stored, calls] = await Promise.all([
      readPlainFile(file, JSON_FILE_BYTES_MAX),
      this.#calls(callsPlace),
    ]);
    if (stored === null) return null;
    const document = await parseWorldFile(file, stored.text);
    const { Key } = document;
    // A copy under another name would be a second world of the same key.
    if (typeof Key === 'string' && this.idOf(Key) !== id)
      throw new FileError(`${file}: a file with this Key must be named ${nameWorldFile(this.idOf(Key))}`);
    return { place: file, document, callsPlace, calls, usedAt: stored.changedAt };
  }

  async usedAt(id: string): Promise<number | null> {
    return lstatSync(join(this.name, nameWorldFile(id)), { throwIfNoEntry: false })?.mtimeMs ?? null;
  }

  async peek(id: string): Promise<string | null> {
    const file = join(this.name, nameWorldFile(id));
    return (await readPlainFile(file, JSON_FILE_BYTES_MAX, HEAD_BYTES))?.text ?? null;
  }

  async save(id: string, document: TextPieces, { due, usedAt }: SaveDetails): Promise<void> {
    const folder = await this.#create();
    const before = this.#dues.get(id) ?? [];
    const kept = before.find((name) => due !== null && isNearDue(name, due));
    // A file too many wakes the world for nothing; one too few would be a job that nobody runs.
    if (due !== null && kept === undefined) await this.#addDue(folder, id, due);
    const file = join(folder, nameWorldFile(id));
    await replaceFile(file, this.#filling(document), JSON_FILE_BYTES_MAX, false);
    utimesSync(file, usedAt / 1000, usedAt / 1000);
    for (const name of before) if (name !== kept) await this.#removeDue(folder, id, name);
  }

  async saveCalls(id: string, calls: TextPieces): Promise<void> {
    const folder = await this.#create();
    await replaceFile(join(folder, nameCallsFile(id)), this.#filling(calls), JSON_FILE_BYTES_MAX, false);
  }

  async remove(id: string): Promise<void> {
    const folder = await this.#create();
    for (const file of [nameWorldFile(id), nameCallsFile(id)]) await removePath(join(folder, file));
    for (const name of this.#dues.get(id) ?? []) await this.#removeDue(folder, id, name);
  }

  async loadUptime(): Promise<number> {
    const stored = await readPlainFile(join(this.name, UPTIME), UPTIME_BYTES_MAX);
    const ms = Number(stored?.text ?? 0);
    return Number.isSafeInteger(ms) && ms > 0 ? ms : 0;
  }

  async saveUptime(ms: number): Promise<void> {
    const folder = await this.#create();
    await replaceFile(join(folder, UPTIME), (write) => write(String(ms)), UPTIME_BYTES_MAX, false);
  }

  async #calls(file: string): Promise<unknown> {
    const stored = await readPlainFile(file, JSON_FILE_BYTES_MAX);
    return stored === null ? null : parseJsonFile(file, stored.text);
  }

  async #addDue(folder: string, id: string, due: number): Promise<void> {
    const name = `due-${Math.floor(due)}-${id}`;
    const file = join(folder, name);
    await writeFile(file, '', { mode: OWNER_ONLY }).catch((error: unknown) => refuseWrite(file, error));
    this.#dues.set(id, [...(this.#dues.get(id) ?? []), name]);
  }

  async #removeDue(folder: string, id: string, name: string): Promise<void> {
    await removePath(join(folder, name));
    const left = (this.#dues.get(id) ?? []).filter((due) => due !== name);
    if (left.length > 0) this.#dues.set(id, left);
    else this.#dues.delete(id);
  }

  async #renameFormer(folder: string, name: string): Promise<string> {
    const former = join(this.name, name);
    const text = (await readPlainFile(former, JSON_FILE_BYTES_MAX))?.text ?? '';
    const { Key } = await parseWorldFile(former, text);
    if (typeof Key !== 'string') throw new FileError(`${former}: Key must be a string`);
    const file = nameWorldFile(this.idOf(Key));
    await rename(join(folder, name), join(folder, file));
    return file;
  }

  /** The folder behind links, which are followed once. */
  async #behindLinks(): Promise<string> {
    return (this.#path ??= await followLinks(this.name));
  }

  async #create(): Promise<string> {
    const path = await this.#behindLinks();
    try {
      createFolder(path, OWNER_ONLY_FOLDER);
    } catch (error) {
      refuseWrite(path, error);
    }
    this.#claim?.requireHeld();
    return path;
  }

  /** If the claim is lost meanwhile, what was saved before stays. */
  #filling(pieces: TextPieces): (write: WritePiece) => Promise<void> {
    return async (write) => {
      for await (const piece of pieces) await write(piece);
      this.#claim?.requireHeld();
    };
  }

  /** The path behind links, if worlds can be saved there. Rejects with a FileError. */
  async #usable(): Promise<string> {
    const path = await this.#behindLinks();
    const kind = await findPathKind(path);
    if (kind === 'nothing') await requireFolder(this.name);
    else if (kind === 'folder') await this.#requireOurs(path);
    else throw new FileError(`${this.name} is not a folder. Name a new or an empty folder`);
    return path;
  }

  async #requireOurs(folder: string): Promise<void> {
    await access(folder, constants.W_OK).catch((error: unknown) => refuseWrite(this.name, error));
    const isOurs = (name: string): boolean =>
      WORLD_FILE.test(name) || FORMER_FILE.test(name) || name === UPTIME || name.startsWith(`${LOCK}-`);
    let isEmpty = true;
    for (const name of readFolderNames(folder)) {
      if (isOurs(name)) return;
      isEmpty &&= name.startsWith('.');
    }
    if (!isEmpty)
      throw new FileError(`${this.name} is a folder with other files. Name a new or an empty folder`);
  }
}

function isNearDue(name: string, due: number): boolean {
  return Math.abs(Number(DUE_FILE.exec(name)?.[1]) - due) <= DUE_TOLERANCE_MS;
}

async function removePath(file: string): Promise<void> {
  // `recursive`, because a folder may stand in the place of the file.
  await rm(file, { force: true, recursive: true }).catch((error: unknown) => refuseWrite(file, error));
}

/** The names in a folder, without the many of calls. */
function* listWorldFiles(folder: string): Generator<string, void> {
  for (const name of readFolderNames(folder)) if (!name.startsWith('calls-')) yield name;
}
