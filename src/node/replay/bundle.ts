import { parsePan } from '../../core/card.js';
import { count, shellQuoted } from '../../core/text.js';
import { isTestCard } from '../../outcomes/magic.js';
import { call, callError, callRaw } from '../cli/client.js';
import type { ClientOptions } from '../cli/option-table.js';
import { BUNDLE, JSON_FILE_BYTES_MAX } from '../state/json-file.js';
import { inMiB, type Write, writeNew } from '../state/whole-file.js';

const NUMBERS =
  'full card numbers (vault, unused tokens, scenario). Share it only with people who may see them.';

/**
 * Writes a world into a new file for a bug report: its state, its calls as a trace, its seed and scenario, and the
 * versions of the server. Warns if it has card numbers, or no calls. Rejects with a CommandError.
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
    throw callError(
      `the server runs playmoney ${server.Version}, which does not return the content of its scenario`,
    );
  }
  const { body: journal } = await call<{ Count: number; Evicted: number }>(
    options,
    '/_sandbox/journal?Limit=1',
  );
  const calls = journal.Count + journal.Evicted;
  const head = {
    Format: BUNDLE.format,
    Version: BUNDLE.version,
    Note: `This file may contain ${NUMBERS} It contains no keys.`,
    Server: { Playmoney: server.Version, Node: server.Node },
    Seed: body.Seed,
    Dialect: body.Dialect,
    Scenario: Definition,
  };
  const numbers = new CardNumbers();
  numbers.read(JSON.stringify(Definition));
  const bytes = await writeNew(file, 'bundle', async (write) => {
    await write(JSON.stringify(head).slice(0, -1));
    await write(',"State":');
    await copy(options, '/_sandbox/state', (piece) => {
      numbers.read(typeof piece === 'string' ? piece : Buffer.from(piece).toString('latin1'));
      return write(piece);
    });
    await write(',"Trace":');
    await copy(options, '/_sandbox/journal/export?Format=trace', write);
    await write('}\n');
  });
  if (calls === 0)
    warn(`Warning: ${world} has no calls. Is it the world of the failure? --key names another.\n`);
  if (numbers.isFound) warn(`Warning: this file contains ${NUMBERS}\n`);
  return `${file}: ${Math.ceil(bytes / 1024)} KiB, ${count(calls, 'call')} of ${world}. Open it with: playmoney open ${shellQuoted(file)}\n`;
}

const DIGITS = /"(\d[\d -]+)"/g;
/** Longer than a number in quotes. */
const TAIL_LENGTH = 64;

/** Finds full card numbers, other than published test cards, in JSON that is read in pieces. */
class CardNumbers {
  isFound = false;
  #tail = '';

  read(piece: string): void {
    const text = this.#tail + piece;
    this.isFound ||= [...text.matchAll(DIGITS)].some(([, digits = '']) => {
      const { pan } = parsePan(digits);
      return pan !== undefined && !isTestCard(pan);
    });
    this.#tail = text.slice(-TAIL_LENGTH);
  }
}

/** Copies in pieces, since an answer may be as large as the world. */
async function copy(options: ClientOptions, path: string, write: Write): Promise<void> {
  const { body } = await callRaw(options, path);
  try {
    for await (const piece of body ?? []) {
      if ((await write(piece)) <= JSON_FILE_BYTES_MAX) continue;
      throw callError(
        `the bundle would be larger than ${inMiB(JSON_FILE_BYTES_MAX)}, the maximum that \`playmoney open\` reads`,
      );
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw callError(
      `the answer of ${options.url}${path} ended early (${error.message}); no file was written`,
    );
  }
}
