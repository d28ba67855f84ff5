import { AsyncLocalStorage } from 'node:async_hooks';

import type { Receive, SweepContext } from '../../sweep/public.js';
import { nameParty, nameTogether, type TogetherRun } from '../../sweep/races.js';
import type { Trial } from '../../sweep/trial.js';
import { Turns } from '../../sweep/turns.js';
import { NODE_HOST } from '../machine/host.js';
import { PendingWork, watchWork } from './pending-work.js';

/** A party of `together`. All calls that it makes in process belong to it. */
interface Party {
  readonly name: string;
  /** Null if the parties go one after the other. */
  readonly turns: Turns | null;
  readonly number: number;
  readonly work: PendingWork;
  /** How many of its calls are being answered. */
  calls: number;
  /** Whether patience with it is not over. */
  isWaitedFor: boolean;
}

const PARTY = new AsyncLocalStorage<Party>();

/** Turns of the event loop in which nothing happens, after which a party waits for something else. */
const QUIET_TURNS = 10;
const CHECK_MS = 1;

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** The parties of each `together` in one run. */
export class Parties {
  readonly togethers: TogetherRun[] = [];
  /** By the RequestId of a call, the name of its party. */
  readonly byRequestId = new Map<string, string>();
  /** Those of the race that goes on. */
  #racing: Party[] = [];

  constructor(
    private readonly trial: Trial,
    /** How many real milliseconds a party may take to its next call, if its work cannot be seen. */
    private readonly patienceMs = 0,
  ) {}

  readonly together: SweepContext['together'] = async (...parties) => {
    const isNested = PARTY.getStore() !== undefined;
    const name = nameTogether(this.togethers.length + 1);
    const order = this.trial.find(({ point }) => point.name === name)?.fault.order;
    let outcomes: Outcome[];
    if (isNested || order === undefined) {
      if (!isNested) this.togethers.push({ name, turns: [] });
      outcomes = await runInSequence(parties);
    } else outcomes = await this.#race(name, order, parties);
    const results = outcomes.map((outcome) => {
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    });
    return results as Awaited<ReturnType<typeof this.together>> as never;
  };

  async #race(name: string, order: readonly number[], parties: readonly (() => unknown)[]): Promise<Outcome[]> {
    const turns = new Turns(order, () => this.#settle());
    this.togethers.push({ name, turns: turns.given });
    const unwatch = watchWork(PARTY);
    try {
      const outcomes = parties.map((work, i) => this.#play(nameParty(i), turns, work));
      await turns.give();
      return await Promise.all(outcomes);
    } finally {
      unwatch();
      this.#racing = [];
    }
  }

  async #play(name: string, turns: Turns, work: () => unknown): Promise<Outcome> {
    const party = createParty(name, turns, turns.join());
    this.#racing.push(party);
    const outcome = await PARTY.run(party, async () => {
      await waitForTurn(party);
      return attempt(work);
    });
    turns.end(party.number);
    return outcome;
  }

  /** Resolves when each party waits for its turn, has ended, or waits for something that is not its own. */
  async #settle(): Promise<void> {
    const end = NODE_HOST.now() + this.patienceMs;
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      const moving = this.#racing.filter(({ turns, number }) => turns?.isSettled(number) === false);
      if (NODE_HOST.now() >= end) for (const party of moving) party.isWaitedFor = false;
      const isWorking = moving.some(({ work, isWaitedFor }) => isWaitedFor || !work.isEmpty);
      if (isWorking || moving.some(({ calls }) => calls > 0)) quiet = 0;
      await (isWorking ? NODE_HOST.sleep(CHECK_MS) : NODE_HOST.pause());
    }
  }

  /** Performs a call when it is its party's turn, and returns the answer when it is its turn again. */
  async hold(perform: () => Promise<Response>): Promise<Response> {
    const party = PARTY.getStore();
    if (party === undefined) return perform();
    await waitForTurn(party);
    party.calls++;
    try {
      const answer = await perform();
      this.byRequestId.set(answer.headers.get('x-request-id') ?? '', party.name);
      return answer;
    } finally {
      party.calls--;
      await waitForTurn(party);
    }
  }

  /** A webhook that arrives during a race is a party of its own. */
  async receive(handler: Receive, request: Request): Promise<Response> {
    const turns = this.#racing[0]?.turns ?? null;
    if (turns === null || turns.isOver) return handler(request);
    const outcome = await this.#play('webhook', turns, () => handler(request));
    if ('error' in outcome) throw outcome.error;
    return outcome.result as Response;
  }
}

function createParty(name: string, turns: Turns | null, number: number): Party {
  return { name, turns, number, work: new PendingWork(), calls: 0, isWaitedFor: true };
}

async function waitForTurn(party: Party): Promise<void> {
  party.work.renew();
  party.isWaitedFor = true;
  await party.turns?.wait(party.number);
}

async function attempt(work: () => unknown): Promise<Outcome> {
  try {
    return { result: await work() };
  } catch (error) {
    return { error };
  }
}

async function runInSequence(parties: readonly (() => unknown)[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [number, work] of parties.entries()) {
    const party = createParty(nameParty(number), null, number);
    outcomes.push(await PARTY.run(party, () => attempt(work)));
  }
  return outcomes;
}
