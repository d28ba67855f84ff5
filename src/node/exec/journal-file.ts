import { VERSION } from '../../version.js';
import { replaceFile } from '../state/whole-file.js';
import { harEntry } from '../../control/journal/export.js';
import { presentAll } from '../../control/journal/presenter.js';
import type { KeptEntry, Present, Tally } from './tally.js';

const JSON_FORMAT = 'playmoney-journal';
const JSON_VERSION = 1;

function isHar(file: string): boolean {
  return /\.har$/i.test(file);
}

/** How calls are presented in a file, by its extension. */
export function presenterFor(file: string): Present {
  if (!isHar(file)) return presentAll;
  // HAR has no field for the world of a call; names with an underscore are free.
  return (world, entries) => entries.map((entry) => ({ ...harEntry(entry), _world: world.name }));
}

/** Replaces a file by the calls of all worlds, the earliest first; rejects with a FileError. */
export async function writeJournal(file: string, { entries, lost }: Tally): Promise<void> {
  const inOrder = entries.toSorted((one, other) => one.realAt - other.realAt);
  await replaceFile(file, (write) => write(isHar(file) ? harOf(inOrder) : jsonOf(inOrder, lost)));
}

function harOf(entries: readonly KeptEntry[]): string {
  const creator = JSON.stringify({ name: 'playmoney', version: VERSION });
  return `{"log":{"version":"1.2","creator":${creator},"entries":[\n${listOf(entries)}\n]}}\n`;
}

/** By world: numbers and clocks of two worlds have nothing to do with each other. */
function jsonOf(entries: readonly KeptEntry[], lost: number): string {
  const head = JSON.stringify({ Format: JSON_FORMAT, Version: JSON_VERSION, Evicted: lost });
  const worlds = [...new Set(entries.map(({ world }) => world))].map((name) => {
    const own = entries.filter(({ world }) => world === name);
    return `{"World":${JSON.stringify(name)},"Entries":[\n${listOf(own)}\n]}`;
  });
  return `${head.slice(0, -1)},"Worlds":[${worlds.join(',')}]}\n`;
}

function listOf(entries: readonly KeptEntry[]): string {
  return entries.map(({ text }) => text).join(',\n');
}
