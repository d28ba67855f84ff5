import { restoreSnapshot, takeSnapshot } from '../../../src/world/snapshot.js';
import { type TestSandbox, testSandbox } from '../../support/sandbox.js';
import { KEY, NEIGHBOUR } from '../row.js';
import { stateText } from '../state-text.js';
import type { Base } from './base.js';
import { OPERATIONS } from './description.js';
import { hastyHost, inProcess, overHttp, type Send } from './drivers.js';
import type { Figures } from './figures.js';
import { Pools } from './identifiers.js';
import { type Answer, judge } from './judge.js';
import { type Changed, mutated } from './mutation.js';
import { sentBy, type Step } from './steps.js';

/** A request that was answered as it should not be. */
export class Misfit extends Error {
  constructor(
    readonly requests: readonly Changed[],
    readonly answer: Answer | null,
    why: unknown,
  ) {
    super(why instanceof Error ? why.message : String(why));
  }
}

/** Nothing here waits for real time: what takes longer waits for what never comes. */
const PATIENCE_MS = 60_000;

/** A world without its script: a call that is refused for what it is about has been seen by rules and queues. */
const stateOf = (sandbox: TestSandbox, key: string): string =>
  stateText({ ...takeSnapshot(sandbox.worlds.open(key)), script: null });

/** Plays steps in a world of their own; throws a {@link Misfit} at the first answer that is none of the description's. */
export async function play(
  steps: readonly Step[],
  { world, pools: told }: Base,
  figures: Figures,
  isServed: boolean,
): Promise<void> {
  const sandbox = testSandbox({}, hastyHost());
  restoreSnapshot(sandbox.worlds, KEY, world);
  const served = isServed ? await overHttp(sandbox) : null;
  try {
    await new Run(sandbox, served?.send ?? inProcess(sandbox), new Pools(told), figures).play(steps);
  } finally {
    await served?.close();
    sandbox.close();
  }
}

class Run {
  readonly #requests: Changed[] = [];
  #before = '';
  readonly #neighbour: string;

  constructor(
    readonly sandbox: TestSandbox,
    readonly send: Send,
    readonly pools: Pools,
    readonly figures: Figures,
  ) {
    this.#neighbour = stateOf(sandbox, NEIGHBOUR);
  }

  /** Sends the steps, and what shows that the world is sound in the end. */
  async play(steps: readonly Step[]): Promise<void> {
    // The world may have been taken while receivers were being told.
    await this.#calm();
    this.#before = stateOf(this.sandbox, KEY);
    let isReplaced = false;
    // What is kept beside a world is not in its records.
    if (steps.some(({ operation }) => operation.path.includes('/snapshots/')))
      await this.#own('PUT', '/_sandbox/snapshots/a');
    for (const step of steps) {
      if (this.figures.isDone()) return;
      const request = mutated(sentBy(step, this.pools, KEY), step.mutations);
      const answer = await this.#ask(request);
      isReplaced ||= request.method === 'PUT' && request.path === '/_sandbox/state' && answer?.status === 200;
    }
    if (isReplaced) await this.#expectUsable();
    if (stateOf(this.sandbox, NEIGHBOUR) !== this.#neighbour)
      throw new Misfit(this.#requests, null, 'Another world has changed');
  }

  async #ask(request: Changed): Promise<Answer | null> {
    this.#requests.push(request);
    const { method } = request;
    const path = new URL(`http://localhost${request.path}`).pathname;
    let answer: Answer | null = null;
    try {
      answer = await inTime(this.send(request));
      this.figures.note(method, path, answer?.status ?? null);
      if (answer === null) this.#requireFault();
      else this.pools.learn(judge({ method, path }, answer));
      await inTime(this.#calm());
      this.#requireUnchanged(answer);
      return answer;
    } catch (error) {
      throw new Misfit(this.#requests, answer, error);
    }
  }

  /** What is due happens with the next call, and receivers are told while nobody waits: neither is the doing of a refusal. */
  async #calm(): Promise<void> {
    const world = this.sandbox.worlds.open(KEY);
    await world.enter();
    await world.runningDeliveries.whenIdle();
  }

  /** Without an answer some request so far must have asked for a fault: in a header, a queue or a scenario. */
  #requireFault(): void {
    const asks = ({ headers, body }: Changed): boolean =>
      'x-sandbox-fault' in headers || (body !== null && /fault/i.test(Buffer.from(body).toString()));
    if (!this.#requests.some(asks)) throw new Error('No answer came, and nothing asked for that');
  }

  #requireUnchanged(answer: Answer | null): void {
    const now = stateOf(this.sandbox, KEY);
    const isRefused =
      answer !== null &&
      answer.status >= 400 &&
      // A decline is stored.
      !answer.headers.has('x-sandbox-trigger') &&
      !answer.headers.has('x-sandbox-fault');
    if (isRefused && now !== this.#before)
      throw new Error(`A refusal has changed the world: ${difference(this.#before, now)}`);
    this.#before = now;
  }

  /** A request that is no step. */
  #own(method: string, path: string, body: string | null = null): Promise<Answer | null> {
    const type = body === null ? [] : [['content-type', 'application/json'] as const];
    return this.#ask(mutated({ method, path, headers: [['x-secretkey', KEY], ...type], body }, []));
  }

  /** A world that was taken from a document works like others: what is due in it happens, and what is in it is shown. */
  async #expectUsable(): Promise<void> {
    await this.#own('POST', '/_sandbox/clock/advance', '{"By":"40d"}');
    for (const { method, path } of OPERATIONS) {
      const isList = method === 'GET' && /^\/[a-z_/]+$/.test(path) && path !== '/_sandbox/live';
      if (isList) await this.#own(method, path);
    }
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not done after ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What stands where two texts part. */
function difference(before: string, after: string): string {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  const shown = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  return `${shown(before)} became ${shown(after)}`;
}
