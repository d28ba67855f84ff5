import { createInnerSandbox, type InnerSandbox, type InnerSandboxOptions } from '../../src/app/sandbox.js';
import { readCalls } from '../../src/app/saving/calls.js';
import { restoreWorld, writeWorld } from '../../src/app/saving/document.js';
import { listMarks, explainError } from '../../src/app/saving/saver.js';
import { FETCHED_LIBRARY } from '../../src/app/browser/sandbox.js';
import { settleWorld } from '../../src/control/webhooks/await.js';
import type { DialectSetting } from '../../src/core/dialect/dialect.js';
import { ApiError, CODE, refuse } from '../../src/core/errors.js';
import { MEBIBYTE } from '../../src/core/limits/memory.js';
import type { Post, Posted } from '../../src/core/post.js';
import { DroppingKeeper, UnreadableWorld, delayUntilWork } from '../../src/world/keeper.js';
import { deriveWorldName } from '../../src/core/keys.js';
import type { World } from '../../src/world/world.js';
import { CallUnderWay } from './call.js';
import { HOST } from './host.js';
import { errorAnswer } from './lost.js';
import type { Bindings, ObjectState } from './platform.js';
import { ObjectStore } from './store.js';
import { keySettings, readVariables, requireReadable, type Variables } from './variables.js';

/** An object has 128 MB, of which a save needs as much again as its world. A quarter of this is for the journal. */
const MEMORY_BYTES = 32 * MEBIBYTE;
/** Eight times as much must fit into the memory, or a batch of this size would be refused with 503. */
const BATCH_BYTES = 3 * MEBIBYTE;
/** The whole world is saved after each call. */
const RECORDS_MAX = 10_000;
/** Timers in memory run jobs that are due sooner. The alarm then saves what they did, or runs them if the object was evicted. */
const SOON_MS = 1_000;
const SETTLE_MS = 30_000;
/** A call that waits for at least so long is saved before it waits. */
const WAIT_MS_MIN = 100;
/** A scaled clock stands still when its world was not called for so long: its jobs would wake the object for nobody. */
const SCALED_MS_MAX = 3_600_000;
/** How long the alarm of a Worker with an unreadable variable waits for a better one. */
const UNREADABLE_MS = 3_600_000;

/** What messages call the options. */
const OPTION_NAMES = {
  '--allowed-origin': 'the variable ALLOWED_ORIGINS:',
  '--webhooks': 'the variable WEBHOOKS',
  '--memory-max': 'MEMORY_BYTES in integrations/cloudflare/world.ts',
};

/** The settings of every world. */
export function settingsOf(variables: Variables, allowedHosts: readonly string[]): InnerSandboxOptions {
  const { ADMIN_TOKEN, ALLOWED_ORIGINS, WEBHOOKS } = variables;
  return {
    ...keySettings(variables),
    hashesPublicKeys: true,
    adminToken: ADMIN_TOKEN,
    worldsByName: false,
    allowedHosts,
    allowedOrigins: ALLOWED_ORIGINS ?? [],
    webhooks: WEBHOOKS,
    testCardsOnly: true,
    memoryMax: MEMORY_BYTES,
    recordsMax: RECORDS_MAX,
    batchBodyLimit: BATCH_BYTES,
    optionNames: OPTION_NAMES,
    library: FETCHED_LIBRARY,
  };
}

/** The Durable Object of a key: a sandbox with one world, which is saved before each answer leaves. */
export class PlaymoneyWorld {
  /** The platform routes only requests for the deployer's hosts to this code. */
  readonly #hosts: string[] = [];
  #opening: Promise<InnerSandbox> | null = null;
  /** The sandbox whose world is saved; null after a save that failed. */
  #open: InnerSandbox | null = null;
  #store: ObjectStore;
  #expireMs = Infinity;
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
  }

  async fetch(request: Request): Promise<Response> {
    let dialect: DialectSetting | undefined;
    try {
      const sandbox = await this.#sandbox();
      dialect = worldIn(sandbox)?.settings.dialect;
      const { hostname } = new URL(request.url);
      if (!this.#hosts.includes(hostname)) this.#hosts.push(hostname);
      const call = new CallUnderWay(sandbox, request, () => this.#save(sandbox));
      const response = await call.answer(dialect);
      await this.#save(sandbox);
      return response;
    } catch (error) {
      if (error instanceof ApiError) return errorAnswer(request, error, dialect);
      throw error;
    }
  }

  /** Runs due jobs of a world that is not in memory, and deletes one that nobody uses. */
  async alarm(): Promise<void> {
    this.#alarm = Infinity;
    const sandbox = await this.#sandbox().catch((error: unknown) => {
      if (error instanceof ApiError) return null;
      throw error;
    });
    if (sandbox === null) return this.#setAlarm(Date.now() + UNREADABLE_MS);
    const world = worldIn(sandbox);
    const usedAt = world?.usedAt ?? this.#store.usedAt;
    if (usedAt === null) return;
    if (Date.now() >= usedAt + this.#expireMs) {
      return world === undefined ? this.#remove() : sandbox.worlds.delete(world);
    }
    if (world === undefined) return this.#setAlarm(usedAt + this.#expireMs);
    if (isPaused(world)) return this.#letGo(sandbox, world);
    // A receiver may be slower than that. The next alarm then saves what it answered.
    await settleWorld(world, SETTLE_MS).catch(() => {});
    world.armTimer();
    await this.#save(sandbox);
  }

  #sandbox(): Promise<InnerSandbox> {
    return (this.#opening ??= this.#load().catch((error: unknown) => {
      this.#close();
      throw error;
    }));
  }

  async #load(): Promise<InnerSandbox> {
    const variables = readVariables(this.bindings);
    requireReadable(variables);
    this.#expireMs = variables.EXPIRE;
    const store = new ObjectStore(this.state.storage);
    this.#store = store;
    const deliver = async (post: Post): Promise<Posted> => {
      try {
        return await HOST.deliver(post);
      } finally {
        // Once the attempt is noted: if the object was evicted before, it would be made again.
        setTimeout(() => void this.#save(sandbox).catch(HOST.reportBug), 0);
      }
    };
    const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
      if (ms >= WAIT_MS_MIN) await this.#save(sandbox).catch(HOST.reportBug);
      return HOST.sleep(ms, signal);
    };
    const memoryUsed = (): number => this.#store.bytes + (worldIn(sandbox)?.journal.bytes ?? 0);
    const options = { ...settingsOf(variables, this.#hosts), deliver };
    const sandbox: InnerSandbox = createInnerSandbox({ ...HOST, sleep, memoryUsed }, options);
    const keeper = new OneWorld(sandbox.worlds, () => this.#remove());
    sandbox.worlds.keeper = keeper;
    this.#open = sandbox;
    const read = await store.load();
    this.#alarm = (await this.state.storage.getAlarm()) ?? Infinity;
    if (read === null) return sandbox;
    try {
      const stored = read();
      const restorable = { ...stored, calls: readCalls(stored.calls) };
      const world = await restoreWorld(sandbox.worlds, restorable, scaledUntil(stored.usedAt));
      store.loaded(world);
      this.#marks = listMarks(world);
    } catch (error) {
      keeper.problem = `the storage of its object: ${explainError(error)}`;
    }
    return sandbox;
  }

  /** Takes the world out of memory. */
  #close(): void {
    this.#open?.close();
    this.#open = null;
    this.#opening = null;
  }

  async #remove(): Promise<void> {
    const { storage } = this.state;
    this.#store = new ObjectStore(storage);
    this.#alarm = Infinity;
    await Promise.all([storage.deleteAlarm(), storage.deleteAll()]);
  }

  async #letGo(sandbox: InnerSandbox, world: World): Promise<void> {
    await this.#save(sandbox);
    const isBusy = world.calls.begun > world.calls.ended || world.runningDeliveries.runningCount > 0;
    if (isBusy) return this.#setAlarm(Date.now() + SOON_MS);
    this.#close();
  }

  /** Saves everything that has happened until now. Calls that end during a save share the next one. */
  #save(sandbox: InnerSandbox): Promise<void> {
    return (this.#next ??= this.#saving
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return (this.#saving = this.#write(sandbox));
      }));
  }

  async #write(sandbox: InnerSandbox): Promise<void> {
    if (sandbox !== this.#open) throw new Error('an earlier call could not be saved');
    const { worlds } = sandbox;
    const world = worldIn(sandbox);
    if (world === undefined) return;
    const marks = listMarks(world);
    // A call that has begun may have changed the world since.
    const isIdle = world.calls.begun === world.calls.ended;
    if (isIdle && marks.every((mark, n) => Object.is(mark, this.#marks[n]))) {
      return this.#setAlarm(alarmOf(world, this.#expireMs));
    }
    try {
      const { key, usedAt } = world;
      const store = this.#store;
      // Both are of this instant, although the document becomes a text later.
      const beside = store.beside(world);
      const pieces = writeWorld(
        world,
        worlds.chosenFor(key),
        scaledUntil(usedAt),
        () => Promise.resolve(),
        [],
      );
      let document = '';
      for await (const piece of pieces) document += piece;
      // The world may have been deleted in the meantime.
      if (worlds.find(key) === undefined) return;
      const saved = store.save(document, beside, usedAt, refuseLarge);
      await Promise.all([saved, this.#setAlarm(alarmOf(world, this.#expireMs))]);
      this.#marks = marks;
    } catch (error) {
      // A call that cannot be saved is not answered, and must not have happened either.
      this.#close();
      throw error;
    }
  }

  /** An alarm that is too early does no harm, and a later one would cost a write with each call. */
  async #setAlarm(wanted: number): Promise<void> {
    if (wanted >= this.#alarm) return;
    this.#alarm = wanted;
    await this.state.storage.setAlarm(wanted);
  }
}

/** Keeps the only world of an object. */
class OneWorld extends DroppingKeeper {
  /** Why the stored world cannot be read; null if it can. */
  problem: string | null = null;

  constructor(
    private readonly all: InnerSandbox['worlds'],
    private readonly removeStored: () => Promise<void>,
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

  override readonly wake = (key: string): Promise<never> | null => {
    if (this.problem === null) return null;
    return Promise.reject(new UnreadableWorld(deriveWorldName(key), this.problem, this.remove));
  };

  override readonly remove = async (): Promise<void> => {
    await this.removeStored();
    this.problem = null;
  };
}

/** Until when a scaled clock goes on, if nobody calls its world. */
function scaledUntil(usedAt: number): number {
  return Math.min(Date.now(), usedAt + SCALED_MS_MAX);
}

function isPaused({ clock, usedAt }: World): boolean {
  return clock.mode === 'scaled' && Date.now() >= usedAt + SCALED_MS_MAX;
}

/** When an alarm must wake the object of a world. */
function alarmOf(world: World, expireMs: number): number {
  const { clock, usedAt } = world;
  const expires = usedAt + expireMs;
  if (isPaused(world)) return expires;
  const pauses = clock.mode === 'scaled' ? usedAt + SCALED_MS_MAX : Infinity;
  return Math.min(Date.now() + Math.max(SOON_MS, delayUntilWork(world)), pauses, expires);
}

function refuseLarge(bytes: number): void {
  if (bytes <= MEMORY_BYTES) return;
  const detail = `The call is undone: with it, the world and its snapshots would take up ${Math.ceil(bytes / MEBIBYTE)} MiB, and an object holds ${MEMORY_BYTES / MEBIBYTE} MiB. Delete snapshots, reset the world, or use another key.`;
  refuse(CODE.RetryLater, detail, { httpStatus: 507, retryable: false });
}

function worldIn({ worlds }: InnerSandbox): World | undefined {
  const [world] = worlds.all();
  return world;
}
