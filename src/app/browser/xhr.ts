import { pageAddress, pathBelow, type Restore, makeRestore } from '../../client/intercept.js';
import { PageCall } from './page-call.js';
import { refuseSync } from './sync.js';

/** Gives the calls of XMLHttpRequest below a base to the global `fetch`, which is intercepted. All others stay as they are. */
export function interceptXhr(base: string | URL): Restore {
  const below = pathBelow(base);
  const Before = globalThis.XMLHttpRequest;
  let isOver = false;

  class Intercepted extends Before {
    #call: PageCall | null = null;
    #members: PropertyDescriptorMap = {};

    override open(method: string, url: string | URL, isAsync = true, ...user: (string | null)[]): void {
      const address = URL.canParse(url, pageAddress()) ? new URL(url, pageAddress()) : null;
      const ours = address !== null && !isOver && below(address) !== null ? address : null;
      if (ours !== null && !isAsync) refuseSync(ours);
      const given = ours === null ? null : PageCall.requestFor(method, ours);
      // The object may have had another call, also one of the browser's own, which then ends without an event.
      const stateBefore = this.readyState;
      const wasNative = this.#call === null && stateBefore > 0;
      this.#call?.end();
      this.#call = null;
      for (const name in this.#members) Reflect.deleteProperty(this, name);
      if (given === null) return super.open(method, url, isAsync, ...user);
      if (wasNative) super.open(method, given.url);
      this.#call = new PageCall(this, given);
      this.#members = buildMembers(this.#call, this);
      Object.defineProperties(this, this.#members);
      if (!wasNative && stateBefore !== 1) this.dispatchEvent(new Event('readystatechange'));
    }
  }

  globalThis.XMLHttpRequest = Intercepted;
  return makeRestore(() => {
    isOver = true;
    if (globalThis.XMLHttpRequest === Intercepted) globalThis.XMLHttpRequest = Before;
  });
}

/** Properties, such as `status`, that hide those of the browser's own XMLHttpRequest. */
function buildMembers(call: PageCall, xhr: XMLHttpRequest): PropertyDescriptorMap {
  const read = (get: () => unknown): PropertyDescriptor => ({ get, configurable: true, enumerable: true });
  const method = (given: unknown): PropertyDescriptor => read(() => given);
  /** A member that the browser keeps, and that cannot be set at all times. */
  const stored = (name: 'responseType' | 'withCredentials' | 'timeout', check: () => void) => {
    const own = Object.getOwnPropertyDescriptor(findNativePrototype(xhr), name);
    const set = (given: unknown): void => {
      check();
      own?.set?.call(xhr, given);
      if (name === 'timeout') call.armTimeout();
    };
    return { ...read(() => own?.get?.call(xhr) as unknown), set };
  };
  return {
    readyState: read(() => call.readyState),
    status: read(() => call.answer?.status ?? 0),
    statusText: read(() => call.answer?.statusText ?? ''),
    responseURL: read(() => call.answer?.url ?? ''),
    response: read(() => call.response),
    responseText: read(() => call.responseText),
    responseXML: read(() => null),
    responseType: stored('responseType', () => call.requireState(call.readyState < 3)),
    withCredentials: stored('withCredentials', () => call.requireState(call.isUnsent)),
    timeout: stored('timeout', () => {}),
    setRequestHeader: method((name: string, given: string) => call.setHeader(name, given)),
    overrideMimeType: method(() => call.requireState(call.readyState < 3)),
    send: method((body: XMLHttpRequestBodyInit | null = null) => call.send(body)),
    abort: method(() => call.abort()),
    getResponseHeader: method((name: string) => call.answer?.headers.get(name) ?? null),
    getAllResponseHeaders: method(() =>
      Array.from(call.answer?.headers ?? [], ([name, given]) => `${name}: ${given}\r\n`).join(''),
    ),
  };
}

/** The prototype that has the members of the browser itself. */
function findNativePrototype(xhr: object): object {
  const prototype = Object.getPrototypeOf(xhr) as object;
  return Object.hasOwn(prototype, 'responseType') ? prototype : findNativePrototype(prototype);
}
