import { PlaymoneyError } from '../calls/error.js';

/** An element with attributes and content. Texts become text nodes, never markup. */
export function makeElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${type.name} #${id}.`);
}

const styles = new Set<string>();

/** Adds a style sheet once. A constructed one passes a strict content security policy; jsdom, which shows nothing, has none. */
export function addStyle(text: string): void {
  if (styles.has(text) || !('adoptedStyleSheets' in document)) return;
  styles.add(text);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

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
