import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

import { moveRow } from './rows.js';

export interface InspectorProps {
  readonly label: string;
  readonly title: ComponentChildren;
  readonly about?: ComponentChildren;
  /** The parts, of which one is shown at a time. */
  readonly tabs: readonly (readonly [name: string, show: () => ComponentChildren])[];
  /** Left out for an inspector that belongs to its page. */
  readonly close?: (() => void) | undefined;
}

/** Shows the details of a row beside its list, in tabs. */
export function Inspector({ label, title, about, tabs, close }: InspectorProps) {
  const [chosen, choose] = useState(tabs[0]?.[0]);
  const panel = useId();
  const now = tabs.find(([name]) => name === chosen) ?? tabs[0];
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const place = tabs.findIndex(([name]) => name === now?.[0]);
    const next = tabs[(place + by + tabs.length) % tabs.length];
    choose(next?.[0]);
    const bar = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => bar.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
  };
  return (
    <aside class="inspector" aria-label={label}>
      <header>
        <div class="row between">
          <h2 class="row">{title}</h2>
          <span class="row">
            <button type="button" class="plain" aria-label="Previous row" onClick={() => moveRow(-1)}>
              ↑
            </button>
            <button type="button" class="plain" aria-label="Next row" onClick={() => moveRow(1)}>
              ↓
            </button>
            {close === undefined ? null : (
              <button type="button" class="plain" aria-label="Close" onClick={close}>
                ✕
              </button>
            )}
          </span>
        </div>
        <p class="soft">{about}</p>
        <div class="tabs" role="tablist" aria-label={label} onKeyDown={step}>
          {tabs.map(([name]) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={name === now?.[0]}
              aria-controls={panel}
              tabIndex={name === now?.[0] ? 0 : -1}
              onClick={() => choose(name)}
            >
              {name}
            </button>
          ))}
        </div>
      </header>
      <div class="stack" role="tabpanel" id={panel} aria-label={now?.[0]}>
        {now?.[1]()}
      </div>
    </aside>
  );
}
