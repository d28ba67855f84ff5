import { store } from '../state/store.js';
import { Dialog } from '../ui/dialog.js';
import { FactList } from '../ui/panel.js';
import { focusRow, moveRow } from '../ui/rows.js';

const KEYS: readonly (readonly [key: string, what: string])[] = [
  ['/', 'Filter the list'],
  ['j, k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close what is open'],
  ['c', 'Copy the open call as curl'],
  ['Ctrl K', 'Find or do something'],
  ['t', 'Move the clock'],
  ['w', 'Choose a world'],
  ['?', 'These keys'],
];

export function KeysDialog() {
  return (
    <Dialog title="Keys" closed={() => (store.dialog.value = null)}>
      <FactList facts={KEYS.map(([key, what]) => [what, <kbd>{key}</kbd>])} />
      <form method="dialog">
        <button>Close</button>
      </form>
    </Dialog>
  );
}

const ACTIONS: Readonly<Record<string, () => void>> = {
  '/': () => document.querySelector<HTMLElement>('main input[type=search]')?.focus(),
  j: () => moveRow(1),
  k: () => moveRow(-1),
  c: () => document.querySelector<HTMLElement>('[aria-keyshortcuts=c]')?.click(),
  t: () => void (store.dialog.value = 'clock'),
  w: () => void (store.dialog.value = 'worlds'),
  '?': () => void (store.dialog.value = 'keys'),
};

function isTyping({ target }: Event): boolean {
  return target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** The keys that work on the whole page. */
export function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') {
    event.preventDefault();
    store.dialog.value = 'palette';
    return;
  }
  // A dialog closes by itself.
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return;
  if (key === 'Escape') return onEscape(event);
  if (isTyping(event)) return;
  const act = ACTIONS[key];
  if (act === undefined) return;
  event.preventDefault();
  act();
}

function onEscape(event: Event): void {
  if (isTyping(event)) {
    // A browser would empty a search field.
    event.preventDefault();
    (event.target as HTMLElement).blur();
  } else if (store.route.peek().query.has('open')) closeRow(store.route.peek().query.get('open'));
  else store.notice.value = null;
}

/** Closes the inspector of a row, and gives the focus back to the row. */
export function closeRow(id: string | null): void {
  store.changeQuery({ open: null });
  if (id !== null) focusRow(id);
}
