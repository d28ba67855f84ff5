import { DEFAULT_KEY } from '../client/connect.js';
import { interceptFetch, type Restore } from '../client/intercept.js';
import type { ScenarioDefinition } from '../client/scenario-definition.js';
import { World } from '../client/world.js';
import { clockOf } from './clock-options.js';
import { NODE_HOST } from './machine/host.js';
import { folderLibrary } from './library.js';
import { WITHIN } from './machine/places.js';
import type { Listening, Sandbox, SandboxOptions, ServeOptions } from '../client/public.js';
import { createSandbox as createSandboxOn, type Sandbox as Inside } from '../app/sandbox.js';
import { type ScenarioLibrary, unknownScenario } from '../scenarios/file/library.js';
import type { Scenario } from '../scenarios/script/model.js';

export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new NodeSandbox(options);
}

export async function serve(sandbox: Sandbox, options: ServeOptions = {}): Promise<Listening> {
  const inside = await NodeSandbox.insideOf(sandbox);
  // Loaded with the first server, because calls in process do not need it.
  const { serve: serveOn } = await import('./http/serve.js');
  const listening = await serveOn(inside, { port: 0, host: '127.0.0.1', ...options });
  return { ...listening, [Symbol.asyncDispose]: () => listening.close() };
}

class NodeSandbox implements Sandbox {
  readonly #inside: Inside;
  readonly #adminToken: string | null;
  /** Set while the scenario is loading. */
  #loading: Promise<void> | null = null;

  constructor({ host = NODE_HOST, scenario, clock, ...rest }: SandboxOptions) {
    const library = folderLibrary();
    const clocked = clock === undefined ? {} : { clock: clockOf(clock) };
    this.#inside = createSandboxOn(host, { library, ...rest, ...clocked });
    this.#adminToken = rest.adminToken ?? null;
    if (scenario !== undefined) this.#load(scenario, library);
    // Callers pass it to their programs as a function.
    this.fetch = this.fetch.bind(this);
  }

  /** The sandbox behind the public one, once its scenario has loaded. */
  static async insideOf(sandbox: Sandbox): Promise<Inside> {
    if (!(sandbox instanceof NodeSandbox)) {
      throw new TypeError('Failed to serve: the sandbox was not created by createSandbox.');
    }
    await sandbox.#loading;
    return sandbox.#inside;
  }

  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    if (this.#loading !== null) await this.#loading;
    return this.#inside.fetch(requestOf(input, init));
  }

  world(key: string = DEFAULT_KEY): World {
    return new World({
      url: WITHIN,
      key,
      adminToken: this.#adminToken,
      fetch: (request) => this.fetch(request),
    });
  }

  intercept(base: string | URL, options: { readonly key?: string } = {}): Restore {
    const answer = (request: Request): Promise<Response> => this.fetch(request);
    return interceptFetch({ base, to: WITHIN, key: options.key ?? null, answer });
  }

  close(): void {
    this.#inside.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #load(asked: string | ScenarioDefinition, library: ScenarioLibrary): void {
    const { worlds } = this.#inside;
    const loading = (async () => {
      const scenario = typeof asked === 'string' ? await named(asked, library) : await defined(asked);
      await worlds.load(scenario);
      worlds.play(scenario);
      this.#loading = null;
    })();
    // The next call reports the error. Until then it must not end the process.
    loading.catch(() => {});
    this.#loading = loading;
  }
}

function requestOf(input: string | URL | Request, init: RequestInit | undefined): Request {
  if (typeof input === 'string')
    return new Request(input.startsWith('/') ? `${WITHIN}${input}` : input, init);
  return init === undefined && input instanceof Request ? input : new Request(input, init);
}

async function named(name: string, library: ScenarioLibrary): Promise<Scenario> {
  const scenario = await library.find(name);
  if (scenario !== undefined) return scenario;
  throw new TypeError(`Failed to use a scenario: ${unknownScenario(name, await library.names())}`);
}

async function defined(definition: ScenarioDefinition): Promise<Scenario> {
  const { parseScenario } = await import('../scenarios/file/schema.js');
  const parsed = parseScenario(definition);
  if ('scenario' in parsed) return parsed.scenario;
  const issues = parsed.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new TypeError(`Failed to use the scenario ${definition.name}: ${issues.join('; ')}`);
}
