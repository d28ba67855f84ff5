import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

import type * as Later from '../dashboard-later.js';
import { LoadingOrError } from '../ui/panel.js';

type LaterViews = typeof Later;

const loaded = signal<LaterViews | null>(null);
const failure = signal<string | null>(null);

/** Loads the other views. Afterwards they work without waiting, also when the server has another version by then. */
export async function loadLaterViews(): Promise<void> {
  try {
    loaded.value ??= await import('../dashboard-later.js');
    failure.value = null;
  } catch {
    failure.value = 'This part of the dashboard could not be loaded. Reload the page.';
  }
}

/** What loads later; null until then. */
export function useLaterViews(): LaterViews | null {
  useEffect(() => void loadLaterViews(), []);
  return loaded.value;
}

/** One of the views that the page does not need at first. */
export function LaterView({ show }: { readonly show: (views: LaterViews) => ComponentChildren }) {
  const views = useLaterViews();
  return views === null ? <LoadingOrError error={failure.value} /> : <>{show(views)}</>;
}
