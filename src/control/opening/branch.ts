import type { Context } from 'hono';

import { refuseFull } from '../../core/errors.js';
import { type Env, requireWorld } from '../../http/exchange.js';
import type { Entry } from '../../journal/entry.js';
import type { WorldSettings } from '../../world/settings.js';
import { restoreSnapshot, type Snapshot } from '../../world/snapshot.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import { buildRepeat } from '../journal/repeat.js';
import { buildTraceEntry } from '../journal/trace.js';
import { NAMED_SNAPSHOTS } from '../snapshots/shelf.js';
import { findBranchStart } from './branch-start.js';
import { IdentifierMap } from './identifier-map.js';
import { OPENED, openNewWorlds } from './open.js';
import { playCalls } from './play-calls.js';
import { readTraceEntry } from './recorded-call.js';
import type { OpenedResponse } from './schema.js';

/** Opens a new world in the state before a call. No other world changes. */
export async function branchBefore(c: Context<Env>, entry: Entry): Promise<OpenedResponse> {
  const world = requireWorld(c);
  const start = findBranchStart(world, entry);
  if (typeof start === 'string') return refuseFull(start);
  const calls = start.calls.map((call) => {
    const repeat = buildRepeat(world, call);
    return { entry: readTraceEntry(buildTraceEntry(call), `Call ${call.id}`), prepare: () => repeat };
  });
  const first = start.calls[0] ?? entry;
  return openNewWorlds(
    c,
    'branch',
    [
      async (player, key, { webhooks, own }) => {
        const settings = {
          ...world.settings,
          webhooks,
          own: { ...world.settings.own, webhooks: own.webhooks },
        };
        const { worlds } = player;
        await worlds.load(world.script.scenario);
        const branch =
          start.snapshot === null
            ? beginAgain(worlds, key, world, settings, first.at)
            : restoreSnapshot(worlds, key, standStill(start.snapshot, settings));
        branch.webhooks.withhold('it came with a branch');
        NAMED_SNAPSHOTS.save(branch, OPENED);
        const Different = await playCalls(player, branch, calls, new IdentifierMap(true));
        if (entry.at > branch.clock.now()) await branch.advance({ to: entry.at });
        return { Calls: calls.length, Different, EntryId: keepForRepeat(world, branch, entry) };
      },
    ],
    [],
  );
}

/** A snapshot whose clock moves only to the instants of calls. */
function standStill(snapshot: Snapshot, settings: WorldSettings): Snapshot {
  const clock = { ...snapshot.clock, mode: 'manual' as const, rate: 0 };
  return { ...snapshot, settings, clock, branch: null };
}

/** Restarts a world from its beginning, with the same identifiers and draws. In real time it began with its first call. */
function beginAgain(worlds: Worlds, key: string, old: World, settings: WorldSettings, first: number): World {
  const { mode, start } = settings.clock;
  const clock = { mode: 'manual' as const, rate: 0, start: mode === 'real' ? first : start };
  const world = worlds.build(key, { ...settings, clock }, old.chance.base);
  worlds.begin(world, old.script.scenario);
  worlds.replace(world);
  return world;
}

/** Puts the call into the journal of the branch as one that is undone, so that it can be repeated there as it was sent. */
function keepForRepeat({ journal }: World, branch: World, entry: Entry): number | null {
  const { value: sent } = journal.storedCalls(entry.id).next();
  if (sent === undefined) return null;
  const { headers, response, request, ...call } = sent;
  const pairs = headers.flatMap((name, n): [string, string][] =>
    n % 2 === 0 ? [[name, headers[n + 1] ?? '']] : [],
  );
  const id = branch.journal.record({
    ...call,
    headers: pairs,
    request,
    responseBody: response === null ? null : (JSON.parse(response) as unknown),
    responseText: response,
    caused: [],
  });
  branch.journal.branch.undo(id, id + 1);
  return id;
}
