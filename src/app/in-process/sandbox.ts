import { WITHIN } from '../../client/call.js';
import { DEFAULT_KEY } from '../../client/connect.js';
import { interceptFetch, type Restore } from '../../client/intercept.js';
import type { ScenarioDefinition } from '../../client/scenario-definition.js';
import { World } from '../../client/world.js';
import type { Sandbox, SandboxOptions, ClockOptions } from '../../client/public.js';
import { createInnerSandbox, type InnerSandbox, type InnerSandboxOptions } from '../sandbox.js';
import type { Host } from '../../core/host.js';
import type { Bindings } from '../../http/exchange.js';
import { type ScenarioLibrary, describeUnknownScenario } from '../../scenarios/file/library.js';
import type { Scenario } from '../../scenarios/script/model.js';
import { refuseUnknownSandboxOptions } from './sandbox-options.js';
import { type ClockMode, RATE_MAX, RATE_MIN, STANDARD_RATE } from '../../core/time/clock.js';

/** The host of a runtime, and its scenarios. */
interface SandboxRuntime extends InnerSandboxOptions {
  readonly host: Host;
  readonly library: ScenarioLibrary;
  /** The address under which pages of the sandbox are opened. */
  readonly url?: string;
}

/** A sandbox in the process of the program that uses it, on any runtime. */
export class InProcessSandbox implements Sandbox {
  readonly #url: string;
  readonly #inner: InnerSandbox;
  readonly #adminToken: string | null;
  /** Set while the scenario is loading. */
  #loading: Promise<void> | null = null;

  constructor({ url = WITHIN, ...runtime }: SandboxRuntime, options: SandboxOptions) {
    refuseUnknownSandboxOptions(options);
    const { host = runtime.host, scenario, clock, ...rest } = options;
    const clocked = clock === undefined ? {} : { clock: readClockOptions(clock) };
    this.#url = url;
    this.#inner = createInnerSandbox(host, { ...runtime, ...rest, ...clocked });
    this.#adminToken = rest.adminToken ?? null;
    if (scenario !== undefined) this.#load(scenario, runtime.library);
    // Callers pass it to their programs as a function.
    this.fetch = this.fetch.bind(this);
  }

  /** The sandbox behind the public one, once its scenario has loaded. */
  static async requireInner(sandbox: Sandbox): Promise<InnerSandbox> {
    if (!(sandbox instanceof InProcessSandbox)) {
      throw new TypeError('Failed to serve: the sandbox was not created by createSandbox.');
    }
    await sandbox.#loading;
    return sandbox.#inner;
  }

  async fetch(
    input: string | URL | Request,
    init?: RequestInit | Pick<Bindings, 'incoming'>,
  ): Promise<Response> {
    if (this.#loading !== null) await this.#loading;
    const isMounted = init !== undefined && 'incoming' in init && input instanceof Request;
    if (isMounted) return this.#inner.fetch(input, init);
    return this.#inner.fetch(this.#requestOf(input, init as RequestInit));
  }

  world(key: string = DEFAULT_KEY): World {
    return new World({
      url: this.#url,
      key,
      adminToken: this.#adminToken,
      fetch: (request) => this.fetch(request),
    });
  }

  intercept(base: string | URL, options: { readonly key?: string } = {}): Restore {
    const answer = (request: Request): Promise<Response> => this.fetch(request);
    return interceptFetch({ base, to: this.#url, key: options.key ?? null, answer });
  }

  close(): void {
    this.#inner.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #load(given: string | ScenarioDefinition, library: ScenarioLibrary): void {
    const { worlds } = this.#inner;
    const loading = (async () => {
      const scenario =
        typeof given === 'string' ? await requireNamedScenario(given, library) : await parseDefinition(given);
      await worlds.load(scenario);
      worlds.play(scenario);
      this.#loading = null;
    })();
    // The next call reports the error. Until then it must not end the process.
    loading.catch(() => {});
    this.#loading = loading;
  }

  #requestOf(input: string | URL | Request, init: RequestInit | undefined): Request {
    if (typeof input === 'string')
      return new Request(input.startsWith('/') ? `${this.#url}${input}` : input, init);
    return init === undefined && input instanceof Request ? input : new Request(input, init);
  }
}

async function requireNamedScenario(name: string, library: ScenarioLibrary): Promise<Scenario> {
  const scenario = await library.find(name);
  if (scenario !== undefined) return scenario;
  throw new TypeError(`Failed to use a scenario: ${describeUnknownScenario(name, await library.names())}`);
}

async function parseDefinition(definition: ScenarioDefinition): Promise<Scenario> {
  const { parseScenario } = await import('../../scenarios/file/schema.js');
  const parsed = parseScenario(definition);
  if ('scenario' in parsed) return parsed.scenario;
  const issues = parsed.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new TypeError(`Failed to use the scenario ${definition.name}: ${issues.join('; ')}`);
}

/** Converts the public clock options into settings for new worlds. Throws a TypeError for an invalid option. */
function readClockOptions(clock: ClockMode | ClockOptions): {
  readonly mode?: ClockMode;
  readonly rate?: number;
  readonly start?: number | null;
} {
  const { start, ...rest }: ClockOptions = typeof clock === 'string' ? { mode: clock } : clock;
  const { mode = 'real', rate } = rest;
  // A program without types may pass a value of the command line, such as x60.
  if (!Object.hasOwn(STANDARD_RATE, mode)) {
    refuseOption(`the clock mode must be one of ${Object.keys(STANDARD_RATE).join(', ')}, not "${mode}"`);
  }
  if (rate !== undefined && mode !== 'scaled') refuseOption(`clock.rate needs the mode scaled, not ${mode}`);
  if (rate !== undefined && !(rate >= RATE_MIN && rate <= RATE_MAX)) {
    refuseOption(`clock.rate must be a number from ${RATE_MIN} to ${RATE_MAX}, not ${rate}`);
  }
  if (start === undefined) return rest;
  const instant = start === null ? null : new Date(start).getTime();
  if (Number.isNaN(instant)) refuseOption('clock.start must be an instant such as 2026-01-01T00:00:00Z');
  return { ...rest, start: instant };
}

function refuseOption(reason: string): never {
  throw new TypeError(`Failed to create a sandbox: ${reason}.`);
}
