/** Of an attribute that only a page without a server has. A test without a page has no document. */
const readPageData = (name: string): string | undefined =>
  globalThis.document?.querySelector<HTMLElement>('[data-home]')?.dataset[name];

/** The address that the sandbox within this page answers to, and the key of its world; undefined for a page that a server sent. */
export const homeInPage = (): string | undefined => readPageData('home');
export const keyInPage = (): string | undefined => readPageData('key');

/** The address of the sandbox whose page this is. An app that mounts the sandbox adds a path to it. */
export const sandboxHome = (): string =>
  homeInPage() ?? location.origin + location.pathname.replace(/\/_sandbox\b.*$/, '');
