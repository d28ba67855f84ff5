/**
 * Which click of a double click is under way, up to the next frame; else 0. The second one may come after the answer to the first, on any
 * button of the page, and must not pay again.
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
