import { store } from '../state/store.js';
import type { ScenariosResponse } from '../state/wire.js';
import { containsWords } from '../text/find.js';
import { describeJob, parseSpan } from '../text/jobs.js';
import { downloadDocument } from '../views/decide/documents.js';
import { advanceClock } from '../views/send.js';
import type { FoundGroup, FoundItem } from './found.js';

/** What can be done by a few letters after `>`, so that a search never changes the world. */
export function listDeeds(typed: string): FoundGroup[] {
  const { Next } = store.seen.value ?? { Next: null };
  const scenarios = store.cache.read<ScenariosResponse>('/scenarios', 'fixed').data ?? [];
  const wanted = typed.trim();
  const By = wanted.replaceAll(/\s+/g, '').replace('min', 'm');
  const named = (name: string, items: readonly FoundItem[]): FoundGroup => {
    const found = items.filter(({ text }) => containsWords(`${name} ${text}`, wanted));
    return { name, count: found.length, items: found };
  };
  const span: FoundItem = { text: wanted, run: () => void advanceClock({ By }) };
  return [
    { name: 'Move the clock by', count: 1, items: wanted === '' || parseSpan(wanted) === null ? [] : [span] },
    named('Do', [
      { text: 'Move the clock', run: () => (store.dialog.value = 'clock') },
      ...(Next === null
        ? []
        : [{ text: `Run next: ${describeJob(Next).text}`, run: () => void advanceClock({ To: Next.At }) }]),
      { text: 'Choose a world', run: () => (store.dialog.value = 'worlds') },
      { text: 'Download a bundle', run: () => void downloadDocument('/bundle', 'bundle.json') },
      { text: 'Show the keys', run: () => (store.dialog.value = 'keys') },
    ]),
    named(
      'Use scenario',
      scenarios.map(({ Name }) => ({
        text: Name,
        run: () => void store.callAndNotify('PUT', '/scenario', { Name }, `${Name} is in use.`),
      })),
    ),
  ].filter(({ items }) => items.length > 0);
}
