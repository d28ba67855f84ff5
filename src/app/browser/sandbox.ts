import { WorldKeeper } from '../saving/keeper.js';
import { WITHIN } from '../../client/call.js';
import { type Restore, makeRestore } from '../../client/intercept.js';
import { ApiError, CODE } from '../../core/errors.js';
import { shortHash } from '../../core/ids/random.js';
import { once } from '../../core/once.js';
import { endSentence } from '../../core/text/text.js';
import { buildErrorBody } from '../../http/answers/respond.js';
import { InProcessSandbox } from '../in-process/sandbox.js';
import { showChallenges } from './challenge-frames.js';
import { BROWSER_HOST } from './host.js';
import { KeptAnswers } from './kept-answers.js';
import type { BrowserOptions } from './public.js';
import { DatabaseStore, type KeptAnswer } from './store.js';
import { interceptXhr } from './xhr.js';
import { readTexts } from '../../core/texts.js';
import type { ScenarioLibrary } from '../../scenarios/file/library.js';

/** Worlds that a database keeps. */
interface DatabaseWorlds {
  readonly store: DatabaseStore;
  readonly keeper: WorldKeeper;
  readonly answers: () => Promise<KeptAnswers>;
}

/** How long the last calls may take. */
const CLOSE_WAIT_MS = 1_000;

export class BrowserSandbox extends InProcessSandbox {
  #kept: DatabaseWorlds | null = null;
  readonly #underWay = new Set<Promise<unknown>>();
  #hideChallenges: Restore | null = null;
  #closed = false;

  /** Opens a sandbox whose pages are at an origin. */
  static async open(
    { database = 'playmoney', ...options }: BrowserOptions,
    url?: string,
  ): Promise<BrowserSandbox> {
    const at = url === undefined ? {} : { url, allowedHosts: [new URL(url).hostname] };
    const runtime = { host: BROWSER_HOST, library: FETCHED_LIBRARY, worldsByName: true, ...at };
    const sandbox = new BrowserSandbox(runtime, options);
    const { worlds } = await InProcessSandbox.requireInner(sandbox);
    if (database === null) return sandbox;
    const store = new DatabaseStore(database);
    await store.lock();
    const keeper = await WorldKeeper.open(worlds, store).catch((error: unknown) => {
      store.release();
      throw error;
    });
    // All worlds in memory are saved again.
    store.lost = () => {
      for (const { key } of worlds.all()) keeper.saver.forget(key);
    };
    // If the page ended before, the webhook would be sent again.
    keeper.attemptEnded = () =>
      void keeper.saver.saveNow().catch((error: unknown) => keeper.saver.report(error));
    sandbox.#kept = { store, keeper, answers: once(() => KeptAnswers.open(store)) };
    return sandbox;
  }

  /** Answers once everything that the answer says is saved: a page or a worker may end at any moment. */
  override async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    if (this.#closed) throw new TypeError('The sandbox is closed. Open another one with openSandbox().');
    const work = this.#answer(input, init);
    this.#underWay.add(work);
    return work.finally(() => this.#underWay.delete(work));
  }

  /** Like `fetch`, also if the browser repeats a call because the worker ended during it: its answer is saved with its world. */
  async fetchOnce(request: Request, client: string): Promise<Response> {
    if (this.#kept === null) return this.fetch(request);
    const answers = await this.#kept.answers().catch(unavailable);
    if (answers instanceof Response) return answers;
    const { method, url, headers } = request;
    const text = await request.clone().text();
    const call = shortHash([client, method, url, ...headers, text].join('\n'), 32);
    const [mark, answer] = answers.take(call) ?? (await this.#keep(answers, request, call));
    if (mark !== null) answers.sent(mark);
    if (answer instanceof Response) return answer;
    if (answer.status === 0) throw new TypeError('Failed to fetch');
    return new Response(answer.text === '' ? null : answer.text, answer);
  }

  /** Shows challenges in frames of this page; a worker has none. */
  showChallenges(): void {
    if ('document' in globalThis) this.#hideChallenges = showChallenges((url, init) => this.fetch(url, init));
  }

  override intercept(base: string | URL, options: { readonly key?: string } = {}): Restore {
    const restoreXhr = interceptXhr(base);
    // Challenges are there. The last interception counts, which has the key.
    const restoreLinks = super.intercept(WITHIN);
    const restore = super.intercept(base, options);
    return makeRestore(() => {
      restore();
      restoreLinks();
      restoreXhr();
    });
  }

  /** Calls that are under way are answered first, except for those that hang. */
  override close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#hideChallenges?.();
    const limit = new Promise((resolve) => setTimeout(resolve, CLOSE_WAIT_MS));
    void Promise.race([Promise.allSettled(this.#underWay), limit])
      .then(() => this.#kept?.keeper.end())
      .finally(() => {
        this.#kept?.store.release();
        super.close();
      });
  }

  async #answer(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    try {
      const answer = await super.fetch(input, init);
      return (await this.#refusalUnlessSaved()) ?? answer;
    } catch (error) {
      await this.#refusalUnlessSaved();
      // As browsers say it.
      throw error instanceof TypeError ? new TypeError('Failed to fetch', { cause: error }) : error;
    }
  }

  /** Answers a call and saves its answer under a mark, or returns it as it is: a page belongs to no world, and a stream or a fault may never end. */
  async #keep(
    answers: KeptAnswers,
    request: Request,
    call: string,
  ): Promise<[mark: string | null, kept: KeptAnswer | Response]> {
    const answer = await super.fetch(request).catch(() => null);
    const isJson = answer?.headers.get('content-type')?.startsWith('application/json') ?? true;
    if (answer !== null && (!isJson || answer.headers.has('x-sandbox-fault')))
      return [null, (await this.#refusalUnlessSaved()) ?? answer];
    const text = (await answer?.text()) ?? '';
    const headers = [...(answer?.headers ?? [])] as [string, string][];
    const kept = { call, at: Date.now(), status: answer?.status ?? 0, headers, text };
    const mark = await answers.add(kept);
    return [mark, (await this.#refusalUnlessSaved()) ?? kept];
  }

  /** The refusal of a call whose worlds cannot be saved; null if they are. */
  async #refusalUnlessSaved(): Promise<Response | null> {
    try {
      await this.#kept?.keeper.saver.saveNow();
      return null;
    } catch (error) {
      return unavailable(error);
    }
  }
}

/** The answer of a sandbox that has no worlds, or cannot save them. */
export function unavailable(error: unknown): Response {
  const { name, message } = error as Error;
  const detail =
    name === 'QuotaExceededError'
      ? 'The worlds cannot be saved, because the database is full. Reset a world, or clear the data of this site.'
      : endSentence(message);
  const body = buildErrorBody(new ApiError({ code: CODE.RetryLater, detail }), null);
  return Response.json(body, { status: body.HttpStatus });
}

/** The scenarios of the package, which are fetched when one is needed. */
export const FETCHED_LIBRARY: ScenarioLibrary = {
  names: async () => Object.keys(await loadDefinitions()),
  list: async () =>
    Object.entries(await loadDefinitions()).map(([name, { description }]) => ({
      name,
      description: description ?? null,
      file: `${name}.yaml`,
    })),
  find: async (name) => {
    const all = await loadDefinitions();
    if (!Object.hasOwn(all, name)) return undefined;
    const { parseScenario } = await import('../../scenarios/file/schema.js');
    const parsed = parseScenario(all[name]);
    return 'scenario' in parsed ? parsed.scenario : undefined;
  },
};

async function loadDefinitions(): Promise<Readonly<Record<string, { readonly description?: string }>>> {
  return (await readTexts()).scenarios;
}
