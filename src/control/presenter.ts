import type { Host } from '../core/host.js';
import type { AdvanceSummary, Job } from '../core/time/jobs.js';
import { TEST_PREFIX } from '../core/keys.js';
import type { Page } from '../core/store/search.js';
import { maskSecrets } from '../core/text/secrets.js';
import { formatInstant } from '../core/time/time.js';
import type { EdgeSettings } from '../http/exchange.js';
import { KINDS, TABLES } from '../world/tables.js';
import { VERSION } from '../core/version.js';
import type { World } from '../world/world.js';
import { SCENARIO_TIMELINE } from '../scenarios/script/timeline.js';
import { UnreadableWorld, type WorldSummary } from '../world/keeper.js';
import type { Worlds } from '../world/worlds.js';
import { describeJobRecord } from './job-record.js';
import type {
  AdvanceResponse,
  ClockResponse,
  HealthResponse,
  JobResponse,
  SettledResponse,
  UnreadableWorldResponse,
  WorldResponse,
  WorldsResponse,
} from './schema.js';

export function presentHealth(worlds: Worlds, host: Host): HealthResponse {
  return {
    Status: 'ok',
    Version: VERSION,
    Uptime: Math.max(0, Math.floor((host.now() - worlds.created) / 1000)),
    Worlds: worlds.size,
    Node: host.runtime,
    SavedUntil: worlds.savedUntil === null ? null : formatInstant(worlds.savedUntil),
  };
}

export function presentWorld(world: World): WorldResponse {
  const { mode, rate } = world.clock;
  return {
    World: world.keyHash,
    Name: maskWorldName(world),
    Seed: world.settings.seed,
    Dialect: world.settings.dialect,
    Clock: { Now: formatInstant(world.now), Mode: mode, Rate: rate },
    Scenario: world.script.scenario?.name ?? null,
    Counts: presentCounts(world),
  };
}

/** The name of a world, which may come from a test that names a card; null if it has none. */
export function maskWorldName({ settings: { name } }: World): string | null {
  return name === null ? null : maskSecrets(name);
}

/** How many records of each kind there are, calls in the journal, and jobs. */
export function presentCounts(world: World): Readonly<Record<string, number>> {
  return { ...countRecords(world), JournalEntries: world.journal.size, QueuedJobs: world.jobs.size };
}

export function presentSavedCounts(world: World): Readonly<Record<string, number>> {
  return { ...countRecords(world), QueuedJobs: world.jobs.size };
}

function countRecords(world: World): Readonly<Record<string, number>> {
  return Object.fromEntries(TABLES.map((table) => [KINDS[table].counted, world[table].size]));
}

/** The line of a world in a list. Its name may come from a test that names a card, so it is masked. */
export function summariseWorld(world: World): WorldSummary {
  return {
    keyHash: world.keyHash,
    name: maskWorldName(world),
    scenario: world.script.scenario?.name ?? null,
    now: world.clock.now(),
    counts: presentCounts(world),
  };
}

/** Whether the keys of worlds are shown: then a test key gives no access that the name of its world does not give already. */
export function mayShowKeys({
  worldsByName,
  adminToken,
}: Pick<EdgeSettings, 'worldsByName' | 'adminToken'>): boolean {
  return worldsByName && adminToken === null;
}

/** A page of all worlds, first those in memory, by short names that do not reveal their keys. Listing them runs none of their jobs. */
export async function presentWorlds(
  worlds: Worlds,
  { skip, limit }: Page,
  settings: Pick<EdgeSettings, 'worldsByName' | 'adminToken'>,
): Promise<WorldsResponse> {
  const showsKeys = mayShowKeys(settings);
  const { keeper, size } = worlds;
  const awake = [...worlds.all()].slice(skip, skip + limit);
  const left = limit - awake.length;
  const asleep = left > 0 ? await keeper.list(Math.max(0, skip - size), left) : [];
  return {
    Count: size + keeper.asleep,
    Awake: size,
    Worlds: [
      ...awake.map((world) => presentSummary(summariseWorld(world), showsKeys ? world.key : null)),
      ...asleep.flatMap((world) => (world instanceof UnreadableWorld ? [] : presentSummary(world))),
    ],
    Unreadable: asleep.flatMap((world) => (world instanceof UnreadableWorld ? presentUnreadable(world) : [])),
  };
}

export function presentUnreadable({ keyHash, problem }: UnreadableWorld): UnreadableWorldResponse {
  return { World: keyHash, Problem: problem };
}

/** The line of a world; without a key, that of one that is asleep. */
function presentSummary(world: WorldSummary, key?: string | null): WorldsResponse['Worlds'][number] {
  return {
    World: world.keyHash,
    Key: key?.startsWith(TEST_PREFIX) === true ? key : null,
    Name: world.name,
    Scenario: world.scenario,
    Now: formatInstant(world.now),
    Awake: key !== undefined,
    Counts: world.counts,
  };
}

function presentNextDue(world: World): string | null {
  const { nextDue } = world.jobs;
  return nextDue === Infinity ? null : formatInstant(nextDue);
}

export function presentClock(world: World): ClockResponse {
  const { mode, rate } = world.clock;
  return { Now: formatInstant(world.now), Mode: mode, Rate: rate, NextDue: presentNextDue(world) };
}

export function presentSettled(world: World): SettledResponse {
  return { Now: formatInstant(world.now), NextDue: presentNextDue(world) };
}

export function presentAdvance(world: World, report: AdvanceSummary): AdvanceResponse {
  return {
    From: formatInstant(report.from),
    Now: formatInstant(report.now),
    Ran: report.ran.map((job) => presentJob(world, job)),
    Jobs: report.jobs,
    Counts: Object.fromEntries(report.counts),
    Deliveries: report.deliveries,
    FailedDeliveries: report.failures,
  };
}

export function presentJob(world: World, job: Job): JobResponse {
  return {
    At: formatInstant(job.due),
    Kind: job.kind,
    Ref: presentJobRef(job),
    About: describeJobRecord(world, job),
  };
}

function presentJobRef({ kind, ref }: Job): string {
  // An event of a timeline is named by its number in the file, counted from 1.
  return kind === SCENARIO_TIMELINE ? `timeline ${Number(ref) + 1}` : ref;
}
