import { useState } from 'preact/hooks';

import { FIRST_VIEW, viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type { ScenariosResponse, TriggersResponse, WorldsResponse } from '../state/wire.js';
import { groupDigits } from '../text/format.js';
import { describeJob, parseSpan } from '../text/jobs.js';
import { PLAIN_TEXT } from '../ui/fields.js';
import { Dialog } from '../ui/dialog.js';
import { advanceClock } from '../views/send.js';
import { downloadDocument } from '../views/decide/documents.js';
import { PAGES, NAV_ENTRIES } from './nav.js';

interface PaletteItem {
  readonly kind: string;
  readonly text: string;
  readonly run: () => void;
}

const SHOWN_MAX = 12;
const close = (): void => void (store.dialog.value = null);
const goTo = (hash: string) => (): void => void (location.hash = hash);

/** Finds views, records, worlds, cards and scenarios, and does things, by a few letters. */
export function Palette() {
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const items = [
    ...listFixedItems().filter(({ kind, text }) => containsWords(`${kind} ${text}`, typed)),
    ...listTypedItems(typed),
  ];
  const shown = items.slice(0, SHOWN_MAX);
  const at = Math.min(place, shown.length - 1);
  const run = (item: PaletteItem | undefined): void => {
    close();
    item?.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) setPlace((at + by + shown.length) % Math.max(1, shown.length));
    else if (event.key === 'Enter') run(shown[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find or do" closed={close} class="wide palette">
      <input
        role="combobox"
        aria-label="Find or do"
        aria-expanded={true}
        aria-controls="found"
        aria-activedescendant={shown.length === 0 ? undefined : `found-${at}`}
        placeholder="A view, an identifier, a reference, 7d, a card…"
        autofocus
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={onKeyDown}
        {...PLAIN_TEXT}
      />
      <ul id="found" role="listbox" aria-label="Found">
        {shown.map((item, n) => (
          <li
            key={`${item.kind} ${item.text}`}
            id={`found-${n}`}
            role="option"
            aria-selected={n === at}
            onClick={() => run(item)}
          >
            <span class="soft">{item.kind}</span> {item.text}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function containsWords(text: string, typed: string): boolean {
  const whole = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

function listFixedItems(): PaletteItem[] {
  const { cache } = store;
  const { Next } = store.seen.value ?? { Next: null };
  const scenarios = cache.read<ScenariosResponse>('/scenarios', 'fixed').data ?? [];
  const triggers = cache.read<TriggersResponse>('/triggers', 'fixed').data;
  const worlds = cache.read<WorldsResponse>('/worlds').data?.Worlds ?? [];
  return [
    ...NAV_ENTRIES.map(({ view, name }) => ({ kind: 'Go to', text: name, run: goTo(viewHref(view)) })),
    ...PAGES.map(([path, name]) => ({
      kind: 'Go to',
      text: name,
      run: () => location.assign(path),
    })),
    { kind: 'Do', text: 'Move the clock', run: () => (store.dialog.value = 'clock') },
    ...(Next === null
      ? []
      : [
          {
            kind: 'Do',
            text: `Run next: ${describeJob(Next).text}`,
            run: () => void advanceClock({ To: Next.At }),
          },
        ]),
    { kind: 'Do', text: 'Choose a world', run: () => (store.dialog.value = 'worlds') },
    { kind: 'Do', text: 'Download a bundle', run: () => void downloadDocument('/bundle', 'bundle.json') },
    { kind: 'Do', text: 'Show the keys', run: () => (store.dialog.value = 'keys') },
    ...scenarios.map(({ Name }) => ({
      kind: 'Use scenario',
      text: Name,
      run: () => void store.callAndNotify('PUT', '/scenario', { Name }, `${Name} is in use.`),
    })),
    ...worlds.map(({ World, Name }) => ({
      kind: 'World',
      text: `${World} ${Name ?? ''}`.trim(),
      run: goTo(viewHref(FIRST_VIEW, null, {}, World)),
    })),
    ...(triggers?.Cards ?? []).map(({ CardNumber, Effect }) => ({
      kind: 'Copy card',
      text: `${groupDigits(CardNumber)} ${Effect} ${CardNumber}`,
      run: () => copyText(CardNumber),
    })),
  ];
}

function copyText(text: string): void {
  void navigator.clipboard.writeText(text).then(
    () => store.notify(`Copied ${text}.`),
    () => store.notify('The browser does not allow copying.', true),
  );
}

/** The actions for the typed text itself: `7d` moves the clock, an identifier opens its charge. */
function listTypedItems(typed: string): PaletteItem[] {
  const text = typed.trim();
  if (text === '') return [];
  const span = parseSpan(text);
  const By = text.replaceAll(/\s+/g, '').replace('min', 'm');
  return [
    ...(span === null ? [] : [{ kind: 'Move the clock by', text, run: () => void advanceClock({ By }) }]),
    ...(/^[0-9a-f]{32}$/.test(text)
      ? [{ kind: 'Charge', text, run: goTo(viewHref('charges', text)) }]
      : [
          { kind: 'Charges with reference', text, run: goTo(viewHref('charges', null, { Reference: text })) },
        ]),
    { kind: 'Calls that contain', text, run: goTo(viewHref('calls', null, { Search: text })) },
    { kind: 'Webhooks that contain', text, run: goTo(viewHref('webhooks', null, { Search: text })) },
  ];
}
