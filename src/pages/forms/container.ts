import { PlaymoneyError } from '../calls/error.js';
import { element } from './elements.js';

export function containerOf(id: string): HTMLElement {
  const container = document.getElementById(id.replace(/^#/, ''));
  if (container !== null) return container;
  throw new PlaymoneyError(`There is no element #${id}. Add it to the page first.`);
}

export function foldedIn(container: Element, name: string): Element {
  const details = element('details', { class: 'playmoney-way' }, element('summary', {}, name));
  container.append(details);
  return details;
}
