import type {
  Charge,
  CreatedToken,
  Reconciliation,
  SavedSnapshot,
  SettleReport,
  SnapshotDiff,
  Triggers,
  WireRecord,
  WorldState,
} from './answers.js';
import type {
  ChargeFilter,
  Order,
  ResetOptions,
  SimulatedAction,
  TokenRequest,
  WorldOptions,
} from './asked.js';
import { ControlCalls, type WorldConnection } from './call.js';
import { WorldClock } from './clock.js';
import { WorldHolds } from './holds.js';
import { interceptFetch, type Restore } from './intercept.js';
import { WorldDeliveries, WorldJournal } from './journal.js';
import { WorldOutcomes, WorldScenario } from './scenario.js';
import { isPlainObject, requireAwaited, requireOptions, requireText } from './sendable.js';
import type { Duration } from './words.js';

/** The built-in provider that approves. */
const STEADY = '00000000000000000000000000000001';

/** The record that an action returns. */
type SimulatedRecord<A extends SimulatedAction> = A extends 'authorisation.expire' | 'charge.settle'
  ? Charge
  : WireRecord;

/**
 * One world: the one of its key. Every method calls the control API, in process or over HTTP, and rejects with a SandboxError if
 * the call is refused.
 *
 * @example
 * const world = createSandbox({ clock: 'manual' }).world('sk_test_orders');
 * const answer = await world.fetch('/charge/card', { method: 'POST', headers, body });
 * await world.clock.advance('7d');
 */
export class World extends ControlCalls {
  readonly #reach: WorldConnection;
  /** The secret key of the world. */
  readonly key: string;
  /** The address for your program to call. */
  readonly url: string;
  readonly clock: WorldClock;
  readonly outcomes: WorldOutcomes;
  readonly holds: WorldHolds;
  readonly journal: WorldJournal;
  readonly deliveries: WorldDeliveries;
  readonly scenario: WorldScenario;

  /** @internal */
  constructor(reach: WorldConnection) {
    super(reach);
    this.#reach = reach;
    this.key = reach.key;
    this.url = reach.url;
    this.clock = new WorldClock(reach);
    this.outcomes = new WorldOutcomes(reach);
    this.holds = new WorldHolds(reach);
    this.journal = new WorldJournal(reach);
    this.deliveries = new WorldDeliveries(reach);
    this.scenario = new WorldScenario(reach);
  }

  /**
   * Calls the service with the key of this world. Accepts a path such as `/charge/card` instead of an address. Rejects like the
   * global `fetch` when a fault drops the answer.
   *
   * @example
   * const { status } = await world.fetch('/charge/card', {
   *   method: 'POST',
   *   headers: { 'content-type': 'application/json' },
   *   body: JSON.stringify({ Amount: 20, ProviderId, PaymentInformation }),
   * });
   */
  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    requireAwaited(input, init?.body);
    const { url, key, fetch } = this.#reach;
    const address = typeof input === 'string' && input.startsWith('/') ? `${url}${input}` : input;
    const request = new Request(address, init);
    request.headers.set('x-secretkey', key);
    return fetch(request);
  }

  /**
   * Makes this world answer calls of the global `fetch` to addresses that begin with the base. Call the returned function to end
   * that.
   *
   * @example
   * using restore = world.intercept('https://api.example.com/v1');
   */
  intercept(base: string | URL): Restore {
    const { url, key, fetch } = this.#reach;
    return interceptFetch({ base, to: url, key, answer: fetch });
  }

  /** The seed, clock, scenario and number of records. */
  state(): Promise<WorldState> {
    return this.call('GET', '/world');
  }

  /** The charges that match, oldest first. Does not add to the journal. */
  async charges(filter: ChargeFilter = {}): Promise<readonly Charge[]> {
    const charges = await this.listAll<Charge>('/charges', 'Charges', filter, (charge) => charge);
    return charges.toReversed();
  }

  /**
   * Compares what a shop believes about its orders with the charges. Changes nothing, and does not add to the journal.
   *
   * @example
   * const { balanced, findings } = await world.reconcile([{ reference: 'order-1', amount: 20, paid: true }]);
   */
  reconcile(orders: readonly Order[]): Promise<Reconciliation> {
    return this.call('POST', '/reconcile', { orders });
  }

  /** Runs the jobs that are due now, and waits until no webhook is being delivered. Rejects with code 94 after `timeout`, by default 10 s. */
  settle(options: { readonly timeout?: Duration } = {}): Promise<SettleReport> {
    return this.call('POST', '/settle', options);
  }

  /**
   * Deletes all records, then loads the seed data of the scenario again.
   *
   * @example
   * await world.reset({ name: 'pays by card', clock: 'manual', settings: { webhookSecret: 'whsec_…' } });
   */
  async reset(options: ResetOptions = {}): Promise<WorldState> {
    const { clock, settings, ...others } = requireOptions(options, 'The argument');
    return this.call('POST', '/reset', {
      ...others,
      clock: typeof clock === 'string' ? { mode: clock } : clock,
      settings: settings && formatSettings(settings),
    });
  }

  /**
   * Deletes the world, and what a server has saved of it. The next call with its key opens a new one. Returns what it was.
   */
  async delete(): Promise<WorldState> {
    const { world } = await this.state();
    return this.call('DELETE', `/worlds/${world}`);
  }

  /**
   * Performs an action at once that would otherwise take time or depend on somebody else, and returns the changed record. Rejects
   * if the state of the record does not allow the action.
   *
   * @example
   * const { Status } = await world.simulate('authorisation.expire', chargeId);
   */
  async simulate<A extends SimulatedAction>(action: A, ref: string): Promise<SimulatedRecord<A>> {
    return (await this.callRaw('POST', '/simulate', { Action: action, Ref: ref })) as SimulatedRecord<A>;
  }

  /** Creates a single-use token for a card, as a page would. */
  async createToken(request: TokenRequest): Promise<CreatedToken> {
    const { providerId = STEADY, paymentInformation } = requireOptions(request, 'The argument');
    const body = { ProviderId: providerId, PaymentInformation: paymentInformation };
    return (await this.callRaw('POST', '/tokens', body)) as CreatedToken;
  }

  /** Everything that decides an outcome: cards, accounts, tokens, providers. */
  triggers(): Promise<Triggers> {
    return this.call('GET', '/triggers');
  }

  /**
   * Saves the whole world: records, clock, queues, scenario. A world has at most ten snapshots.
   *
   * @example
   * const paid = await world.snapshot();
   * // …
   * await world.restore(paid);
   */
  async snapshot(name?: string): Promise<SavedSnapshot> {
    return this.call('PUT', snapshotPath(name ?? pickFreeName(await this.snapshots())));
  }

  async snapshots(): Promise<readonly SavedSnapshot[]> {
    return (await this.call<{ readonly snapshots: readonly SavedSnapshot[] }>('GET', '/snapshots')).snapshots;
  }

  /** Restores a snapshot, which can be restored again. Rejects with status 404 if there is no snapshot with that name. */
  async restore(snapshot: SavedSnapshot | string): Promise<WorldState> {
    return this.call('POST', `${snapshotPath(snapshot)}/restore`);
  }

  /** How the world differs from a snapshot. */
  async diff(snapshot: SavedSnapshot | string): Promise<SnapshotDiff> {
    return this.call('GET', `${snapshotPath(snapshot)}/diff`);
  }

  /** Deletes a snapshot. */
  async forget(snapshot: SavedSnapshot | string): Promise<SavedSnapshot> {
    return this.call('DELETE', snapshotPath(snapshot));
  }

  /** The whole world as a JSON document, with unmasked card numbers. `importState` loads it into this or another world. */
  async exportState(): Promise<WireRecord> {
    return (await this.callRaw('GET', '/state')) as WireRecord;
  }

  /**
   * The whole world and the calls of its journal as one JSON document, for a bug report. `playmoney open` and `playmoney replay` read
   * it from a file. It has unmasked card numbers, but no keys.
   */
  async exportBundle(): Promise<WireRecord> {
    return (await this.callRaw('GET', '/bundle')) as WireRecord;
  }

  /** Replaces this world with the world of a document. */
  async importState(document: WireRecord): Promise<WorldState> {
    await this.callRaw('PUT', '/state', document);
    return this.state();
  }
}

/** Settings as the command line has them: numbers are durations in milliseconds. */
function formatSettings(settings: WorldOptions): Readonly<Record<string, unknown>> {
  const texts = Object.entries(settings).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'number' ? `${value}ms` : value,
  ]);
  return Object.fromEntries(texts) as Record<string, unknown>;
}

function snapshotPath(snapshot: SavedSnapshot | string): string {
  const name = requireText(isPlainObject(snapshot) ? snapshot.name : snapshot, 'The name of the snapshot');
  return `/snapshots/${encodeURIComponent(name)}`;
}

/** The first name that no snapshot has. */
function pickFreeName(snapshots: readonly SavedSnapshot[]): string {
  for (let n = 1; ; n++) {
    const name = `snapshot-${n}`;
    if (!snapshots.some((snapshot) => snapshot.name === name)) return name;
  }
}
