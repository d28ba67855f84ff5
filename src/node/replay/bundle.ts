import { parsePan } from '../../core/card.js';
import { count, shellQuoted } from '../../core/text.js';
import { isTestCard } from '../../outcomes/magic.js';
import { ANSWER_MS, call, callError, callRaw, WORK_MS } from '../cli/client.js';
import type { ClientOptions } from '../cli/option-table.js';
import { linesOf, type Output, type Printable } from '../cli/terminal.js';
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
  warn: Output['err'],
  limitMs = ANSWER_MS,
): Promise<Printable> {
  const { server, body, world, Definition, calls } = await describeWorld(options, limitMs);
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
    warn(linesOf([`Warning: ${world} has no calls. Is it the world of the failure? --key names another.`]));
  if (numbers.isFound) warn(linesOf([`Warning: this file contains ${NUMBERS}`]));
  return linesOf([
    `${file}: ${Math.ceil(bytes / 1024)} KiB, ${count(calls, 'call')} of ${world}. Open it with: playmoney open ${shellQuoted(file)}`,
  ]);
}

/** Asks a server for what the head of a bundle says. */
async function describeWorld(options: ClientOptions, limitMs: number) {
  const { body: server } = await call(options, {
    path: '/_sandbox/health',
    shape: { Version: 'string', Node: 'string' },
    limitMs,
  });
  const { body, world } = await call(options, {
    path: '/_sandbox/world',
    shape: { Seed: 'string', Dialect: 'string' },
    limitMs,
  });
  const { body: playing } = await call(options, {
    path: '/_sandbox/scenario',
    shape: { Scenario: 'text', Definition: 'maybe' },
    limitMs,
  });
  const { Scenario, Definition = null } = playing;
  if (Scenario !== null && Definition === null) {
    throw callError(
      `the server runs playmoney ${server.Version}, which does not return the content of its scenario`,
    );
  }
  const { body: journal } = await call(options, {
    path: '/_sandbox/journal?Limit=1',
    shape: { Count: 'number', Evicted: 'number' },
    limitMs,
  });
  return { server, body, world, Definition, calls: journal.Count + journal.Evicted };
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
  const { pieces } = await callRaw(options, path, undefined, WORK_MS);
  for await (const piece of pieces) {
    if ((await write(piece)) <= JSON_FILE_BYTES_MAX) continue;
    throw callError(
      `the bundle would be larger than ${inMiB(JSON_FILE_BYTES_MAX)}, the maximum that \`playmoney open\` reads`,
    );
  }
}
