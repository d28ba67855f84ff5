/** An address of the page: `#/@WORLD/charges/ID?Status=FAILED&open=667`. */
export interface Route {
  /** The short name of the world; null for that of the key that was entered last. */
  readonly world: string | null;
  readonly view: string;
  readonly id: string | null;
  /** Filters, the place in the list, and `open`, the row that the inspector shows. */
  readonly query: URLSearchParams;
}

export const FIRST_VIEW = 'calls';

/** Views that had another name in earlier versions. */
const FORMER: Readonly<Record<string, string>> = { live: 'calls', outcomes: 'next' };

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const words = path.split('/');
  const world = words[0]?.startsWith('@') === true ? (words.shift() ?? '').slice(1) : null;
  const [named = '', id = ''] = words;
  const view = named === '' ? FIRST_VIEW : (FORMER[named] ?? named);
  const params = new URLSearchParams(query);
  // A call is a row of its list, not a page.
  if (view === 'calls' && id !== '') params.set('open', id);
  return { world, view, id: id === '' || view === 'calls' ? null : tryDecode(id), query: params };
}

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export type Query = Readonly<Record<string, string | null>>;

/** The link to a view, by default of the world that the address names. */
export function viewHref(
  view: string,
  id: string | null = null,
  query: Query = {},
  world = parseRoute(location.hash).world,
): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const search = new URLSearchParams(given).toString();
  const start = world === null ? '#' : `#/@${world}`;
  return `${start}/${view}${id === null ? '' : `/${encodeURIComponent(id)}`}${search === '' ? '' : `?${search}`}`;
}

/** The link to a place as it is, with other filters or another open row. */
export function routeHref({ view, id, query }: Route, changes: Query, world?: string): string {
  return viewHref(view, id, { ...Object.fromEntries(query), ...changes }, world);
}

/** Changes the address without a new entry in the browser's history. */
export function replaceAddress(address: string): void {
  history.replaceState(history.state, '', address);
}

export function callHref(entry: number): string {
  return viewHref('calls', null, { open: String(entry) });
}

/** The query of a list for the control API: the filters and the place, without what only the page knows. */
export function toListQuery({ query }: Route, limit: number, more: Query = {}): string {
  const params = new URLSearchParams(query);
  params.delete('open');
  params.set('Limit', String(limit));
  for (const [name, value] of Object.entries(more)) if (value) params.set(name, value);
  return params.toString();
}

/** The key in `/_sandbox?key=…`, which is then taken out of the address and the history; null without one. */
export function takeKeyFromAddress(): string | null {
  const [, key] =
    [...new URLSearchParams(location.search)].find(([name]) => name.toLowerCase() === 'key') ?? [];
  if (key === undefined) return null;
  replaceAddress(location.pathname);
  return key === '' ? null : key;
}
