import { summariseWorld } from '../../control/presenter.js';
import { type NamedSnapshot, NAMED_SNAPSHOTS } from '../../control/snapshots/shelf.js';
import { readState } from '../../control/snapshots/state-read.js';
import { writeState } from '../../control/snapshots/state-write.js';
import { DIALECT_SETTINGS } from '../../core/dialect/dialect.js';
import { ApiError } from '../../core/errors.js';
import * as field from '../../core/store/field.js';
import { isObject } from '../../core/text/text.js';
import { formatInstant, INSTANT_MAX_MS } from '../../core/time/time.js';
import { requireSecretKey } from '../../http/auth.js';
import { toDefinition, WHOLE } from '../../scenarios/file/definition.js';
import { readSavedScenario } from '../../scenarios/file/schema.js';
import type { Scenario } from '../../scenarios/script/model.js';
import type { Delivery } from '../../webhooks/delivery.js';
import { NO_OWN_SETTINGS, applyOwnSettings, type WorldSettings } from '../../world/settings.js';
import { restoreProgress, rebuildWorld, type Snapshot, takeSnapshot } from '../../world/snapshot.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import type { BranchPoint, CallRange } from '../../journal/branch.js';
import type { RestorableWorld } from './store.js';
import { countsCodec, summaryCodec } from './summary.js';

export const WORLD_FORMAT = 'playmoney-world';
export const WORLD_VERSION = 1;
const WORLD_NOTE =
  'Contains the secret key of a world, full card numbers, and the credentials of providers and webhooks in plain text. Do not share it.';
/** The length of a piece of a document. Each piece costs a turn of the event loop, so small ones take long on a busy machine. */
const PIECE_LENGTH = 1024 * 1024;
/** How much is formatted between two pauses, which takes a few milliseconds. */
const TURN_LENGTH = 128 * 1024;
/** Accepts every key that some server could accept. */
const ANY_KEY = { keys: ['any'], keyLengthMin: 0 };

const nonEmptyCodec = field.text(field.LONG, (value) => value !== '', 'a non-empty string');

/** A world of a key that no call could use must not come in through a file: live keys above all. */
const keyCodec = field.checked(nonEmptyCodec, (given) => {
  try {
    requireSecretKey(given, ANY_KEY);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fault = given.startsWith('sk_live_') ? 'a live key' : 'a key that is never accepted';
    return `holds ${fault}. It must start with sk_test_, or be a key for --key`;
  }
});

const dateCodec: field.Codec<number> = {
  read: (value) => {
    const instant = typeof value === 'string' ? Date.parse(value) : NaN;
    return Number.isNaN(instant) ? field.invalid('must be a date and time') : instant;
  },
  write: formatInstant,
};

/** The fields of a delivery that differ from run to run, so that a saved state leaves them out. */
const deliveryDetailsCodec = field.record({
  place: field.recordIndex,
  entry: field.maybeCount,
  tried: field.list(
    field.record({
      durationMs: field.orNull(field.number(0, Infinity)),
      sent: field.maybeText,
      received: field.maybeText,
      answer: field.maybeText,
    }),
  ),
});
const deliveriesCodec = field.list(deliveryDetailsCodec);

const undoneCodec = field.list<CallRange>(field.record({ from: field.count, to: field.count }));

const worldHeadCodec = field.record({
  format: field.word(WORLD_FORMAT),
  version: field.whole(1, WORLD_VERSION),
  note: field.maybeText,
  /** For lists, which read only the beginning of a document. */
  summary: field.orNull(summaryCodec),
  key: keyCodec,
  dialect: field.word(...DIALECT_SETTINGS),
  /** Set by a reset of the world; null if none was. */
  webhookSecret: field.orNull(nonEmptyCodec),
  /** When the state was taken, by the wall clock. */
  at: dateCodec,
  /** By how many milliseconds a real clock was ahead then, because the wall clock had been set back. */
  ahead: field.maybeCount,
  /** For how many milliseconds servers had run on the store. */
  uptime: field.maybeCount,
  isWarnedOfHttp: field.toggle,
  isHintedAtDialect: field.toggle,
  journal: field.orNull(
    field.record({
      size: field.count,
      next: field.count,
      evicted: field.count,
      evictedThrough: field.maybeInstant,
      undone: undoneCodec,
    }),
  ),
});

const snapshotHeadCodec = field.record({
  name: field.anyText,
  at: field.instant,
  counts: countsCodec,
  branch: field.orNull<BranchPoint>(field.record({ next: field.count, undone: undoneCodec })),
});

/** A running world as it is now, in pieces. `pause` is awaited every few milliseconds, and may throw. A store may save snapshots apart. */
export function writeWorld(
  world: World,
  chosen: Scenario | null,
  uptime: number,
  pause: () => Promise<void>,
  snapshots: readonly NamedSnapshot[] = NAMED_SNAPSHOTS.list(world),
): AsyncIterable<string> {
  const { clock, host, journal, settings } = world;
  // The instant of the state is that of the last event.
  const since = clock.mode === 'manual' ? 0 : (clock.now() - world.now) / clock.rate;
  const beginning = worldHeadCodec.write({
    format: WORLD_FORMAT,
    version: WORLD_VERSION,
    note: WORLD_NOTE,
    summary: summariseWorld(world),
    key: world.key,
    dialect: settings.dialect,
    webhookSecret: settings.own.webhookSecret,
    at: host.now() - since,
    ahead: clock.ahead || null,
    uptime: Math.max(0, Math.floor(uptime - since)),
    isWarnedOfHttp: world.isWarnedOfHttp,
    isHintedAtDialect: world.isHintedAtDialect,
    journal: journal.numbers,
  });
  const own = chosen === null ? {} : { Chosen: toDefinition(chosen, WHOLE) };
  // Taken now, so that the state belongs to the instant.
  const parts = writeDocument({ ...(beginning as object), ...own }, takeSnapshot(world), snapshots);
  return joinPieces(parts, pause);
}

function* writeDocument(head: object, own: Snapshot, all: readonly NamedSnapshot[]): Generator<string, void> {
  yield JSON.stringify(head).slice(0, -1);
  yield* writeSnapshot(own);
  yield ',"Snapshots":[';
  for (const [n, saved] of all.entries()) {
    if (n > 0) yield ',';
    yield* writeNamed(saved);
  }
  yield ']}\n';
}

/** A named snapshot, as an entry of `Snapshots` in a document. */
export function* writeNamed(saved: NamedSnapshot): Generator<string, void> {
  yield JSON.stringify(snapshotHeadCodec.write({ ...saved, branch: saved.snapshot.branch })).slice(0, -1);
  yield* writeSnapshot(saved.snapshot);
  yield '}';
}

function* writeSnapshot(snapshot: Snapshot): Generator<string, void> {
  yield ',"State":';
  yield* writeState(snapshot);
  const known = deliveriesCodec.write(listDeliveryDetails(snapshot));
  if (known !== undefined) yield `,"Deliveries":${JSON.stringify(known)}`;
}

function listDeliveryDetails({ deliveries: rows }: Snapshot): field.ValueOf<typeof deliveryDetailsCodec>[] {
  return rows.flatMap((delivery, place) =>
    delivery === undefined ? [] : [{ place, entry: delivery.entry, tried: delivery.tried }],
  );
}

async function* joinPieces(all: Iterable<string>, pause: () => Promise<void>): AsyncGenerator<string, void> {
  let piece = '';
  let turn = 0;
  for (const part of all) {
    piece += part;
    turn += part.length;
    if (turn >= TURN_LENGTH) {
      await pause();
      turn = 0;
    }
    if (piece.length >= PIECE_LENGTH) {
      yield piece;
      piece = '';
    }
  }
  await pause();
  yield piece;
}

/** Reads a saved world, and puts it into memory with its calls. Rejects, and then has changed nothing. */
export async function restoreWorld(worlds: Worlds, stored: RestorableWorld, uptime: number): Promise<World> {
  const { document, calls } = stored;
  if (!isObject(document)) return field.invalid('must be an object');
  const { State, Deliveries, Chosen, Snapshots = [], ...first } = document;
  const saved = worldHeadCodec.read(first);
  const chosen = readChosenScenario(Chosen);
  const own = { ...NO_OWN_SETTINGS, webhookSecret: saved.webhookSecret };
  const settings = { ...applyOwnSettings(worlds.settingsOf(saved.key), own), dialect: saved.dialect };
  const state = await readSnapshot(State, Deliveries, settings);
  const { clock } = state;
  const elapsed = {
    // A real clock continued while no server ran, any other one stood still.
    real: () => worlds.host.now() - saved.at - (saved.ahead ?? 0),
    scaled: () => (saved.uptime === null ? 0 : (uptime - saved.uptime) * clock.rate),
    manual: () => 0,
  }[clock.mode]();
  const instant = Math.min(INSTANT_MAX_MS, clock.instant + Math.max(0, Math.floor(elapsed)));
  const snapshot = { ...state, clock: { ...clock, instant } };
  const named: NamedSnapshot[] = [];
  for (const entry of Snapshots as object[]) named.push(await readNamedSnapshot(entry, settings));
  const world = await rebuildWorld(worlds, saved.key, snapshot);
  restoreProgress(world, snapshot, Math.max(0, -elapsed));
  world.journal = worlds.newJournal();
  if (saved.journal !== null) world.journal.restore(saved.journal, calls, instant);
  world.isWarnedOfHttp = saved.isWarnedOfHttp;
  world.isHintedAtDialect = saved.isHintedAtDialect;
  world.usedAt = stored.usedAt;
  NAMED_SNAPSHOTS.putBack(world, named);
  worlds.wake(world, chosen, saved.at);
  return world;
}

async function readNamedSnapshot(given: object, settings: WorldSettings): Promise<NamedSnapshot> {
  const { State, Deliveries, ...first } = given as Record<string, unknown>;
  const { branch, ...saved } = snapshotHeadCodec.read(first);
  return { ...saved, snapshot: { ...(await readSnapshot(State, Deliveries, settings)), branch } };
}

/** Reads a state with what it leaves out of deliveries. */
async function readSnapshot(state: unknown, given: unknown, settings: WorldSettings): Promise<Snapshot> {
  const snapshot = await readState(state, settings, () => Promise.resolve());
  const rows: (Delivery | undefined)[] = [...snapshot.deliveries];
  for (const { place, entry, tried } of field.readAt('Deliveries', deliveriesCodec.read, given)) {
    const row = rows[place];
    if (row === undefined) continue;
    rows[place] = { ...row, entry, tried: row.tried.map((attempt, n) => ({ ...attempt, ...tried[n] })) };
  }
  return { ...snapshot, deliveries: rows };
}

function readChosenScenario(definition: unknown): Scenario | null {
  if (definition === null || definition === undefined) return null;
  const parsed = readSavedScenario(definition);
  if ('scenario' in parsed) return parsed.scenario;
  const issues = parsed.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return field.invalidAt(['Chosen'], issues.join('; '));
}
