import { useState } from 'preact/hooks';

import { store } from '../state/store.js';
import { Dialog } from '../ui/dialog.js';
import { PLAIN_TEXT } from '../ui/fields.js';
import type { FoundGroup, FoundItem } from './found.js';
import { useLaterViews } from './later.js';

const close = (): void => void (store.dialog.value = null);

/** Finds anything by a few letters; after `>`, does something. */
export function Palette() {
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const later = useLaterViews();
  const groups = later?.listFoundGroups(typed) ?? [];
  const shown = groups.flatMap(({ items }) => items);
  const at = Math.min(place, shown.length - 1);
  const run = (item: FoundItem | undefined): void => {
    close();
    if (item === undefined) return;
    if (!typed.startsWith('>')) later?.rememberItem(item);
    const [, go] = item;
    if (typeof go === 'string') location.assign(go);
    else go();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) setPlace((at + by + shown.length) % Math.max(1, shown.length));
    else if (event.key === 'Enter' && later !== null) run(shown[at]);
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
        placeholder="An order, an identifier, a name, an amount, a code… or > to do something"
        autofocus
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={onKeyDown}
        {...PLAIN_TEXT}
      />
      <div id="found" role="listbox" aria-label="Found">
        {groups.map((group) => (
          <FoundItems key={group.name} group={group} selected={shown[at]} shown={shown} run={run} />
        ))}
      </div>
      {later !== null && shown.length === 0 && typed.trim() !== '' ? (
        <p class="soft">Nothing in this world contains it.</p>
      ) : null}
    </Dialog>
  );
}

interface FoundItemsProps {
  readonly group: FoundGroup;
  readonly selected: FoundItem | undefined;
  readonly shown: readonly FoundItem[];
  readonly run: (item: FoundItem) => void;
}

function FoundItems({ group: { name, count, items }, selected, shown, run }: FoundItemsProps) {
  return (
    <div role="group" aria-label={name}>
      <p class="soft" aria-hidden="true">
        {name} {count > items.length ? count.toLocaleString('en-GB') : null}
      </p>
      {items.map((item) => {
        const n = shown.indexOf(item);
        return (
          <div
            key={n}
            id={`found-${n}`}
            role="option"
            aria-selected={item === selected}
            onClick={() => run(item)}
          >
            <bdi>{item[0]}</bdi>
          </div>
        );
      })}
    </div>
  );
}
