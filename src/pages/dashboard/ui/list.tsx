import { Component, type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { hasSelectionIn } from './rows.js';

interface ListProps<R> {
  readonly label: string;
  readonly rows: readonly R[];
  readonly idOf: (row: R) => string;
  /** The identifier of the row that the inspector shows. */
  readonly open: string | null;
  readonly choose: (id: string | null) => void;
  /** The address of the page with a row open, for another tab. */
  readonly hrefOf: (id: string) => string;
  readonly show: (row: R) => ComponentChildren;
  /** The values that all rows depend on, such as today's date. If they change, all rows render again. */
  readonly about?: string;
}

/** How many rows are rendered above and below the window. */
const SPARE = 12;
/** The height of a row before one was measured, in pixels. */
const ROW_PX = 34;

/** A list whose rows have one height, so that only those near the window are rendered. One of them is reached by Tab, the others by j and k. */
export function List<R>({ label, rows, idOf, open, choose, hrefOf, show, about = '' }: ListProps<R>) {
  const list = useRef<HTMLOListElement>(null);
  const [height, setHeight] = useState(ROW_PX);
  const [{ from, to }, setRange] = useState({ from: 0, to: 60 });
  useLayoutEffect(() => {
    const look = (): void => {
      const { current } = list;
      if (current === null) return;
      const row = (current.firstElementChild as HTMLElement | null)?.offsetHeight ?? 0;
      if (row > 0) setHeight(row);
      const { top } = current.getBoundingClientRect();
      const first = Math.max(0, Math.floor(-top / (row || ROW_PX)) - SPARE);
      const last = Math.ceil((innerHeight - top) / (row || ROW_PX)) + SPARE;
      setRange((before) =>
        before.from === first && before.to === last ? before : { from: first, to: last },
      );
    };
    look();
    addEventListener('scroll', look, { passive: true });
    // An inspector that opens beside the list changes its width, and so the height of its rows.
    const watch = new ResizeObserver(look);
    if (list.current !== null) watch.observe(list.current);
    return () => {
      removeEventListener('scroll', look);
      watch.disconnect();
    };
  }, []);
  const start = Math.min(from, Math.max(0, rows.length - SPARE));
  const shown = rows.slice(start, Math.max(to, start + SPARE));
  const stop = shown.find((row) => idOf(row) === open) ?? shown[0];
  const style = {
    paddingTop: `${start * height}px`,
    paddingBottom: `${(rows.length - start - shown.length) * height}px`,
  };
  return (
    <ol ref={list} class="feed" aria-label={label} style={style}>
      {shown.map((row) => {
        const id = idOf(row);
        const rest = { id, choose, hrefOf, show, about, isOpen: id === open, isStop: row === stop };
        return <ListRow key={id} row={row} {...rest} />;
      })}
    </ol>
  );
}

interface RowProps<R> extends Pick<ListProps<R>, 'choose' | 'hrefOf' | 'show'> {
  readonly row: R;
  readonly id: string;
  readonly about: string;
  readonly isOpen: boolean;
  readonly isStop: boolean;
}

/** Renders again only if what it shows has changed. */
class ListRow<R> extends Component<RowProps<R>> {
  override shouldComponentUpdate({ row, about, isOpen, isStop }: RowProps<R>): boolean {
    const { props } = this;
    return row !== props.row || about !== props.about || isOpen !== props.isOpen || isStop !== props.isStop;
  }

  override render({ row, id, isOpen, isStop, choose, hrefOf, show }: RowProps<R>) {
    const onClick = (event: MouseEvent): void => {
      // Another tab or window.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (!hasSelectionIn(event.currentTarget as Node)) choose(isOpen ? null : id);
    };
    return (
      <li>
        <a
          href={hrefOf(id)}
          // Dragging selects text.
          draggable={false}
          data-row={id}
          tabIndex={isStop ? 0 : -1}
          aria-expanded={isOpen}
          onClick={onClick}
        >
          {show(row)}
        </a>
      </li>
    );
  }
}
