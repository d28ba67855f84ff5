/** Undoes what it was given for, once; also at the end of a block: `using restore = …`. */
export interface Restore extends Disposable {
  (): void;
}

type Fetch = typeof globalThis.fetch;
type Input = Parameters<Fetch>[0];

/** What replaces the global `fetch`, and what it replaced. */
interface Interceptor extends Fetch {
  readonly [INTERCEPTED]: Replaced;
}

interface Replaced {
  readonly before: Fetch;
  isOver: boolean;
}

/** Shared by all copies of this package, since each of them may end what another began. */
const INTERCEPTED = Symbol.for('playmoney.intercepted');

/** Where calls are let in instead. */
export interface Interception {
  /** Addresses that begin with this are answered; a whole number of path segments. */
  readonly base: string | URL;
  /** The address that stands in place of the base. */
  readonly to: string;
  /** The key that all intercepted calls have; null: what they bring along. */
  readonly key: string | null;
  readonly answer: (request: Request) => Promise<Response>;
}

/**
 * Answers the calls of the global `fetch` for one address, and leaves all others to what was there before. Several may be
 * in force, of which the last one for an address answers; they may end in any order.
 */
export function interceptFetch({ base, to, key, answer }: Interception): Restore {
  const { origin, pathname } = new URL(base);
  const prefix = pathname.replace(/\/+$/, '');
  const record: Replaced = { before: globalThis.fetch, isOver: false };

  const inside = (address: string): string | null => {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (record.isOver || url?.origin !== origin) return null;
    const isBelow = url.pathname === prefix || url.pathname.startsWith(`${prefix}/`);
    return isBelow ? `${to}${url.pathname.slice(prefix.length)}${url.search}` : null;
  };

  const intercepting = async (input: Input, init?: RequestInit): Promise<Response> => {
    const address = addressOf(input);
    const target = inside(address);
    if (target === null) return record.before(input, init);
    const given = isRequest(input)
      ? new Request(target, new Request(input, init))
      : new Request(target, init);
    if (key !== null) given.headers.set('x-secretkey', key);
    const response = await answer(given);
    // As fetch has it: clients look there for where they ended.
    Object.defineProperty(response, 'url', { value: address.replace(/#.*$/, '') });
    return response;
  };

  globalThis.fetch = Object.assign(intercepting, { [INTERCEPTED]: record });
  return restoring(() => {
    record.isOver = true;
    // Those that ended before the ones above them go together with these.
    for (let one = recordOf(globalThis.fetch); one?.isOver === true; one = recordOf(globalThis.fetch)) {
      globalThis.fetch = one.before;
    }
  });
}

function restoring(end: () => void): Restore {
  return Object.assign(end, { [Symbol.dispose]: end });
}

/** What an interceptor replaced; undefined: it is none. */
function recordOf(fetch: Fetch): Replaced | undefined {
  return (fetch as Partial<Interceptor>)[INTERCEPTED];
}

function isRequest(input: Input): input is Request {
  return typeof input === 'object' && 'url' in input;
}

function addressOf(input: Input): string {
  return isRequest(input) ? input.url : String(input);
}
