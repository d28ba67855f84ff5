import { viewHref } from '../state/route.js';
import { hasSelectionIn } from '../ui/rows.js';

interface ReferenceLinkProps {
  readonly reference: string | null;
  /** Within the button of a row, which must not contain a link. */
  readonly isInRow?: true;
}

/** A Reference, which leads to its order wherever it is shown. Somebody typed it, so it may be in any script. */
export function ReferenceLink({ reference, isInRow }: ReferenceLinkProps) {
  if (!reference) return null;
  const href = viewHref('orders', reference);
  if (!isInRow) {
    return (
      <a href={href} title={reference}>
        <bdi>{reference}</bdi>
      </a>
    );
  }
  const open = (event: MouseEvent): void => {
    // The end of a selection.
    if (hasSelectionIn(event.currentTarget as Node)) return;
    // The row is a link of its own.
    event.preventDefault();
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.shiftKey) window.open(href);
    else location.hash = href;
  };
  return (
    <bdi class="to-order" title={`Everything about ${reference}`} onClick={open}>
      {reference}
    </bdi>
  );
}
