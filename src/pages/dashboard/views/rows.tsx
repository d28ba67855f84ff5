import type { ComponentChildren } from 'preact';

import { routeHref } from '../state/route.js';
import { store } from '../state/store.js';
import { callWithUndo } from '../state/undo.js';
import { formatClockTime, formatDateTime } from '../text/format.js';
import { formatMoment, formatTime } from '../text/when.js';
import { ConfirmButton } from '../ui/dialog.js';
import { Button } from '../ui/button.js';

interface CallButtonProps {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly done: string | ((answer: unknown) => string);
  readonly label?: string | undefined;
  readonly kind?: 'main' | 'plain' | 'danger';
  readonly isDisabled?: boolean;
  /** Whether its notice has a button that undoes it. */
  readonly canUndo?: boolean;
  /** Asks before it sends the call. */
  readonly ask?: { readonly question: string; readonly consequence: string; readonly confirm: string };
  readonly children?: ComponentChildren;
}

/** A button that sends a call of the control API. */
export function CallButton({ method, path, body, done, ask, canUndo = false, ...button }: CallButtonProps) {
  const run = (): void =>
    void (canUndo ? callWithUndo(method, path, body, done) : store.callAndNotify(method, path, body, done));
  return ask === undefined ? (
    <Button {...button} run={run} />
  ) : (
    <ConfirmButton {...button} {...ask} run={run} />
  );
}

/** The time of an event in the world: with the date if that is not today. */
export function EventTime({ at, realAt }: { at: string; realAt?: string }) {
  const seen = store.seen.value;
  const isToday = at.startsWith(seen?.Now.slice(0, 10) ?? ' ');
  const isReal = (seen?.Mode ?? 'real') === 'real';
  return (
    <span class="at num">
      <time title={formatMoment(at)}>{isToday ? formatClockTime(at) : formatDateTime(at).slice(5)}</time>
      {isReal || realAt === undefined ? null : (
        <time class="soft real" title={`Real time: ${formatMoment(realAt)}`}>
          {formatTime(realAt)}
        </time>
      )}
    </span>
  );
}

/** The date and the clock mode, on which the times in all rows depend. */
export function dayAndMode(): string {
  const seen = store.seen.value;
  return `${seen?.Now.slice(0, 10) ?? ''} ${seen?.Mode === 'real' ? 'real' : ''}`;
}

/** Keeps the filters of a list, starting at its first page. */
export function filterBy(name: string, value: string | null): void {
  store.changeQuery({ [name]: value, Skip: null, open: null });
}

export function pageHref(skip: number): string {
  return routeHref(store.route.value, { Skip: String(skip), open: null });
}

/** The view as it is, with a row open. */
export function openRowHref(open: string): string {
  return routeHref(store.route.value, { open });
}
