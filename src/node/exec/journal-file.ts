import { VERSION } from '../../version.js';
import type { KeptEntry, Present, Tally } from './tally.js';
import { replaceFile } from '../state/whole-file.js';
import { harEntry } from '../../control/journal/export.js';
import { presentAll } from '../../control/journal/presenter.js';

const JSON_FORMAT = 'playmoney-journal';
const JSON_VERSION = 1;

function isHar(file: string): boolean {
  return /\.har$/i.test(file);
}

/** How the calls are written that a file is for, by its extension. */
export function presenterFor(file: string): Present {
  if (!isHar(file)) return presentAll;
  // Whose world it was is no member of the format, which takes others with an underscore.
  return (world, entries) => entries.map((entry) => ({ ...harEntry(entry), _world: world.name }));
}

/** Writes the calls of all worlds, the earliest first, in place of what the file held; rejects with a FileError. */
export async function writeJournal(file: string, { entries, lost }: Tally): Promise<void> {
  const inOrder = entries.toSorted((one, other) => one.realAt - other.realAt);
  await replaceFile(file, (write) =>
    isHar(file) ? writeHar(inOrder, write) : writeJson(inOrder, lost, write),
  );
}

async function writeHar(
  entries: readonly KeptEntry[],
  write: (piece: string) => Promise<void>,
): Promise<void> {
  const creator = { name: 'playmoney', version: VERSION };
  await write(`{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[\n`);
  await write(entries.map(({ text }) => text).join(',\n'));
  await write('\n]}}\n');
}

/** By world: numbers and clocks of two worlds have nothing to do with each other. */
async function writeJson(
  entries: readonly KeptEntry[],
  lost: number,
  write: (piece: string) => Promise<void>,
): Promise<void> {
  const head = { Format: JSON_FORMAT, Version: JSON_VERSION, Evicted: lost };
  const worlds = [...new Set(entries.map(({ world }) => world))];
  const texts = worlds.map((name) => {
    const own = entries.filter(({ world }) => world === name).map(({ text }) => text);
    return `{"World":${JSON.stringify(name)},"Entries":[\n${own.join(',\n')}\n]}`;
  });
  await write(`${JSON.stringify(head).slice(0, -1)},"Worlds":[${texts.join(',')}]}\n`);
}
