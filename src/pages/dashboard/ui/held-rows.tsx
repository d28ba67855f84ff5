import { useEffect, useRef, useState } from 'preact/hooks';

interface HeldRows<R> {
  readonly about: string;
  readonly rows: readonly R[];
}

/**
 * The rows of a list, which stay as they are while one is read: while one is open, the keyboard is at one, or the page is scrolled. A list
 * about something else, such as another filter, replaces them, and so does `release`.
 */
export function useHeldRows<R>(newest: readonly R[], isOpen: boolean, about: string) {
  const held = useRef<HeldRows<R>>({ about, rows: newest });
  const isAway = useScrolled();
  const [, redraw] = useState(0);
  const isRead = isOpen || isAway || document.querySelector('.feed :focus-visible') !== null;
  if (held.current.about !== about || !isRead || held.current.rows.length === 0)
    held.current = { about, rows: newest };
  const release = (): void => {
    held.current = { about, rows: newest };
    redraw((n) => n + 1);
    scrollTo(0, 0);
  };
  return { rows: held.current.rows, release };
}

/** How far the page may be scrolled with its first rows still in sight, in pixels. */
const NEAR_TOP_PX = 80;

function useScrolled(): boolean {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const look = (): void => setAway(scrollY > NEAR_TOP_PX);
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return isAway;
}

interface NewsProps {
  readonly count: number;
  readonly noun: string;
  readonly show: () => void;
}

/** Shows what came while a list was read. It takes no room, so that no row moves when it appears. */
export function NewRowsButton({ count, noun, show }: NewsProps) {
  return (
    <div class="news">
      {count === 0 ? null : (
        <button type="button" onClick={show}>
          {count.toLocaleString('en-GB')} new{noun}
        </button>
      )}
    </div>
  );
}
