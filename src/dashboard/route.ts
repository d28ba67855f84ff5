/** The view that the fragment of the address names, such as `#/charges/ID?Status=FAILED`. */
export interface Route {
  readonly view: string;
  /** The record to show; null shows the list. */
  readonly id: string | null;
  readonly query: URLSearchParams;
}

const FIRST_VIEW = 'live';

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [view = '', id = ''] = path.split('/');
  return {
    view: view === '' ? FIRST_VIEW : view,
    id: id === '' ? null : decoded(id),
    query: new URLSearchParams(query),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The link to a view. */
export function hrefOf(
  view: string,
  id: string | null = null,
  query: Readonly<Record<string, string>> = {},
): string {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return `#/${view}${id === null ? '' : `/${encodeURIComponent(id)}`}${asked === '' ? '' : `?${asked}`}`;
}
