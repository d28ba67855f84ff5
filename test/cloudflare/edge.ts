import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildWorker } from '../../integrations/cloudflare/build.mjs';
import type { Fetch } from '../support/trace.js';

/** The Worker on this machine, by the runtime of Cloudflare. */

interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}

// Its package is not among those of the project: `npm run test:cloudflare` installs it.
const { Miniflare } = createRequire(new URL('../../integrations/cloudflare/package.json', import.meta.url))(
  'miniflare',
) as { readonly Miniflare: new (options: object) => Miniflare };

/**
 * Like `fetch`, over a connection of its own: on a busy machine, `fetch` notices too late that the runtime has closed one that it
 * has kept open for five seconds.
 */
export const fetchOnce = (given: Request | string, init?: RequestInit): Promise<Response> => {
  const request = new Request(given, init);
  request.headers.set('connection', 'close');
  return fetch(request);
};

/** The configuration of a deployment, without its comments. */
const CONFIG = JSON.parse(
  readFileSync(new URL('../../integrations/cloudflare/wrangler.jsonc', import.meta.url), 'utf8').replaceAll(
    /^ *\/\/.*$|,(?=\s*[}\]])/gm,
    '',
  ),
) as { readonly compatibility_date: string; readonly compatibility_flags: readonly string[] };

export interface Edge {
  readonly url: string;
  /** Sends a call. Rejects like `fetch` if the answer says that it stands for none. */
  readonly send: Fetch;
  /** Takes the world of a key out of memory. */
  evict(key: string): Promise<void>;
  /** Asks the object of a key for what it has `written`, or whether it has `stored` anything. */
  ask<T>(key: string, what: 'written' | 'stored'): Promise<T>;
  /** Ends the runtime and starts another one on the same storage. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

export async function startEdge(bindings: Readonly<Record<string, string>> = {}): Promise<Edge> {
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-edge-'));
  const scriptPath = await buildWorker(join(import.meta.dirname, 'evictable.ts'), join(folder, 'worker.js'));
  const start = (): Miniflare =>
    new Miniflare({
      modules: true,
      scriptPath,
      modulesRoot: folder,
      compatibilityDate: CONFIG.compatibility_date,
      compatibilityFlags: CONFIG.compatibility_flags,
      durableObjects: { WORLDS: { className: 'EvictableWorld', useSQLite: true } },
      durableObjectsPersist: join(folder, 'objects'),
      bindings: { WEBHOOKS: 'public', ...bindings },
      // What its runtime prints of evictions is no news.
      handleRuntimeStdio: () => {},
    });
  let running = start();
  let url = (await running.ready).origin;
  const test = (key: string, path: string): Promise<Response> =>
    fetchOnce(`${url}/test/${path}`, { headers: { 'x-secretkey': key } });
  return {
    get url() {
      return url;
    },
    send: async (request) => {
      const answer = await fetchOnce(request);
      if (answer.headers.has('x-sandbox-lost')) throw new TypeError('fetch failed');
      return answer;
    },
    evict: async (key) => {
      await (await test(key, 'evict')).text();
    },
    ask: async <T>(key: string, what: string) => (await (await test(key, what)).json()) as T,
    restart: async () => {
      await running.dispose();
      running = start();
      url = (await running.ready).origin;
    },
    end: async () => {
      await running.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
