/** An element with attributes and content. Texts become text nodes, so that none of them can become markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

/** The element of an id, which the page has. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`Failed to find the ${type.name} #${id} in the page.`);
}

const styles = new Set<string>();

/** Adds a style sheet to the page, once. A constructed sheet passes a strict content security policy, which an inline one does not. */
export function addStyle(text: string): void {
  if (styles.has(text)) return;
  styles.add(text);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
