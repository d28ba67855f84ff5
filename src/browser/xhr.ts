import { here, pathBelow, type Restore, restoring } from '../client/intercept.js';

/** Gives the calls of XMLHttpRequest below a base to the global `fetch`, which is intercepted. All others stay as they are. */
export function interceptXhr(base: string | URL): Restore {
  const below = pathBelow(base);
  const Before = globalThis.XMLHttpRequest;
  let isOver = false;

  class Intercepted extends Before {
    #members: PropertyDescriptorMap = {};

    override open(method: string, url: string | URL, isAsync = true, ...user: (string | null)[]): void {
      const address = new URL(url, here());
      // The object may have had another call.
      for (const name in this.#members) Reflect.deleteProperty(this, name);
      if (isOver || below(address) === null) return super.open(method, url, isAsync, ...user);
      if (!isAsync) refuseSync(address);
      this.#members = membersOf(new Call(this, method, address));
      Object.defineProperties(this, this.#members);
      this.dispatchEvent(new Event('readystatechange'));
    }
  }

  globalThis.XMLHttpRequest = Intercepted;
  return restoring(() => {
    isOver = true;
    if (globalThis.XMLHttpRequest === Intercepted) globalThis.XMLHttpRequest = Before;
  });
}

/** A call that the page answers itself. */
class Call {
  readonly headers = new Headers();
  readonly #abort = new AbortController();
  readyState = 1;
  answer: Response | null = null;
  content: unknown = null;

  constructor(
    private readonly xhr: XMLHttpRequest,
    private readonly method: string,
    private readonly url: URL,
  ) {}

  get isText(): boolean {
    return ['', 'text'].includes(this.xhr.responseType);
  }

  async send(body: BodyInit | null): Promise<void> {
    const { method, url, headers, xhr } = this;
    const limit = xhr.timeout > 0 ? AbortSignal.timeout(xhr.timeout) : null;
    const signal = limit === null ? this.#abort.signal : AbortSignal.any([this.#abort.signal, limit]);
    this.#tell('loadstart');
    try {
      const hasBody = !/^(?:get|head)$/i.test(method);
      this.answer = await fetch(url, { method, headers, signal, body: hasBody ? body : null });
      this.#enter(2);
      const bytes = await this.answer.arrayBuffer();
      this.content = this.#contentOf(bytes);
      this.#enter(3);
      this.#tell('progress', bytes.byteLength);
      this.#enter(4);
      this.#end('load', bytes.byteLength);
    } catch {
      const { aborted } = this.#abort.signal;
      this.answer = null;
      this.content = null;
      this.#enter(4);
      this.#end(aborted ? 'abort' : limit?.aborted === true ? 'timeout' : 'error');
    }
  }

  abort(): void {
    this.#abort.abort();
  }

  #contentOf(bytes: ArrayBuffer): unknown {
    const { responseType } = this.xhr;
    if (responseType === 'arraybuffer') return bytes;
    const type = this.answer?.headers.get('content-type') ?? '';
    if (responseType === 'blob') return new Blob([bytes], { type });
    const text = new TextDecoder().decode(bytes);
    if (responseType !== 'json') return text;
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  }

  #enter(readyState: number): void {
    this.readyState = readyState;
    this.xhr.dispatchEvent(new Event('readystatechange'));
  }

  #end(how: string, loaded = 0): void {
    this.#tell(how, loaded);
    this.#tell('loadend', loaded);
  }

  #tell(type: string, loaded = 0): void {
    this.xhr.dispatchEvent(new ProgressEvent(type, { loaded }));
  }
}

/** What hides the members of a browser's own XMLHttpRequest. */
function membersOf(call: Call): PropertyDescriptorMap {
  const read = (get: () => unknown): PropertyDescriptor => ({ get, configurable: true, enumerable: true });
  const value = (given: unknown): PropertyDescriptor => read(() => given);
  return {
    readyState: read(() => call.readyState),
    status: read(() => call.answer?.status ?? 0),
    statusText: read(() => call.answer?.statusText ?? ''),
    responseURL: read(() => call.answer?.url ?? ''),
    response: read(() => call.content ?? (call.isText ? '' : null)),
    responseText: read(() => call.content ?? ''),
    setRequestHeader: value((name: string, given: string) => call.headers.append(name, given)),
    overrideMimeType: value(() => undefined),
    send: value((body: BodyInit | null = null) => void call.send(body)),
    abort: value(() => call.abort()),
    getResponseHeader: value((name: string) => call.answer?.headers.get(name) ?? null),
    getAllResponseHeaders: value(() =>
      Array.from(call.answer?.headers ?? [], ([name, given]) => `${name}: ${given}\r\n`).join(''),
    ),
  };
}

function refuseSync({ href }: URL): never {
  throw new DOMException(
    `Failed to open ${href}: playmoney/browser answers only asynchronous requests. Leave out the third argument of open(), or pass true.`,
    'InvalidAccessError',
  );
}
