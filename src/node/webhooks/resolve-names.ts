import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

import type { Posted } from '../../core/post.js';
import { describeFailure } from './failures.js';

/** How long a DNS server has to answer. After that, its name is not looked up in the system, which could take much longer. */
const ANSWER_MS = 2_500;
/** A look-up that takes longer is slow. Its result is remembered, because the next one would take as long. */
const SLOW_MS = 1_000;
const REMEMBER_MS = 60_000;
/** The maximum number of remembered names. */
const REMEMBERED_MAX = 1_000;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type ResolveFailure = Extract<Posted, { failed: string }>;
type Resolution = readonly ResolvedAddress[] | ResolveFailure;

/** How the system resolves names. */
export interface NameSystem {
  /** Takes one of the few threads that also read and write files. It cannot be cancelled, and the process cannot end before it. */
  readonly resolve: (name: string) => Promise<readonly ResolvedAddress[]>;
  /** Whether `resolve` will not have to wait: a DNS server answers, or the file of hosts has the name. */
  readonly isAnswered: (name: string) => Promise<boolean>;
}

export const NAME_SYSTEM: NameSystem = {
  resolve: (name) => lookup(name, { all: true }),
  isAnswered: async (name) => {
    const question = new Resolver({ timeout: ANSWER_MS, tries: 1 }).resolve4(name);
    // Any other error is an answer.
    const isTimeout = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ETIMEOUT';
    return question.then(
      () => true,
      async (error: unknown) => !isTimeout(error) || (await isInHosts(name)),
    );
  },
};

async function isInHosts(name: string): Promise<boolean> {
  const { SystemRoot = '' } = process.env;
  const folder = process.platform === 'win32' ? `${SystemRoot}\\System32\\drivers\\etc` : '/etc';
  const hosts = await readFile(`${folder}/hosts`, 'utf8').catch(() => '');
  return hosts.toLowerCase().split(/\s+/).includes(name);
}

/** Names of this machine by definition (RFC 6761). */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/;
const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** One sentence for every slow look-up, so that a log does not depend on which step was slow. */
const SLOW =
  'its name is resolved too slowly, or not at all; is the network or a VPN off? Look-ups of other names do not wait for it';

/** Resolves the names of receivers. Slow names delay neither other ones nor the end of the process. */
export class NameResolver {
  readonly #underWay = new Map<string, Promise<Resolution>>();
  /** The results of slow look-ups, and when each is forgotten. */
  readonly #remembered = new Map<string, { readonly result: Resolution; readonly until: number }>();
  /** Names whose last look-up was quick. Any other one waits until it is the only one. */
  readonly #fastNames = new Set<string>();
  #lastLookUp: Promise<unknown> = Promise.resolve();

  constructor(private readonly system: NameSystem) {}

  /** Resolves to the addresses of a name, or why there are none; when the signal is aborted, at once. */
  find(name: string, signal: AbortSignal): Promise<Resolution> {
    if (LOCALHOST.test(name)) return Promise.resolve(LOOPBACK);
    const aborted = new Promise<ResolveFailure>((resolve) => {
      signal.addEventListener('abort', () => resolve({ failed: SLOW, cause: 'time' }), { once: true });
    });
    return Promise.race([this.#shareLookUp(name), aborted]);
  }

  /** One look-up for all attempts that need a name. */
  #shareLookUp(name: string): Promise<Resolution> {
    const underWay = this.#underWay.get(name);
    if (underWay !== undefined) return underWay;
    const found = this.#findOrLookUp(name).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, found);
    return found;
  }

  async #findOrLookUp(name: string): Promise<Resolution> {
    const known = this.#remembered.get(name);
    if (known !== undefined && known.until > performance.now()) return known.result;
    if (this.#fastNames.has(name)) return this.#lookUp(name);
    if (!(await this.system.isAnswered(name))) return this.#remember(name, { failed: SLOW, cause: 'name' });
    const turn = this.#lastLookUp.then(() => this.#lookUp(name));
    this.#lastLookUp = turn;
    return turn;
  }

  async #lookUp(name: string): Promise<Resolution> {
    const begun = performance.now();
    const result = await this.system
      .resolve(name)
      .catch((error: Error): ResolveFailure => ({ failed: describeFailure(error), cause: 'name' }));
    if (performance.now() - begun < SLOW_MS) {
      if (this.#fastNames.size < REMEMBERED_MAX) this.#fastNames.add(name);
      return result;
    }
    this.#fastNames.delete(name);
    return this.#remember(name, result);
  }

  #remember(name: string, result: Resolution): Resolution {
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
    this.#remembered.set(name, { result, until: performance.now() + REMEMBER_MS });
    return result;
  }
}
