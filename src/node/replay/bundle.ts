import { type FileHandle, open, unlink } from 'node:fs/promises';

import { shellQuoted } from '../../core/text.js';
import { type Answer, call, callError, callRaw } from '../cli/client-verbs.js';
import { JSON_FILE_BYTES_MAX } from '../state/json-file.js';
import type { ClientOptions } from '../cli/option-table.js';
import { FileError, refuseRead } from '../state/whole-file.js';
import { BUNDLE_FORMAT, BUNDLE_VERSION } from './trace.js';

/** Said of a bundle in the file and to whoever writes one. */
const NOTE =
  'It holds the whole card numbers of the vault, of unused tokens and of what the scenario matches, so give it to nobody who may not have them. Keys are not in it.';

interface WorldOfServer {
  readonly Seed: string;
  readonly Dialect: string;
}

interface ScenarioOfServer {
  readonly Scenario: string | null;
  readonly Definition?: object | null;
}

/** Whether only the owner reads a file. */
const OWNER_ONLY = 0o600;

/**
 * Writes what a bug report needs of a world into one file that was not there before: its state, its calls as a
 * trace, its seed and its scenario, and the versions of the server. Warns of what is in it, and gives back what was
 * written. Rejects with a CommandError or a FileError.
 */
export async function bundle(
  options: ClientOptions,
  file: string,
  warn: (text: string) => void,
): Promise<string> {
  const get = <T>(path: string): Promise<Answer<T>> => call<T>(options, { method: 'GET', path });
  const { Version, Node } = (await get<{ Version: string; Node: string }>('/_sandbox/health')).read;
  const { read, world } = await get<WorldOfServer>('/_sandbox/world');
  const { Scenario, Definition = null } = (await get<ScenarioOfServer>('/_sandbox/scenario')).read;
  if (Scenario !== null && Definition === null) {
    throw callError(`the server is playmoney ${Version}, which does not tell what its scenario says`);
  }
  const head = {
    Format: BUNDLE_FORMAT,
    Version: BUNDLE_VERSION,
    Note: NOTE,
    Server: { Playmoney: Version, Node },
    Seed: read.Seed,
    Dialect: read.Dialect,
    Scenario: Definition,
  };
  const bytes = await writeNew(file, async (write) => {
    await write(JSON.stringify(head).slice(0, -1));
    await write(',"State":');
    await copy(options, '/_sandbox/state', write);
    await write(',"Trace":');
    await copy(options, '/_sandbox/journal/export?Format=trace', write);
    await write('}\n');
  });
  warn(`${file}: ${NOTE}\n`);
  return `${file}: ${Math.ceil(bytes / 1024)} KiB of ${world}; open it with: playmoney open ${shellQuoted(file)}\n`;
}

type Write = (piece: string | Uint8Array) => Promise<void>;

/** The answer as it comes: it may be as large as the world. */
async function copy(options: ClientOptions, path: string, write: Write): Promise<void> {
  const { body } = await callRaw(options, { method: 'GET', path });
  try {
    for await (const piece of body ?? []) await write(piece);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw callError(`${options.url}${path} broke off (${error.message}); what was written is gone again`);
  }
}

/** Writes a file that is not there yet; when that fails, it is not there afterwards either. Gives back its size. */
async function writeNew(file: string, fill: (write: Write) => Promise<void>): Promise<number> {
  const handle = await openNew(file);
  let bytes = 0;
  try {
    await fill(async (piece) => {
      bytes += piece.length;
      if (bytes > JSON_FILE_BYTES_MAX) {
        throw callError(
          `the bundle would be larger than ${JSON_FILE_BYTES_MAX / 1024 / 1024} MiB, which nobody could open`,
        );
      }
      await handle.writeFile(piece);
    });
    await handle.close();
    return bytes;
  } catch (error) {
    await handle.close();
    await unlink(file);
    throw error;
  }
}

async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', OWNER_ONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') refuseRead(file, error);
    throw new FileError(`${file} is there already; give the bundle another name`);
  }
}
