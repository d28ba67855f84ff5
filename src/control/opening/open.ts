import type { Context } from 'hono';

import { CODE, refuse, refuseFull } from '../../core/errors.js';
import { TEST_PREFIX } from '../../core/keys.js';
import { formatCount } from '../../core/text/text.js';
import { formatInstant } from '../../core/time/time.js';
import { requireSecretKey } from '../../http/auth.js';
import { type Edge, type Env, headerOf, requireWorld } from '../../http/exchange.js';
import type { WorldSettings } from '../../world/settings.js';
import type { World } from '../../world/world.js';
import { mayShowKeys, maskWorldName } from '../presenter.js';
import { NAMED_SNAPSHOTS } from '../snapshots/shelf.js';
import { type BundledWorld, readBundle, restoreBundle } from './bundle.js';
import { playTrace, type Player } from './play-calls.js';
import type { Trace } from './recorded-call.js';
import { readRecordings } from './recordings.js';
import type { OpenedResponse, OpenedWorldResponse } from './schema.js';

/** Begins refusals, which name places in the file. */
const FILE = 'The file';
/** The hidden snapshot of a world that was opened, from which branches can begin. */
export const OPENED = '.opened';
const WITHHELD =
  'Webhooks are withheld: no receiver is called. A reset with Settings.Webhooks turns them on.';

/** Fills a new world, whose settings are given. Returns how many calls it has, and how many were answered differently. */
export type FillWorld = (
  player: Player,
  key: string,
  settings: WorldSettings,
) => Promise<Pick<OpenedWorldResponse, 'Calls' | 'Different' | 'EntryId'>>;

/** Opens what a file has in new worlds, or refuses it and opens none. No other world changes. */
export async function openFile(c: Context<Env>, read: unknown): Promise<OpenedResponse> {
  const { worlds, host } = c.get('edge');
  const { kind, all, lack } = readRecordings(read, FILE, true);
  if (all.length === 0) refuse(CODE.ValidationError, `${FILE} has no calls, so there is no world to open.`);
  if (all.length >= worlds.max) {
    refuseFull(`${FILE} has ${all.length} worlds; this sandbox keeps at most ${worlds.max} in memory.`);
  }
  const fills: FillWorld[] = [];
  for (const [n, { bundle, trace }] of all.entries()) {
    const place = all.length === 1 ? FILE : `${FILE}: Bundles.${n}`;
    const pause = (): Promise<void> => host.pause();
    fills.push(fillFrom(trace, bundle && (await readBundle(place, bundle, trace, worlds.settings, pause))));
  }
  return openNewWorlds(c, kind, fills, lack === null ? [] : [lack]);
}

function fillFrom(trace: Trace, bundled: BundledWorld | null): FillWorld {
  return async (player, key, settings) => {
    if (bundled === null) {
      const Different = await playTrace(player, key, trace, settings);
      return { Calls: trace.entries.length, Different, EntryId: null };
    }
    NAMED_SNAPSHOTS.save(restoreBundle(player.worlds, key, bundled, settings), OPENED);
    return { Calls: trace.recorded.length, Different: null, EntryId: null };
  };
}

/** Opens new worlds, whose keys are derived from that of the call. If one cannot be filled, all of them are deleted. */
export async function openNewWorlds(
  c: Context<Env>,
  kind: string,
  fills: readonly FillWorld[],
  notes: readonly string[],
): Promise<OpenedResponse> {
  const edge = c.get('edge');
  const { worlds, settings, send } = edge;
  const { key: from, keyHash } = requireWorld(c);
  // A key that is no test key is secret, and may not show in the name of another.
  const stem = from.startsWith(TEST_PREFIX) ? from : TEST_PREFIX + keyHash;
  const player = { worlds, send, base: new URL(c.req.url).origin + settings.basePath };
  // The data of any world's beginning, so that none has to wait between the choice of its key and its opening.
  await worlds.load();
  const Worlds: OpenedWorldResponse[] = [];
  const keys: string[] = [];
  try {
    for (const fill of fills) {
      const { key, settings: own } = worlds.open(chooseKey(edge, stem));
      keys.push(key);
      const filled = await fill(player, key, {
        ...own,
        webhooks: 'off',
        own: { ...own.own, webhooks: 'off' },
      });
      Worlds.push({ ...presentOpened(c, await worlds.bring(key)), ...filled });
    }
  } catch (error) {
    for (const key of keys) await worlds.delete(await worlds.bring(key));
    throw error;
  }
  return { Kind: kind, Worlds, Warnings: [WITHHELD, ...notes, ...listDifferences(Worlds)] };
}

/** The first free key that begins like this, which has to be accepted as well. */
function chooseKey({ worlds, settings }: Pick<Edge, 'worlds' | 'settings'>, stem: string): string {
  let n = 1;
  while (worlds.find(`${stem}-${n}`) !== undefined || worlds.keeper.isAsleep(`${stem}-${n}`)) n++;
  return requireSecretKey(`${stem}-${n}`, settings);
}

function presentOpened(
  c: Context<Env>,
  world: World,
): Pick<OpenedWorldResponse, 'World' | 'Key' | 'Name' | 'Now'> {
  // Who names a world may not know its key.
  const isKnown = headerOf(c, 'x-secretkey') !== undefined || mayShowKeys(c.get('edge').settings);
  const { keyHash, key, now } = world;
  return { World: keyHash, Key: isKnown ? key : null, Name: maskWorldName(world), Now: formatInstant(now) };
}

function listDifferences(worlds: readonly OpenedWorldResponse[]): string[] {
  return worlds.flatMap(({ World, Calls, Different }) =>
    Different === null || Different === 0
      ? []
      : `${Different} of the ${formatCount(Calls, 'call')} of ${World} were answered differently, or could not be sent.`,
  );
}
