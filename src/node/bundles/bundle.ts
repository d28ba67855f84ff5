import * as z from 'zod';

import { formatCount } from '../../core/text/text.js';
import {
  callServer,
  buildCallError,
  callServerRaw,
  requirePlaymoney,
  WORK_MS,
} from '../remote/call-server.js';
import type { BundleOptions } from '../options/replay-options.js';
import { describeOtherWorlds, listWorlds } from '../remote/other-worlds.js';
import { formatLines, type Output, type Printable } from '../terminal/terminal.js';
import { JSON_FILE_BYTES_MAX } from '../files/json-file.js';
import { formatMiB, type WritePiece, writeNew } from '../files/whole-file.js';
import { NUMBERS_WARNING, describeOpening } from './bundle-note.js';
import { CardNumberFinder } from './card-numbers.js';

/**
 * Writes a world into a new file for a bug report: its state, its calls as a trace, its seed and scenario, and the
 * versions of the server; or the same as a page. Warns if it has card numbers, or no calls. Rejects with a CommandError.
 */
export async function runBundle(
  options: BundleOptions,
  given: string | null,
  warn: Output['err'],
): Promise<Printable> {
  const file = given ?? `playmoney-bundle.${options.html ? 'html' : 'json'}`;
  await requirePlaymoney(options);
  const { body, world, hash } = await callServer(options, {
    path: '/_sandbox/journal?Limit=1',
    schema: z.object({ Count: z.number(), Evicted: z.number() }),
  });
  const calls = body.Count + body.Evicted;
  const numbers = new CardNumberFinder();
  const bytes = await writeNew(file, 'bundle', (write) => copyBundle(options, numbers, write));
  if (calls === 0) {
    const hint = describeOtherWorlds(hash, await listWorlds(options));
    warn(formatLines([`Warning: ${world} has no calls. Is it the world of the failure?`, ...hint]));
  }
  if (numbers.isFound) warn(formatLines([NUMBERS_WARNING]));
  const size = `${Math.ceil(bytes / 1024)} KiB, ${formatCount(calls, 'call')} of ${world}`;
  return formatLines([`${file}: ${size}. ${options.html ? 'Open it in a browser' : describeOpening(file)}`]);
}

/** Copies in pieces, since an answer may be as large as the world. */
async function copyBundle(
  options: BundleOptions,
  numbers: CardNumberFinder,
  write: WritePiece,
): Promise<void> {
  const path = `/_sandbox/bundle${options.html ? '?Format=html' : ''}`;
  const { pieces } = await callServerRaw(options, { path, limitMs: WORK_MS });
  for await (const piece of pieces) {
    numbers.read(Buffer.from(piece).toString('latin1'));
    if ((await write(piece)) <= JSON_FILE_BYTES_MAX) continue;
    throw buildCallError(
      `the bundle would be larger than ${formatMiB(JSON_FILE_BYTES_MAX)}, the maximum that \`playmoney open\` reads`,
    );
  }
}
