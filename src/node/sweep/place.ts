import { randomUUID } from 'node:crypto';

import type { JournalEntry } from '../../client/answers.js';
import type { WorldOptions } from '../../client/asked.js';
import { interceptFetch, readKey } from '../../client/intercept.js';
import { World } from '../../client/world.js';
import { type Deadline, startDeadline } from '../../core/time/sleep.js';
import type { CallSite } from '../../sweep/report/code-line.js';
import { CallInFlight, isInFlight } from '../../sweep/in-flight.js';
import type { LiveReceiver } from './life.js';
import { type OpenedWorld, type RunPlace, WEBHOOK_SECRET } from '../../sweep/run.js';
import { hasCrash, type Trial } from '../../sweep/trial.js';
import { Parties } from './parties.js';
import { NODE_HOST } from '../machine/host.js';
import { captureCallSite } from './call-site.js';
import { watchIdle } from './idle.js';
import { SweptProgram } from './program.js';
import { chooseSilence } from './silence.js';
import type { Room } from './rooms.js';

/** All worlds of a sweep have this name, so that they give the same identifiers. */
const WORLD_NAME = 'sweep';
const KEY = 'sk_test_sweep';

/** A run with more calls is in an endless loop. If it never waits, no timer can end it. */
const CALLS_MAX = 500;
/** How many calls are answered before timers can run. */
const CALLS_IN_TURN = 50;

type AnswerCall = (request: Request, hasSignal: boolean) => Promise<Response>;

/** Opens rooms, and answers calls of the global `fetch` to them until it is closed. */
export class NodePlace implements RunPlace {
  readonly #answers = new Map<string, AnswerCall>();
  /** All open rooms, in use or free. */
  readonly #rooms = new Set<Room>();
  /** Rooms that a later run can use again: making one takes longer than a run. */
  readonly #free: { readonly key: string; readonly room: Room }[] = [];
  #opened = 0;
  #timers = 0;
  readonly #whenIdle = watchIdle(() => this.#timers);
  /** The beginning of its keys. Other sweeps may run at the same time, in this process or at the same server. */
  readonly #keys = `${KEY}_${randomUUID().slice(0, 8)}`;
  readonly #restore: () => void;

  constructor(
    readonly isRemote: boolean,
    url: string | null,
    private readonly settings: WorldOptions,
    private readonly openRoom: (key: string) => Promise<Room>,
  ) {
    // Looked up before the interception, for calls to other addresses.
    const before = globalThis.fetch;
    const answer: AnswerCall = (request, hasSignal) =>
      this.#answers.get(readKey(request))?.(request, hasSignal) ?? before(request);
    this.#restore = url === null ? () => {} : interceptFetch({ base: url, to: url, key: null, answer });
  }

  async open(trial: Trial): Promise<OpenedWorld> {
    const { key, room } = this.#free.pop() ?? (await this.#newRoom());
    const { connection } = room;
    const world = new World(connection);
    const settings = { webhookSecret: WEBHOOK_SECRET, ...this.settings };
    await world.reset({ name: WORLD_NAME, clock: 'manual', settings });
    const parties = new Parties(trial, 0, room.hasDueJobs);
    let exhaust = (): void => {};
    const exhausted = new Promise<void>((resolve) => (exhaust = resolve));
    let isClosed = false;
    const hang = (): Promise<never> => {
      void this.#whenIdle(() => isClosed).then(exhaust);
      return new Promise(() => {});
    };
    // The journal has one call more than the program made.
    const noteArrival = ({ method, path }: JournalEntry): void =>
      void callSites.push({ method, path, locate: () => null });
    const inFlight = isInFlight(trial) ? new CallInFlight(world, noteArrival) : null;
    room.answered = async () => inFlight?.arrive(false);
    const silence = this.isRemote ? null : chooseSilence(trial, hang);
    const { callSites, answer } = noteCalls(exhaust, (request, hasSignal) =>
      parties.hold(() => {
        const answered = room.answer(request);
        return silence === null ? answered : answered.catch((error: unknown) => silence(error, hasSignal));
      }),
    );
    const answerLiving: AnswerCall = (request, hasSignal) => program.call(() => answer(request, hasSignal));
    this.#answers.set(key, answerLiving);
    const receive = (handler: LiveReceiver | null): void =>
      room.receive(handler && ((request) => parties.receive(handler, request)));
    const program: SweptProgram = new SweptProgram(
      { connection, receive },
      {
        webhookSecret: settings.webhookSecret ?? WEBHOOK_SECRET,
        fetch: createFlowFetch(connection.url, key, answerLiving),
        together: parties.together,
      },
    );
    room.watchHangs?.(hasCrash(trial) ? () => program.end() : null);
    return {
      world,
      program,
      callSites,
      exhausted,
      arrive: async () => inFlight?.arrive(true),
      parties,
      close: (isStuck) => {
        isClosed = true;
        this.#answers.delete(key);
        parties.close();
        program.close();
        // A program that is stuck may still call with its key, and so may one that crashed, if it uses no fetch.
        if (isStuck || (program.context.restarted && this.isRemote)) this.#closeRoom(room);
        else this.#free.push({ key, room });
      },
    };
  }

  async #newRoom(): Promise<{ readonly key: string; readonly room: Room }> {
    const key = `${this.#keys}_${++this.#opened}`;
    const room = await this.openRoom(key);
    this.#rooms.add(room);
    return { key, room };
  }

  #closeRoom(room: Room): void {
    this.#rooms.delete(room);
    room.close();
  }

  timer(ms: number): Deadline {
    const { over, end } = startDeadline(NODE_HOST, ms);
    this.#timers++;
    const endOnce = (): void => {
      this.#timers--;
      end();
    };
    return { over, end: endOnce };
  }

  close(): void {
    this.#restore();
    for (const room of this.#rooms) this.#closeRoom(room);
  }
}

/** Notes where calls are made, and stops answering when there are too many. */
function noteCalls(
  exhaust: () => void,
  answer: AnswerCall,
): { readonly callSites: CallSite[]; readonly answer: AnswerCall } {
  const callSites: CallSite[] = [];
  return {
    callSites,
    answer: async (request, hasSignal) => {
      // In the turn of the call, as long as its frames are known.
      const calls = callSites.push(captureCallSite(request));
      if (calls > CALLS_MAX) {
        exhaust();
        return new Promise(() => {});
      }
      if (calls % CALLS_IN_TURN === 0) await NODE_HOST.pause();
      return answer(request, hasSignal);
    },
  };
}

/** Calls below the address are answered with the key of the world; all others go to the global `fetch`. */
function createFlowFetch(url: string, key: string, answer: AnswerCall): typeof globalThis.fetch {
  return (input, init) => {
    const given = typeof input === 'string' && input.startsWith('/') ? `${url}${input}` : input;
    // Creating a request from another one uses up its body.
    const address = typeof given === 'object' && 'url' in given ? given.url : String(given);
    if (!address.startsWith(`${url}/`)) return fetch(given, init);
    const request = new Request(given, init);
    if (readKey(request) === '') request.headers.set('x-secretkey', key);
    return answer(request, Boolean(init?.signal));
  };
}
