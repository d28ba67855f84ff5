/** Rows of lists and tables mark what opens them with `data-row`. */
const ROWS = 'main [data-row]';

export function focusRow(id: string): void {
  document.querySelector<HTMLElement>(`main [data-row="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
}

/** Moves the focus to the next or the previous row. If a row is open, opens the new one in its place. */
export function moveRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const focused = rows.findIndex((row) => row === document.activeElement);
  const open = rows.findIndex((row) => row.getAttribute('aria-expanded') === 'true');
  const at = focused >= 0 ? focused : open;
  const next = at < 0 ? rows[0] : rows[at + by];
  if (next === undefined) return;
  next.focus();
  if (open >= 0) next.click();
}

/** Whether a person has just selected text in a row, which ends with a click. */
export function hasSelectionIn(row: Node): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true);
}
