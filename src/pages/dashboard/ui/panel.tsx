import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

import type { Loaded } from '../state/cache.js';

interface TitleProps {
  readonly text: string;
  /** The title of the window. Default: `text`. */
  readonly window?: string;
  /** A figure is larger. */
  readonly isFigure?: true;
  readonly children?: ComponentChildren;
}

/** The heading of a view, which takes the focus when the view opens, and the title of the window. */
export function Title({ text, window: named = text, isFigure, children }: TitleProps) {
  useLayoutEffect(() => {
    document.title = `${named} · playmoney`;
  }, [named]);
  return (
    <div class={isFigure ? 'row' : 'head row between'}>
      <h1 tabIndex={-1} class={isFigure ? 'figure num' : undefined}>
        {text}
      </h1>
      {children}
    </div>
  );
}

interface WhenLoadedProps<T> {
  readonly loaded: Loaded<T>;
  readonly show: (data: T) => ComponentChildren;
}

export function WhenLoaded<T>({ loaded: { data, error }, show }: WhenLoadedProps<T>) {
  return data === null ? <LoadingOrError error={error} /> : <>{show(data)}</>;
}

export function LoadingOrError({ error }: { error: string | null }) {
  if (error === null) return <p class="soft">Loading…</p>;
  return (
    <p class="bad" role="alert">
      {error}
    </p>
  );
}

export function EmptyPanel({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="panel stack">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

/** Names and values. Null values are left out; empty ones are a dash. */
export function FactList({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="record">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === '' ? '–' : value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
