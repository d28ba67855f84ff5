/** The view that the fragment of the address names, such as `#/@WORLD/charges/ID?Status=FAILED`. */
export interface Route {
  /** The short name of the world; null for that of the key that was entered last. */
  readonly world: string | null;
  readonly view: string;
  readonly id: string | null;
  readonly query: URLSearchParams;
}

export const FIRST_VIEW = 'live';

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const words = path.split('/');
  const world = words[0]?.startsWith('@') === true ? (words.shift() ?? '').slice(1) : null;
  const [view = '', id = ''] = words;
  return {
    world,
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

/** The link to a view, by default of the world that the address names. */
export function hrefOf(
  view: string,
  id: string | null = null,
  query: Readonly<Record<string, string>> = {},
  world = routeOf(location.hash).world,
): string {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  const start = world === null ? '#' : `#/@${world}`;
  return `${start}/${view}${id === null ? '' : `/${encodeURIComponent(id)}`}${asked === '' ? '' : `?${asked}`}`;
}
