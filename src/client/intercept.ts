/** Ends an interception. With `using restore = …`, that happens at the end of the block. */
export interface Restore extends Disposable {
  (): void;
}

type Fetch = typeof globalThis.fetch;
type FetchInput = Parameters<Fetch>[0];

/** A function that replaces the global `fetch`, with a record of what it replaced. */
interface Interceptor extends Fetch {
  readonly [INTERCEPTED]: ReplacedFetch;
}

interface ReplacedFetch {
  readonly before: Fetch;
  isOver: boolean;
}

/** A global symbol, so that several copies of this package recognise each other's interceptors. */
const INTERCEPTED = Symbol.for('playmoney.intercepted');

/** Which calls to intercept, and where to send them. */
export interface Interception {
  /** Addresses that begin with this are intercepted. Path segments must match as a whole. */
  readonly base: string | URL;
  /** The address that replaces the base. */
  readonly to: string;
  /** The key of all intercepted calls; null keeps their own keys. */
  readonly key: string | null;
  /** `hasSignal`: the caller passed its own signal. */
  readonly answer: (request: Request, hasSignal: boolean) => Promise<Response>;
}

/**
 * Answers calls of the global `fetch` to one address. All other calls go to the previous `fetch`. If several interceptions match
 * an address, the last one answers. They may end in any order.
 */
export function interceptFetch({ base, to, key, answer }: Interception): Restore {
  const restIn = pathBelow(base);
  const record: ReplacedFetch = { before: globalThis.fetch, isOver: false };

  const targetOf = (address: string): string | null => {
    const url = URL.canParse(address, pageAddress()) ? new URL(address, pageAddress()) : null;
    // `fetch` refuses an address with a user itself.
    const rest = record.isOver || url === null || url.username !== '' ? null : restIn(url);
    return rest === null ? null : `${to}${rest}`;
  };

  const intercepting = async (input: FetchInput, init?: RequestInit): Promise<Response> => {
    const address = requestAddress(input);
    const target = targetOf(address);
    // A browser's own must be called without a record.
    if (target === null) return record.before.call(undefined, input, init);
    // A request that stays where it is is passed on in the same turn, so that its stack still shows who made it.
    const given =
      isRequest(input) && target !== address
        ? await moveRequest(new Request(input, init), target)
        : new Request(isRequest(input) ? input : target, init);
    if (key !== null) given.headers.set('x-secretkey', key);
    const response = await answer(given, Boolean(init?.signal));
    return setAddress(response, new URL(address, pageAddress()).href.replace(/#.*$/, ''));
  };

  globalThis.fetch = Object.assign(intercepting, { [INTERCEPTED]: record });
  return makeRestore(() => {
    record.isOver = true;
    // Interceptors below that ended earlier are removed, too.
    for (
      let current = findReplacedFetch(globalThis.fetch);
      current?.isOver === true;
      current = findReplacedFetch(globalThis.fetch)
    ) {
      globalThis.fetch = current.before;
    }
  });
}

/** As with fetch: clients read the final address from the response, or from a copy of it. */
function setAddress(response: Response, url: string): Response {
  return Object.defineProperties(response, {
    // Configurable, because interceptions may be nested.
    url: { value: url, configurable: true },
    clone: { value: () => setAddress(Response.prototype.clone.call(response), url), configurable: true },
  });
}

/** Returns what follows a base in an address, and null for other addresses. Path segments must match as a whole. */
export function pathBelow(base: string | URL): (address: URL) => string | null {
  const { origin, pathname } = parseBase(base);
  const prefix = pathname.replace(/\/+$/, '');
  return (address) => {
    const path = address.pathname;
    const isBelow = address.origin === origin && (path === prefix || path.startsWith(`${prefix}/`));
    return isBelow ? `${path.slice(prefix.length)}${address.search}` : null;
  };
}

/** Throws a TypeError unless the base is an address, or a path in a page. */
export function parseBase(base: string | URL): URL {
  const text = String(base);
  const page = pageAddress();
  const isAddress = /^https?:\/\/[^/]/i.test(text) || (page !== undefined && text.startsWith('/'));
  if (isAddress && URL.canParse(text, page)) return new URL(text, page);
  const paths = page === undefined ? '' : ' or a path such as /pay';
  throw new TypeError(
    `The base is ${JSON.stringify(base)}; it must be an address such as https://api.example.com/v1${paths}.`,
  );
}

/** The address that others are relative to: that of the page, or its `<base href>`; undefined outside of pages. */
export function pageAddress(): string | undefined {
  const { document, location } = globalThis as Partial<typeof globalThis>;
  return document?.baseURI ?? location?.href;
}

/** A request for another address. Its body is read, because not every browser sends a stream. */
export async function moveRequest(request: Request, target: string): Promise<Request> {
  const { method, headers, signal } = request;
  const bytes = await request.arrayBuffer();
  return new Request(target, { method, headers, signal, body: bytes.byteLength > 0 ? bytes : null });
}

export function makeRestore(end: () => void): Restore {
  return Object.assign(end, { [Symbol.dispose]: end });
}

/** The function that an interceptor replaced; undefined if the function is not an interceptor. */
function findReplacedFetch(fetch: Fetch): ReplacedFetch | undefined {
  return (fetch as Partial<Interceptor>)[INTERCEPTED];
}

function isRequest(input: FetchInput): input is Request {
  return typeof input === 'object' && 'url' in input;
}

function requestAddress(input: FetchInput): string {
  return isRequest(input) ? input.url : String(input);
}

/** The secret key that a call belongs to; empty if it has none. */
export function readKey({ headers }: Request): string {
  return headers.get('x-publickey')?.replace(/^pk_/, 'sk_') ?? headers.get('x-secretkey') ?? '';
}
