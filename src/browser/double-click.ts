/**
 * The number of the current click within a double click, until the next frame; otherwise 0. The second click may come after the answer to
 * the first and hit another button. It must not pay again.
 */
export const click = { count: 0 };
window.addEventListener(
  'click',
  ({ detail }) => {
    click.count = detail;
    requestAnimationFrame(() => (click.count = 0));
  },
  { capture: true },
);
