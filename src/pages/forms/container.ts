import { PlaymoneyError } from '../calls/error.js';
import { makeElement } from './elements.js';

export function requireContainer(id: string): HTMLElement {
  const container = document.getElementById(id.replace(/^#/, ''));
  if (container !== null) return container;
  throw new PlaymoneyError(`There is no element #${id}. Add it to the page first.`);
}

export function addFolded(container: Element, name: string): Element {
  const details = makeElement('details', { class: 'playmoney-way' }, makeElement('summary', {}, name));
  container.append(details);
  return details;
}
