import { AsyncLocalStorage } from 'node:async_hooks';

import type { SweepContext } from '../../sweep/public.js';
import type { LiveReceiver } from './life.js';
import { nameParty, nameTogether } from '../../sweep/races.js';
import type { Trial } from '../../sweep/trial.js';
import { type TogetherRun, Turns } from '../../sweep/turns.js';
import { NODE_HOST } from '../machine/host.js';
import { PendingWork, watchWork } from './pending-work.js';

/** A party of `together`. All calls that it makes in process belong to it. */
interface Party {
  readonly name: string;
  readonly number: number;
  /** Null if the parties go one after the other. */
  readonly turns: Turns | null;
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

/** The parties of each `together` in one run. */
export class Parties {
  readonly togethers: TogetherRun[] = [];
  /** By the RequestId of a call, the name of its party. */
  readonly byRequestId = new Map<string, string>();
  /** The parties of the current race. */
  #racing: Party[] = [];
  #unwatch = (): void => {};

  constructor(
    private readonly trial: Trial,
    /** How many real milliseconds a party may take to its next call, if its work cannot be seen. */
    private readonly patienceMs = 0,
    /** Whether the world does something at once. It waits for a real timer first, which no number of turns outlasts. */
    private readonly hasDueJobs = (): boolean => false,
  ) {}

  readonly together: SweepContext['together'] = async (...parties) => {
    const isNested = PARTY.getStore() !== undefined;
    const name = nameTogether(this.togethers.length + 1);
    const order = this.trial.find(({ point }) => point.name === name)?.fault.order;
    const turns = isNested || order === undefined ? null : new Turns(order, () => this.#settle());
    if (!isNested) this.togethers.push({ name, turns: turns?.given ?? [] });
    const outcomes = await (turns === null ? runInSequence(parties) : this.#race(parties, turns));
    const results = outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
    return results as never;
  };

  async #race(parties: readonly (() => unknown)[], turns: Turns): Promise<PromiseSettledResult<unknown>[]> {
    this.#unwatch = watchWork(PARTY);
    try {
      const outcomes = Promise.allSettled(parties.map((work, i) => this.#play(nameParty(i), turns, work)));
      await turns.give();
      return await outcomes;
    } finally {
      this.close();
    }
  }

  /** Ends a race, also one that is stuck. */
  close(): void {
    this.#unwatch();
    this.#racing = [];
  }

  async #play<T>(name: string, turns: Turns, work: () => T): Promise<Awaited<T>> {
    const party = createParty(name, turns.join(), turns);
    this.#racing.push(party);
    try {
      return await PARTY.run(party, () => waitForTurn(party).then(work));
    } finally {
      turns.end(party.number);
    }
  }

  /**
   * Resolves when each party waits for its turn, has ended, or waits for something that is not its own, and each webhook that is due has
   * come to its receiver.
   */
  async #settle(): Promise<void> {
    const end = NODE_HOST.now() + this.patienceMs;
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      const moving = this.#racing.filter(({ turns, number }) => turns?.isSettled(number) === false);
      if (NODE_HOST.now() >= end) for (const party of moving) party.isWaitedFor = false;
      const isWorking = moving.some(({ work, isWaitedFor }) => isWaitedFor || !work.isEmpty);
      if (isWorking || moving.some(({ calls }) => calls > 0) || this.hasDueJobs()) quiet = 0;
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
  async receive(handler: LiveReceiver, request: Request): Promise<Response> {
    const turns = this.#racing[0]?.turns ?? null;
    if (turns === null || turns.isOver) return handler(request);
    return this.#play('webhook', turns, () => handler(request));
  }
}

function createParty(name: string, number: number, turns: Turns | null): Party {
  return { name, number, turns, work: new PendingWork(), calls: 0, isWaitedFor: true };
}

async function waitForTurn(party: Party): Promise<void> {
  party.work.renew();
  party.isWaitedFor = true;
  await party.turns?.wait(party.number);
}

async function runInSequence(parties: readonly (() => unknown)[]): Promise<PromiseSettledResult<unknown>[]> {
  const outcomes: PromiseSettledResult<unknown>[] = [];
  for (const [number, work] of parties.entries()) {
    const party = createParty(nameParty(number), number, null);
    outcomes.push(...(await Promise.allSettled([PARTY.run(party, async () => work())])));
  }
  return outcomes;
}
