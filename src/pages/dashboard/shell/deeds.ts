import { store } from '../state/store.js';
import type { ScenariosResponse } from '../state/wire.js';
import { describeJob, parseSpan } from '../text/jobs.js';
import { canDownloadPage, downloadDocument, downloadPage } from '../views/download.js';
import { advanceClock } from '../views/send.js';
import { findEverything, type FoundGroup, type FoundItem, listRecentItems, takeNamed } from './found.js';

const DEEDS_MAX = 8;

/** The deeds whose names contain what was typed after `>`, so that a search never changes the world. */
function listDeeds(typed: string): FoundGroup[] {
  const { Next } = store.seen.value ?? { Next: null };
  const scenarios = store.cache.read<ScenariosResponse>('/scenarios', 'fixed').data ?? [];
  const wanted = typed.trim();
  const span = parseSpan(wanted);
  const moves: FoundItem[] = span === null ? [] : [[wanted, () => void advanceClock({ By: `${span}ms` })]];
  const next: FoundItem[] =
    Next === null ? [] : [[`Run next: ${describeJob(Next).text}`, () => void advanceClock({ To: Next.At })]];
  const deeds: readonly FoundItem[] = [
    ['Move the clock', () => (store.dialog.value = 'clock')],
    ...next,
    ['Choose a world', () => (store.dialog.value = 'worlds')],
    ['Download a bundle', () => void downloadDocument('/bundle', 'bundle.json')],
    ...(canDownloadPage() ? [['Download as page', () => void downloadPage()] as const] : []),
    ['Show the keys', () => (store.dialog.value = 'keys')],
  ];
  const uses = scenarios.map(({ Name }): FoundItem => [
    Name,
    () => void store.callAndNotify('PUT', '/scenario', { Name }, `${Name} is in use.`),
  ]);
  return [
    takeNamed('Move the clock by', wanted, moves),
    takeNamed('Do', wanted, deeds, DEEDS_MAX),
    takeNamed('Use scenario', wanted, uses, DEEDS_MAX),
  ].filter(({ items }) => items.length > 0);
}

/** The list of the palette for a typed text: deeds after `>`, otherwise what contains it, or what was found before. */
export function listFoundGroups(typed: string): FoundGroup[] {
  if (typed.startsWith('>')) return listDeeds(typed.slice(1));
  return typed.trim() === '' ? listRecentItems() : findEverything(typed);
}
