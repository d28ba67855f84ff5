import { writeState } from '../../control/snapshots/state-write.js';
import { type Dialect, dialectNamed, DIALECTS } from '../../core/dialect/dialect.js';
import { ApiError } from '../../core/errors.js';
import { authenticate } from '../../http/auth.js';
import { definitionOf, WHOLE } from '../../scenarios/file/definition.js';
import type { Scenario } from '../../scenarios/script/model.js';
import { restoreSnapshot, takeSnapshot } from '../../world/snapshot.js';
import type { World } from '../../world/world.js';
import { NOTHING_OWN, withOwn } from '../../world/settings.js';
import type { Worlds } from '../../world/worlds.js';
import { scenarioIn, snapshotIn, WORLD } from '../files/json-file.js';
import { FileError } from '../files/whole-file.js';
import type { StoredWorld } from './world-store.js';

const NOTE =
  'Contains the secret key of a world, full card numbers, and the credentials of providers and webhooks in plain text. Do not share it.';
/** The length of a piece of a document. Each piece costs a turn of the event loop, so small ones take long on a busy machine. */
const PIECE_LENGTH = 1024 * 1024;
/** How many characters are formatted between two pauses: a few milliseconds of work. */
const TURN_LENGTH = 128 * 1024;
/** Accepts every key that some server could accept. */
const ANY_KEY = { keys: ['any'] };

/** A document that was read and checked, except for the state of the world. */
export interface SavedWorld {
  readonly key: string;
  readonly dialect: Dialect;
  /** Set by a reset of the world; null if none was. */
  readonly webhookSecret: string | null;
  /** When the state was taken, by the wall clock in milliseconds since 1970. */
  readonly at: number;
  /** The scenario that only this world was switched to; null if none. */
  readonly chosen: Scenario | null;
  readonly state: unknown;
  readonly place: string;
}

/** Begins every document of a world. */
const DOCUMENT_HEAD = { Format: WORLD.format, Version: WORLD.version, Note: NOTE };

/** A running world as it is now, in pieces. `pause` is awaited every few milliseconds, and may throw. */
export function writeWorld(
  world: World,
  chosen: Scenario | null,
  pause: () => Promise<void>,
): AsyncIterable<string> {
  const { clock, key } = world;
  const { webhookSecret } = world.settings.own;
  const head = {
    ...DOCUMENT_HEAD,
    Key: key,
    Dialect: world.settings.dialect,
    ...(webhookSecret === null ? {} : { WebhookSecret: webhookSecret }),
    // The instant of the state is that of the last event.
    At: new Date(Date.now() - (clock.mode === 'real' ? clock.now() - world.now : 0)).toISOString(),
    Chosen: chosen === null ? null : definitionOf(chosen, WHOLE),
  };
  // Taken now, so that the state belongs to the instant.
  return inPieces(`${JSON.stringify(head).slice(0, -1)},"State":`, writeState(takeSnapshot(world)), pause);
}

async function* inPieces(
  head: string,
  state: Iterable<string>,
  pause: () => Promise<void>,
): AsyncGenerator<string, void> {
  let piece = head;
  let turn = 0;
  for (const part of state) {
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
  yield `${piece}}\n`;
}

/** Reads a document; rejects with a FileError that names the place. */
export async function readWorld({ fields, place }: StoredWorld): Promise<SavedWorld> {
  const { Key, Dialect: named, WebhookSecret, At, Chosen, State } = fields;
  const key = keyIn(Key, place);
  const dialect = dialectNamed(String(named));
  if (dialect === undefined) throw new FileError(`${place}: Dialect must be ${DIALECTS.join(' or ')}`);
  const webhookSecret = secretIn(WebhookSecret, place);
  const at = typeof At === 'string' ? Date.parse(At) : NaN;
  if (Number.isNaN(at)) throw new FileError(`${place}: At must be a date and time`);
  return {
    key,
    dialect,
    webhookSecret,
    at,
    chosen: await scenarioIn(place, 'Chosen', Chosen),
    state: State,
    place,
  };
}

/** A world of a key that no call could use must not come in through a file: live keys above all. */
function keyIn(key: unknown, place: string): string {
  if (typeof key !== 'string' || key === '') throw new FileError(`${place}: Key must be a non-empty string`);
  try {
    return authenticate(key, ANY_KEY);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const what = key.startsWith('sk_live_') ? 'a live key' : 'a key that is never accepted';
    throw new FileError(`${place}: Key holds ${what}. It must start with sk_test_, or be a key for --key`);
  }
}

function secretIn(secret: unknown, place: string): string | null {
  if (secret === undefined || (typeof secret === 'string' && secret !== '')) return secret ?? null;
  throw new FileError(`${place}: WebhookSecret must be a non-empty string`);
}

export async function restoreWorld(
  worlds: Worlds,
  { key, dialect, webhookSecret, at, chosen, state }: SavedWorld,
): Promise<void> {
  await worlds.prepare(key);
  const fresh = worlds.open(key);
  await worlds.load(chosen);
  if (chosen !== null) worlds.switchTo(fresh, chosen);
  const own = { ...NOTHING_OWN, webhookSecret };
  const snapshot = await snapshotIn(state, { ...withOwn(fresh.settings, own), dialect });
  const { clock } = snapshot;
  // A real clock continued while the server was down; any other continues from where it stopped.
  const gone = clock.mode === 'real' ? Math.max(0, Date.now() - at) : 0;
  restoreSnapshot(worlds, key, { ...snapshot, clock: { ...clock, instant: clock.instant + gone } });
}
