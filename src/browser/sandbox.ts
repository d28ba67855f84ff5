import { WorldKeeper } from '../app/saving/keeper.js';
import { type Restore, restoring } from '../client/intercept.js';
import { shortHash } from '../core/ids/random.js';
import { SandboxInside } from '../inside/sandbox.js';
import { BROWSER_HOST } from './host.js';
import { FETCHED_LIBRARY } from './library.js';
import type { BrowserOptions } from './public.js';
import { DatabaseStore } from './store.js';
import { interceptXhr } from './xhr.js';

/** Worlds that a database keeps. */
interface Kept {
  readonly store: DatabaseStore;
  readonly keeper: WorldKeeper;
}

export class SandboxInBrowser extends SandboxInside {
  #kept: Kept | null = null;

  /** Opens a sandbox whose pages are at an origin. */
  static async open(
    { database = 'playmoney', ...options }: BrowserOptions,
    url?: string,
  ): Promise<SandboxInBrowser> {
    const at = url === undefined ? {} : { url, allowedHosts: [new URL(url).hostname] };
    const runtime = { host: BROWSER_HOST, library: FETCHED_LIBRARY, worldsByName: true, ...at };
    const sandbox = new SandboxInBrowser(runtime, options);
    const { worlds } = await SandboxInside.insideOf(sandbox);
    if (database === null) return sandbox;
    const store = new DatabaseStore(database);
    await store.lock();
    const keeper = await WorldKeeper.open(worlds, store);
    // If the page ended before, the webhook would be sent again.
    keeper.attemptEnded = () =>
      void keeper.saver.saveNow().catch((error: unknown) => keeper.saver.report(error));
    sandbox.#kept = { store, keeper };
    return sandbox;
  }

  /** Answers once everything that the answer says is saved: a page or a worker may end at any moment. */
  override async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    try {
      return await super.fetch(input, init);
    } catch (error) {
      // As browsers say it.
      throw error instanceof TypeError ? new TypeError('Failed to fetch', { cause: error }) : error;
    } finally {
      await this.#kept?.keeper.saver.saveNow();
    }
  }

  /** Like `fetch`, also if the browser repeats a call because the worker ended during it: its answer is saved with its world. */
  async fetchOnce(request: Request): Promise<Response> {
    const { method, url, headers } = request;
    if (this.#kept === null) return this.fetch(request);
    const { store, keeper } = this.#kept;
    const call = shortHash([method, url, ...headers, await request.clone().text()].join('\n'), 32);
    let kept = store.unsent(call);
    if (kept === undefined) {
      const answer = await super.fetch(request).catch(() => null);
      // The body of a page belongs to no world, that of a stream or of a fault may never end.
      const isJson = answer?.headers.get('content-type')?.startsWith('application/json') ?? true;
      if (answer !== null && (!isJson || answer.headers.has('x-sandbox-fault')))
        return keeper.saver.saveNow().then(() => answer);
      const text = (await answer?.text()) ?? '';
      kept = { at: Date.now(), status: answer?.status ?? 0, headers: [...(answer?.headers ?? [])], text };
      store.answers.set(call, kept);
      await keeper.saver.saveNow();
    }
    store.sent(call);
    if (kept.status === 0) throw new TypeError('Failed to fetch');
    return new Response(kept.text === '' ? null : kept.text, kept);
  }

  override intercept(base: string | URL, options: { readonly key?: string } = {}): Restore {
    const restore = super.intercept(base, options);
    const restoreXhr = interceptXhr(base);
    return restoring(() => {
      restoreXhr();
      restore();
    });
  }

  override close(): void {
    const kept = this.#kept;
    void kept?.keeper.end().finally(() => kept.store.release());
    super.close();
  }
}
