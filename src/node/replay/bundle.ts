import { shellQuoted } from '../../core/text.js';
import { call, callError, callRaw } from '../cli/client.js';
import type { ClientOptions } from '../cli/option-table.js';
import { BUNDLE, JSON_FILE_BYTES_MAX } from '../state/json-file.js';
import { inMiB, type Write, writeNew } from '../state/whole-file.js';

/** Stands in the file, and is printed where one is written. */
const NOTE =
  'It holds the whole card numbers of the vault, of unused tokens and of what the scenario matches, so give it to nobody who may not have them. Keys are not in it.';

/**
 * Writes what a bug report needs of a world into a new file: its state, its calls as a trace, its seed and scenario, and
 * the versions of the server. Warns of what is in it. Rejects with a CommandError.
 */
export async function bundle(
  options: ClientOptions,
  file: string,
  warn: (text: string) => void,
): Promise<string> {
  const { body: server } = await call<{ Version: string; Node: string }>(options, '/_sandbox/health');
  const { body, world } = await call<{ Seed: string; Dialect: string }>(options, '/_sandbox/world');
  const playing = await call<{ Scenario: string | null; Definition?: object | null }>(
    options,
    '/_sandbox/scenario',
  );
  const { Scenario, Definition = null } = playing.body;
  if (Scenario !== null && Definition === null) {
    throw callError(`the server is playmoney ${server.Version}, which does not tell what its scenario says`);
  }
  const head = {
    Format: BUNDLE.format,
    Version: BUNDLE.version,
    Note: NOTE,
    Server: { Playmoney: server.Version, Node: server.Node },
    Seed: body.Seed,
    Dialect: body.Dialect,
    Scenario: Definition,
  };
  const bytes = await writeNew(file, 'bundle', async (write) => {
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

/** Piece by piece: an answer may be as large as the world. */
async function copy(options: ClientOptions, path: string, write: Write): Promise<void> {
  const { body } = await callRaw(options, path);
  try {
    for await (const piece of body ?? []) {
      if ((await write(piece)) <= JSON_FILE_BYTES_MAX) continue;
      throw callError(
        `the bundle would be larger than ${inMiB(JSON_FILE_BYTES_MAX)}, which nobody could open`,
      );
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw callError(`${options.url}${path} broke off (${error.message}); what was written is gone again`);
  }
}
