import { type Child, memo, useRef, useState } from 'hono/jsx/dom';

import { clockTime, dateTime, localTime } from '../text/format.js';
import { useStore } from './parts.js';

interface Frozen<E> {
  /** The subject of the list, such as a filter. A list with another subject replaces it. */
  readonly about: string;
  readonly events: readonly E[];
  readonly open: ReadonlySet<string>;
  readonly isPaused: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** Freezes a list while one of its lines is open, so that no line moves or disappears under the reader. */
export function useFreezableList<E>(newest: readonly E[], idOf: (event: E) => string, about: string) {
  const [last, setFrozen] = useState<Frozen<E> | null>(null);
  const isFrozen = last?.about === about;
  const current = isFrozen ? last : { about, events: newest, open: NONE, isPaused: false };
  // Memoised lines call functions of an earlier render.
  const now = useRef(current);
  now.current = current;
  const freeze = (next: Frozen<E>): void => setFrozen(next.isPaused || next.open.size > 0 ? next : null);
  return {
    ...compare(current.events, newest, idOf),
    isFrozen,
    isOpen: (event: E) => current.open.has(idOf(event)),
    toggle(event: E) {
      const before = now.current ?? current;
      const open = new Set(before.open);
      if (!open.delete(idOf(event))) open.add(idOf(event));
      freeze({ ...before, open });
    },
    pause: () => freeze({ ...current, isPaused: true }),
    resume: () => setFrozen(null),
  };
}

function compare<E>(events: readonly E[], newest: readonly E[], idOf: (event: E) => string) {
  if (events === newest) return { shown: newest, missed: 0 };
  const present = new Map(newest.map((event) => [idOf(event), event]));
  const shown = events.map((event) => {
    const id = idOf(event);
    const now = present.get(id) ?? event;
    present.delete(id);
    return now;
  });
  return { shown, missed: present.size };
}

interface EventParts {
  readonly at: string;
  readonly realAt?: string;
  readonly method: string;
  readonly address: Child;
  readonly status: Child;
  readonly about: Child;
  readonly why: string;
}

export interface Openable {
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

interface EventRowProps extends Openable {
  readonly event: object;
  readonly id: string;
  readonly parts: () => EventParts;
  readonly detail: () => Child;
}

export function EventRow({ detail, ...line }: EventRowProps) {
  const { id, isOpen } = line;
  const { seen } = useStore();
  const today = seen?.Now.slice(0, 10) ?? '';
  const isReal = (seen?.Mode ?? 'real') === 'real';
  return (
    <li class={isOpen ? 'open' : ''}>
      <EventLine today={today} isReal={isReal} {...line} />
      {isOpen ? (
        <div class="detail stack" id={id}>
          {detail()}
        </div>
      ) : null}
    </li>
  );
}

interface EventLineProps extends Omit<EventRowProps, 'detail'> {
  /** The world's date. Times of this day are shown without a date. */
  readonly today: string;
  /** Whether the world's clock is real. If not, lines also show the real time. */
  readonly isReal: boolean;
}

/** Memoised, because there are many lines and they rarely change. */
const EventLine = memo(
  PlainLine,
  (before, after) =>
    before.event === after.event &&
    before.isOpen === after.isOpen &&
    before.today === after.today &&
    before.isReal === after.isReal,
);

function PlainLine({ id, parts, today, isReal, isOpen, toggle }: EventLineProps) {
  const { at, realAt, method, address, status, about, why } = parts();
  return (
    <button
      type="button"
      class={isReal || realAt === undefined ? 'line' : 'line two-clocks'}
      aria-expanded={isOpen}
      aria-controls={isOpen ? id : undefined}
      onClick={toggle}
    >
      <time class="at" title={at}>
        {at.startsWith(today) ? clockTime(at) : dateTime(at).slice(5)}
      </time>
      {isReal || realAt === undefined ? null : (
        <time class="at real" title={`Real time: ${realAt}`}>
          {localTime(realAt)}
        </time>
      )}
      <span class="method">{method}</span>
      <span class="cut">{address}</span>
      {status}
      <span class="rest">
        <span class="about">{about}</span>
        <span class="why cut">{why}</span>
      </span>
    </button>
  );
}
