import { settleWorld } from '../../src/control/webhooks/await.js';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/app/sandbox.js';
import { restoreWorld, writeWorld } from '../../src/app/saving/document.js';
import { marksOf } from '../../src/app/saving/saver.js';
import { CODE, refuse } from '../../src/core/errors.js';
import type { Post, Posted } from '../../src/core/post.js';
import { MEBIBYTE } from '../../src/core/limits/memory.js';
import { parseDuration } from '../../src/core/time/time.js';
import { ConnectionLost } from '../../src/http/answers/respond.js';
import { Dropper, workDelay } from '../../src/world/keeper.js';
import type { World } from '../../src/world/world.js';
import { HOST } from './host.js';
import { FETCHED_LIBRARY } from '../../src/browser/library.js';
import { type Loss, lostAnswer } from './lost.js';
import type { Bindings, ObjectState } from './platform.js';
import { ObjectStore } from './store.js';

/** `sk_test_` and 20 characters: strangers can reach the server, and a key is all that protects a world. */
export const KEY_SETTINGS = { keys: [], keyLengthMin: 28 };
/** An object has 128 MB, of which a save needs as much again as its world. A quarter of this is for the journal. */
const MEMORY_BYTES = 32 * MEBIBYTE;
/** The whole world is saved after each call. */
const RECORDS_MAX = 10_000;
/** How long a call may take, so that one that hangs ends with an error that says so. */
const ANSWER_MS_MAX = 60_000;
/** Timers in memory run jobs that are due sooner. The alarm then saves what they did, or runs them if the object was evicted. */
const SOON_MS = 1_000;
const SETTLE_MS = 30_000;
const DEFAULT_EXPIRE = '7d';

/** The settings of every world. */
export function settingsOf(
  { WEBHOOKS = 'public' }: Bindings,
  allowedHosts: readonly string[],
): SandboxOptions {
  const webhooks = WEBHOOKS === 'off' ? 'off' : 'public';
  const limits = { memoryMax: MEMORY_BYTES, recordsMax: RECORDS_MAX, testCardsOnly: true };
  return { ...KEY_SETTINGS, ...limits, webhooks, library: FETCHED_LIBRARY, allowedHosts };
}

/** The Durable Object of a key: a sandbox with one world, which is saved before each answer leaves. */
export class PlaymoneyWorld {
  /** The platform routes only requests for the deployer's hosts to this code. */
  readonly #hosts: string[] = [];
  readonly #expireMs: number;
  #opening: Promise<Sandbox> | null = null;
  #store: ObjectStore;
  /** Values that differ when the world has changed since it was saved. */
  #marks: readonly unknown[] = [];
  /** When the platform will call `alarm`. */
  #alarm = Infinity;
  #saving: Promise<void> = Promise.resolve();
  /** The save that begins when the present one has ended; null if none is asked for. */
  #next: Promise<void> | null = null;

  constructor(
    protected readonly state: ObjectState,
    private readonly bindings: Bindings,
  ) {
    this.#store = new ObjectStore(state.storage);
    this.#expireMs = parseDuration(bindings.EXPIRE ?? DEFAULT_EXPIRE) ?? NaN;
  }

  async fetch(request: Request): Promise<Response> {
    const sandbox = await this.#sandbox();
    const { hostname } = new URL(request.url);
    if (!this.#hosts.includes(hostname)) this.#hosts.push(hostname);
    const response = await this.#answer(sandbox, request);
    await this.#save(sandbox);
    return response;
  }

  /** Runs due jobs of a world that is not in memory, and deletes one that nobody uses. */
  async alarm(): Promise<void> {
    this.#alarm = Infinity;
    const sandbox = await this.#sandbox();
    const world = worldIn(sandbox);
    if (world === undefined) return;
    if (Date.now() >= world.usedAt + this.#expireMs) return sandbox.worlds.delete(world);
    // A receiver may be slower than that. The next alarm then saves what it answered.
    await settleWorld(world, SETTLE_MS).catch(() => {});
    world.armTimer();
    await this.#save(sandbox);
  }

  #sandbox(): Promise<Sandbox> {
    return (this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    }));
  }

  async #open(): Promise<Sandbox> {
    const { storage } = this.state;
    const deliver = async (post: Post): Promise<Posted> => {
      try {
        return await HOST.deliver(post);
      } finally {
        // Once the attempt is noted: if the object was evicted before, it would be made again.
        setTimeout(() => void this.#save(sandbox).catch(HOST.reportBug), 0);
      }
    };
    const sandbox = createSandbox(HOST, { ...settingsOf(this.bindings, this.#hosts), deliver });
    sandbox.worlds.keeper = new OneWorld(sandbox.worlds, async () => {
      this.#store = new ObjectStore(storage);
      this.#alarm = Infinity;
      await Promise.all([storage.deleteAlarm(), storage.deleteAll()]);
    });
    const stored = await this.#store.load();
    this.#alarm = (await storage.getAlarm()) ?? Infinity;
    // A scaled clock goes on while its world is not in memory, so the time since 1970 counts as that of the server.
    if (stored !== null) this.#marks = marksOf(await restoreWorld(sandbox.worlds, stored, Date.now()));
    return sandbox;
  }

  async #answer(sandbox: Sandbox, request: Request): Promise<Response> {
    const limit = AbortSignal.timeout(ANSWER_MS_MAX);
    const lost = (how: Loss): Response => lostAnswer(request, how, worldIn(sandbox)?.settings.dialect);
    try {
      const response = await sandbox.fetch(new Request(request, { signal: limit }));
      if (response.headers.get('x-sandbox-fault') !== 'truncate') return response;
      // The platform would end it as if it were whole.
      await response.body?.cancel();
      return lost('truncate');
    } catch (error) {
      if (limit.aborted) return lost('hang');
      if (error instanceof ConnectionLost) return lost(error.how);
      throw error;
    }
  }

  /** Saves everything that has happened until now. Calls that end during a save share the next one. */
  #save(sandbox: Sandbox): Promise<void> {
    return (this.#next ??= this.#saving
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return (this.#saving = this.#write(sandbox));
      }));
  }

  async #write(sandbox: Sandbox): Promise<void> {
    const { worlds } = sandbox;
    const world = worldIn(sandbox);
    if (world === undefined) return;
    const marks = marksOf(world);
    if (marks.every((mark, n) => Object.is(mark, this.#marks[n]))) return this.#setAlarm(world);
    try {
      const { journal, key, usedAt } = world;
      const { nextId } = journal;
      // Both are of this instant, although the document becomes a text later.
      const calls = this.#store.unsaved(journal);
      const pieces = writeWorld(world, worlds.chosenFor(key), Date.now(), () => Promise.resolve());
      let document = '';
      for await (const piece of pieces) document += piece;
      // The world may have been deleted in the meantime.
      if (worlds.find(key) === undefined) return;
      const saved = this.#store.save(document, calls, nextId, usedAt);
      await Promise.all([saved, this.#setAlarm(world)]);
      this.#marks = marks;
    } catch (error) {
      // A call that cannot be saved is not answered, and must not have happened either.
      sandbox.close();
      this.#opening = null;
      throw error;
    }
  }

  /** An alarm that is too early does no harm, and a later one would cost a write with each call. */
  async #setAlarm(world: World): Promise<void> {
    const soonest = Date.now() + Math.max(SOON_MS, workDelay(world));
    const wanted = Math.min(soonest, world.usedAt + this.#expireMs);
    if (wanted >= this.#alarm) return;
    this.#alarm = wanted;
    await this.state.storage.setAlarm(wanted);
  }
}

/** Keeps the only world of an object. */
class OneWorld extends Dropper {
  constructor(
    private readonly all: Sandbox['worlds'],
    override readonly remove: () => Promise<void>,
  ) {
    super(all);
  }

  override makeRoom(): void {
    if (this.all.size > 0)
      refuse(
        CODE.InvalidAuthentication,
        'The key in x-secretkey has the same short hash as a key that is in use, which happens to one key in millions. Send another key.',
      );
  }
}

function worldIn({ worlds }: Sandbox): World | undefined {
  const [world] = worlds.all();
  return world;
}
