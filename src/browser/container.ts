import { PlaymoneyError } from './call.js';
import { element } from './elements.js';

/** The element in which the page wants a form. */
export function containerOf(id: string): HTMLElement {
  const container = document.getElementById(id.replace(/^#/, ''));
  if (container !== null) return container;
  throw new PlaymoneyError(`There is no element #${id}. Add the form once the page has one.`);
}

/** The place of a way to pay that opens at a click. */
export function foldedIn(container: Element, name: string): Element {
  const details = element('details', { class: 'playmoney-way' }, element('summary', {}, name));
  container.append(details);
  return details;
}
