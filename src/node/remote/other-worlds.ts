import * as z from 'zod';

import { formatCount, quoteText } from '../../core/text/text.js';
import { callServer, JOURNAL_BYTES_MAX } from './call-server.js';
import type { ClientOptions } from '../options/option-table.js';

const LISTED_MAX = 5;

const ListedWorld = z.object({
  World: z.string(),
  Name: z.string().nullable(),
  Counts: z.record(z.string(), z.unknown()),
});
type ListedWorld = z.output<typeof ListedWorld>;

export async function listWorlds(options: ClientOptions): Promise<readonly ListedWorld[]> {
  const { body } = await callServer(options, {
    path: '/_sandbox/worlds',
    schema: z.object({ Worlds: z.array(ListedWorld) }),
    bytesMax: JOURNAL_BYTES_MAX,
  });
  return body.Worlds;
}

/**
 * For an empty result of the world with the hash `own`, a line about the other worlds that have calls, since a program may have used
 * another key. No line if the world itself has calls, or none has.
 */
export function describeOtherWorlds(own: string | null, worlds: readonly ListedWorld[]): string[] {
  const called = worlds.filter((world) => countCalls(world) > 0);
  if (called.length === 0 || called.some(({ World }) => World === own)) return [];
  const shown = called
    .toSorted((one, other) => countCalls(other) - countCalls(one))
    .slice(0, LISTED_MAX)
    .map((world) => {
      const name = world.Name === null ? '' : ` ${quoteText(world.Name)}`;
      return `${world.World}${name} (${formatCount(countCalls(world), 'call')})`;
    });
  const more = called.length - shown.length;
  const listed = more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
  return [`Other worlds have calls: ${listed}. Choose one by its key, with --key or PLAYMONEY_KEY.`];
}

function countCalls({ Counts }: ListedWorld): number {
  return Number(Counts['JournalEntries'] ?? 0);
}
