/** How an XMLHttpRequest ends without an answer. */
type Failure = 'error' | 'timeout' | 'abort';

interface PageRequest {
  readonly method: string;
  readonly url: URL;
}

const KNOWN_METHODS = /^(?:delete|get|head|options|post|put)$/i;

/** A call of an XMLHttpRequest that the page answers itself, with the states and events of the XMLHttpRequest standard. */
export class PageCall {
  readyState = 1;
  answer: Response | null = null;
  #bytes: ArrayBuffer | null = null;
  /** Of its type, made once. */
  #content: unknown = undefined;
  readonly #headers = new Headers();
  readonly #controller = new AbortController();
  #isSent = false;
  #isUploaded = true;
  #sentAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly xhr: XMLHttpRequest,
    private readonly request: PageRequest,
  ) {}

  /** Throws for a method that no XMLHttpRequest sends. */
  static requestFor(method: string, url: URL): PageRequest {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(method))
      throw new DOMException(`Failed to open: "${method}" is not a method.`, 'SyntaxError');
    if (/^(?:connect|trace|track)$/i.test(method))
      throw new DOMException(`Failed to open: ${method} cannot be sent.`, 'SecurityError');
    return { method: KNOWN_METHODS.test(method) ? method.toUpperCase() : method, url };
  }

  get isUnsent(): boolean {
    return this.readyState < 2 && !this.#isSent;
  }

  get responseText(): string {
    this.requireState(this.#isText);
    return this.#text();
  }

  get response(): unknown {
    if (this.#isText) return this.#text();
    return this.readyState === 4 ? (this.#content ??= this.#contentOfType()) : null;
  }

  requireState(isAllowed: boolean): void {
    if (!isAllowed) throw new DOMException('The state of the object does not allow it.', 'InvalidStateError');
  }

  setHeader(name: string, given: string): void {
    this.requireState(this.readyState === 1 && !this.#isSent);
    try {
      this.#headers.append(name, given);
    } catch (cause) {
      throw new DOMException(String(cause), 'SyntaxError');
    }
  }

  send(given: XMLHttpRequestBodyInit | null): void {
    this.requireState(this.readyState === 1 && !this.#isSent);
    const body = /^(?:GET|HEAD)$/.test(this.request.method) ? null : given;
    const length = measureBody(body);
    this.#isUploaded = body === null;
    this.#isSent = true;
    this.#sentAt = performance.now();
    this.#tell(this.xhr, 'loadstart');
    if (!this.#isUploaded) this.#tell(this.xhr.upload, 'loadstart', 0, length);
    // A listener may have aborted it.
    if (!this.#isSent) return;
    this.armTimeout();
    void this.#perform(body, length);
  }

  abort(): void {
    this.#controller.abort();
    if (this.#isSent) this.#fail('abort');
    // A listener may have opened another call.
    if (this.readyState === 4) {
      this.readyState = 0;
      this.#forget();
    }
  }

  /** Another call of the same object takes its place: nothing more is told. */
  end(): void {
    this.#isSent = false;
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  armTimeout(): void {
    clearTimeout(this.#timer);
    const { timeout } = this.xhr;
    if (!this.#isSent || timeout === 0) return;
    this.#timer = setTimeout(() => this.#fail('timeout'), this.#sentAt + timeout - performance.now());
  }

  async #perform(body: XMLHttpRequestBodyInit | null, length: number): Promise<void> {
    const { method, url } = this.request;
    const { signal } = this.#controller;
    try {
      const answer = await fetch(url, { method, headers: this.#headers, signal, body });
      if (!this.#isSent) return;
      this.#endUpload(length);
      this.answer = answer;
      if (!this.#enter(2)) return;
      const bytes = await answer.arrayBuffer();
      if (!this.#isSent) return;
      this.#bytes = bytes;
      if (bytes.byteLength > 0 && !this.#enter(3)) return;
      const total = Number(answer.headers.get('content-length') ?? 0);
      this.#tell(this.xhr, 'progress', bytes.byteLength, total);
      if (!this.#isSent) return;
      this.#isSent = false;
      clearTimeout(this.#timer);
      this.#enter(4);
      this.#conclude(this.xhr, 'load', bytes.byteLength, total);
    } catch {
      this.#fail('error');
    }
  }

  #fail(reason: Failure): void {
    if (!this.#isSent) return;
    this.end();
    this.#forget();
    this.#enter(4);
    if (!this.#isUploaded) {
      this.#isUploaded = true;
      this.#conclude(this.xhr.upload, reason);
    }
    this.#conclude(this.xhr, reason);
  }

  #endUpload(length: number): void {
    if (this.#isUploaded) return;
    this.#isUploaded = true;
    this.#tell(this.xhr.upload, 'progress', length, length);
    this.#conclude(this.xhr.upload, 'load', length, length);
  }

  #forget(): void {
    this.answer = null;
    this.#bytes = null;
    this.#content = undefined;
  }

  /** Returns whether the call goes on: a listener may have ended it. */
  #enter(readyState: number): boolean {
    this.readyState = readyState;
    this.xhr.dispatchEvent(new Event('readystatechange'));
    return this.#isSent;
  }

  #conclude(target: EventTarget, event: string, loaded = 0, total = 0): void {
    this.#tell(target, event, loaded, total);
    this.#tell(target, 'loadend', loaded, total);
  }

  #tell(target: EventTarget, type: string, loaded = 0, total = 0): void {
    target.dispatchEvent(new ProgressEvent(type, { loaded, total, lengthComputable: total > 0 }));
  }

  get #isText(): boolean {
    return ['', 'text'].includes(this.xhr.responseType);
  }

  #text(): string {
    if (this.readyState < 3 || this.#bytes === null) return '';
    return (this.#content ??= new TextDecoder().decode(this.#bytes)) as string;
  }

  #contentOfType(): unknown {
    const bytes = this.#bytes;
    if (bytes === null) return null;
    const type = this.answer?.headers.get('content-type') ?? '';
    if (this.xhr.responseType === 'arraybuffer') return bytes;
    if (this.xhr.responseType === 'blob') return new Blob([bytes], { type });
    try {
      return this.xhr.responseType === 'json' ? JSON.parse(new TextDecoder().decode(bytes)) : null;
    } catch {
      return null;
    }
  }
}

/** How many bytes a body has; 0 for a form, which no event tells. */
function measureBody(body: XMLHttpRequestBodyInit | null): number {
  if (typeof body === 'string' || body instanceof URLSearchParams)
    return new TextEncoder().encode(String(body)).byteLength;
  if (body instanceof Blob) return body.size;
  return body === null || body instanceof FormData ? 0 : body.byteLength;
}
