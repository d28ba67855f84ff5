import { count } from '../../core/text/text.js';
import { call, callError, callRaw, requirePlaymoney, WORK_MS } from '../remote/client.js';
import type { ClientOptions } from '../options/option-table.js';
import { otherWorlds, worldsOf } from '../remote/other-worlds.js';
import { linesOf, type Output, type Printable } from '../terminal/terminal.js';
import { JSON_FILE_BYTES_MAX } from '../files/json-file.js';
import { inMiB, type Write, writeNew } from '../files/whole-file.js';
import { NUMBERS_WARNING, openedBy } from './bundle-note.js';
import { CardNumbers } from './card-numbers.js';

/**
 * Writes a world into a new file for a bug report: its state, its calls as a trace, its seed and scenario, and the
 * versions of the server. Warns if it has card numbers, or no calls. Rejects with a CommandError.
 */
export async function bundle(options: ClientOptions, file: string, warn: Output['err']): Promise<Printable> {
  await requirePlaymoney(options);
  const { body, world, hash } = await call(options, {
    path: '/_sandbox/journal?Limit=1',
    shape: { Count: 'number', Evicted: 'number' },
  });
  const calls = body.Count + body.Evicted;
  const numbers = new CardNumbers();
  const bytes = await writeNew(file, 'bundle', (write) => copy(options, numbers, write));
  if (calls === 0) {
    const hint = otherWorlds(hash, await worldsOf(options));
    warn(linesOf([`Warning: ${world} has no calls. Is it the world of the failure?`, ...hint]));
  }
  if (numbers.isFound) warn(linesOf([NUMBERS_WARNING]));
  const size = `${Math.ceil(bytes / 1024)} KiB, ${count(calls, 'call')} of ${world}`;
  return linesOf([`${file}: ${size}. ${openedBy(file)}`]);
}

/** Copies in pieces, since an answer may be as large as the world. */
async function copy(options: ClientOptions, numbers: CardNumbers, write: Write): Promise<void> {
  const { pieces } = await callRaw(options, '/_sandbox/bundle', undefined, WORK_MS);
  for await (const piece of pieces) {
    numbers.read(Buffer.from(piece).toString('latin1'));
    if ((await write(piece)) <= JSON_FILE_BYTES_MAX) continue;
    throw callError(
      `the bundle would be larger than ${inMiB(JSON_FILE_BYTES_MAX)}, the maximum that \`playmoney open\` reads`,
    );
  }
}
