import type { MakeResponse } from './http/exchange.js';

/**
 * What makes the answers to calls within the process: each a `Response` of the platform but for its body, which stays the text
 * that it is. The platform makes a stream of each body, and to read that back costs as much as the charge that it tells of;
 * here it is made for those alone who ask for a stream.
 */
export function directResponses(): MakeResponse {
  // The platform loads its Response at the first mention, and an import of the package shall not pay for it.
  class DirectResponse extends Response {
    #text: string;
    #used = false;
    /** What answers in place of the text, once its stream was asked for. */
    #streamed: Response | null = null;

    constructor(...[text, init]: Parameters<MakeResponse>) {
      super(null, init);
      this.#text = text;
    }

    override get body(): Response['body'] {
      return this.#stream().body;
    }

    override get bodyUsed(): boolean {
      return this.#streamed?.bodyUsed ?? this.#used;
    }

    override async text(): Promise<string> {
      return this.#streamed === null ? this.#take() : this.#streamed.text();
    }

    override async json(): Promise<unknown> {
      return JSON.parse(await this.text());
    }

    override arrayBuffer(): Promise<ArrayBuffer> {
      return this.#stream().arrayBuffer();
    }

    override blob(): Promise<Blob> {
      return this.#stream().blob();
    }

    override bytes(): ReturnType<Response['bytes']> {
      return this.#stream().bytes();
    }

    override formData(): Promise<FormData> {
      return this.#stream().formData();
    }

    override clone(): Response {
      return this.#stream().clone();
    }

    #take(): string {
      if (this.#used) throw new TypeError('Body is unusable: Body has already been read');
      this.#used = true;
      return this.#text;
    }

    /** The answer as the platform would have made it, read already where this was. */
    #stream(): Response {
      if (this.#streamed !== null) return this.#streamed;
      const streamed = new Response(this.#text, this);
      if (this.#used) void streamed.text();
      this.#streamed = streamed;
      return streamed;
    }
  }
  return (text, init) => new DirectResponse(text, init);
}
