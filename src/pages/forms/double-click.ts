/**
 * The number of the current click within a double click, until the next frame; otherwise 0. The second click may come after the answer to
 * the first and hit another button. It must not pay again.
 */
export const click = { count: 0, isCounted: false };

export function countClicks(): void {
  if (click.isCounted) return;
  click.isCounted = true;
  const count = ({ detail }: MouseEvent): void => {
    click.count = detail;
    requestAnimationFrame(() => (click.count = 0));
  };
  window.addEventListener('click', count, { capture: true });
}
