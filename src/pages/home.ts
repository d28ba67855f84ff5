/** The address that the sandbox within this page answers to; undefined for a page that a server sent. */
export const homeInPage = (): string | undefined =>
  document.querySelector<HTMLElement>('[data-home]')?.dataset['home'];

/** The address of the sandbox whose page this is. An app that mounts the sandbox adds a path to it. */
export const sandboxHome = (): string =>
  homeInPage() ?? location.origin + location.pathname.replace(/\/_sandbox\b.*$/, '');
