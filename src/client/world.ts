import type {
  Charge,
  SavedSnapshot,
  SettleReport,
  SnapshotDiff,
  Triggers,
  WireRecord,
  WorldState,
} from './answers.js';
import type { ChargeFilter, Duration, ResetWish, SimulatedAction, TokenWish } from './asked.js';
import { ControlCalls, type Reach } from './call.js';
import { WorldClock } from './clock.js';
import { interceptFetch, type Restore } from './intercept.js';
import { WorldDeliveries, WorldJournal } from './journal.js';
import { WorldOutcomes, WorldScenario } from './scenario.js';

/** The built-in provider that approves. */
const STEADY = '00000000000000000000000000000001';

/** The record that an action gives back. */
type Simulated<A extends SimulatedAction> = A extends 'authorisation.expire' | 'charge.settle'
  ? Charge
  : WireRecord;

/**
 * All that a test may want of one world, that of its key. Every call goes the way of the control plane, within the process or
 * over HTTP, and rejects with a SandboxError where that refuses.
 *
 * @example
 * const world = createSandbox({ clock: 'manual' }).world('sk_test_orders');
 * const answer = await world.fetch('/charge/card', { method: 'POST', headers, body });
 * await world.clock.advance('7d');
 */
export class World extends ControlCalls {
  readonly #reach: Reach;
  /** The secret key that opens the world. */
  readonly key: string;
  /** The address that programs call. */
  readonly url: string;
  readonly clock: WorldClock;
  readonly outcomes: WorldOutcomes;
  readonly journal: WorldJournal;
  readonly deliveries: WorldDeliveries;
  readonly scenario: WorldScenario;

  /** @internal */
  constructor(reach: Reach) {
    super(reach);
    this.#reach = reach;
    this.key = reach.key;
    this.url = reach.url;
    this.clock = new WorldClock(reach);
    this.outcomes = new WorldOutcomes(reach);
    this.journal = new WorldJournal(reach);
    this.deliveries = new WorldDeliveries(reach);
    this.scenario = new WorldScenario(reach);
  }

  /**
   * Calls the service with the key of this world. Takes a path such as `/charge/card` in place of a whole address. Rejects as
   * the global `fetch` does where a trigger loses the answer.
   *
   * @example
   * const { status } = await world.fetch('/charge/card', {
   *   method: 'POST',
   *   headers: { 'content-type': 'application/json' },
   *   body: JSON.stringify({ Amount: 20, ProviderId, PaymentInformation }),
   * });
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const { url, key, fetch } = this.#reach;
    const address = typeof input === 'string' && input.startsWith('/') ? `${url}${input}` : input;
    const request = new Request(address, init);
    request.headers.set('x-secretkey', key);
    return fetch(request);
  }

  /**
   * Answers the global `fetch` for addresses that begin with the base from this world, until the function that it returns is
   * called.
   *
   * @example
   * using restore = world.intercept('https://api.example.com/v1');
   */
  intercept(base: string | URL): Restore {
    const { url, key, fetch } = this.#reach;
    return interceptFetch({ base, to: url, key, answer: fetch });
  }

  /** Seed, clock, scenario and the number of records. */
  state(): Promise<WorldState> {
    return this.call('GET', '/world');
  }

  /** The charges that fit, the oldest first. Leaves no trace in the journal. */
  async charges(filter: ChargeFilter = {}): Promise<readonly Charge[]> {
    const charges = await this.listAll<Charge>('/charges', 'Charges', filter, (charge) => charge);
    return charges.toReversed();
  }

  /** Runs what is due now, and waits until no webhook is under way. Rejects with code 94 after the time-out, 10 s unless given. */
  settle(options: { readonly timeout?: Duration } = {}): Promise<SettleReport> {
    return this.call('POST', '/settle', options);
  }

  /** Begins the world anew, with the seed data of its scenario. */
  reset(wish: ResetWish = {}): Promise<WorldState> {
    return this.call('POST', '/reset', wish);
  }

  /**
   * Makes happen at once what would take long, or never come, by itself; gives back the changed record. Rejects like any
   * other call that the record's state forbids.
   *
   * @example
   * const { Status } = await world.simulate('authorisation.expire', chargeId);
   */
  async simulate<A extends SimulatedAction>(action: A, ref: string): Promise<Simulated<A>> {
    return (await this.callRaw('POST', '/simulate', { Action: action, Ref: ref })) as Simulated<A>;
  }

  /** Makes the single-use token that a page would have made of a card. */
  async createToken({ providerId = STEADY, paymentInformation }: TokenWish): Promise<CreatedToken> {
    const wish = { ProviderId: providerId, PaymentInformation: paymentInformation };
    return (await this.callRaw('POST', '/tokens', wish)) as CreatedToken;
  }

  /** All that decides an outcome: cards, accounts, tokens, providers. */
  triggers(): Promise<Triggers> {
    return this.call('GET', '/triggers');
  }

  /**
   * Saves the whole world: records, clock, queues, scenario. It holds at most ten snapshots at a time.
   *
   * @example
   * const paid = await world.snapshot();
   * // …
   * await world.restore(paid);
   */
  async snapshot(name?: string): Promise<SavedSnapshot> {
    const own = name ?? freeName(await this.snapshots());
    return this.call('PUT', `/snapshots/${encodeURIComponent(own)}`);
  }

  async snapshots(): Promise<readonly SavedSnapshot[]> {
    return (await this.call<{ readonly snapshots: readonly SavedSnapshot[] }>('GET', '/snapshots')).snapshots;
  }

  /** Puts the world back to where it was; the snapshot stays. Rejects with status 404 where there is none of that name. */
  restore(snapshot: SavedSnapshot | string): Promise<WorldState> {
    return this.call('POST', `${pathOf(snapshot)}/restore`);
  }

  /** What the world has now beyond a snapshot. */
  diff(snapshot: SavedSnapshot | string): Promise<SnapshotDiff> {
    return this.call('GET', `${pathOf(snapshot)}/diff`);
  }

  /** Deletes a snapshot. */
  forget(snapshot: SavedSnapshot | string): Promise<SavedSnapshot> {
    return this.call('DELETE', pathOf(snapshot));
  }

  /** The whole world as one JSON document, with whole card numbers, to keep or to put into another world. */
  async exportState(): Promise<WireRecord> {
    return (await this.callRaw('GET', '/state')) as WireRecord;
  }

  /** Puts the world of a document into the place of this one. */
  async importState(document: WireRecord): Promise<WorldState> {
    await this.callRaw('PUT', '/state', document);
    return this.state();
  }
}

/** A single-use token, in the service's spelling. */
export interface CreatedToken extends WireRecord {
  readonly TokenId: string;
  readonly ExpiresAt: string;
}

function pathOf(snapshot: SavedSnapshot | string): string {
  return `/snapshots/${encodeURIComponent(typeof snapshot === 'string' ? snapshot : snapshot.name)}`;
}

/** The first name that no snapshot has. */
function freeName(taken: readonly SavedSnapshot[]): string {
  for (let n = 1; ; n++) {
    const name = `snapshot-${n}`;
    if (!taken.some((one) => one.name === name)) return name;
  }
}
