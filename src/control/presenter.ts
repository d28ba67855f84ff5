import type { Host } from '../core/host.js';
import type { AdvanceReport, Job } from '../core/time/jobs.js';
import { maskSecrets } from '../core/text/secrets.js';
import { formatInstant } from '../core/time/time.js';
import { KINDS, TABLES } from '../world/tables.js';
import { VERSION } from '../core/version.js';
import type { World } from '../world/world.js';
import { SCENARIO_TIMELINE } from '../scenarios/script/timeline.js';
import type { Worlds } from '../world/worlds.js';
import type {
  AdvanceResponse,
  ClockResponse,
  HealthResponse,
  SettledResponse,
  WorldResponse,
  WorldsResponse,
} from './schema.js';

const LISTED_MAX = 1000;

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
    Name: shownName(world),
    Seed: world.settings.seed,
    Dialect: world.settings.dialect,
    Clock: { Now: formatInstant(world.now), Mode: mode, Rate: rate },
    Scenario: world.script.scenario?.name ?? null,
    Counts: presentCounts(world),
  };
}

/** The name of a world, which may come from a test that names a card; null if it has none. */
export function shownName({ settings: { name } }: World): string | null {
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

/** All worlds by their short names, which do not reveal their keys. Listing them runs none of their jobs. */
export function presentWorlds(worlds: Worlds): WorldsResponse {
  const listed: WorldsResponse['Worlds'] = [];
  for (const world of worlds.all()) {
    if (listed.length === LISTED_MAX) break;
    listed.push({
      World: world.keyHash,
      Name: shownName(world),
      Scenario: world.script.scenario?.name ?? null,
      Now: formatInstant(world.clock.now()),
      Counts: presentCounts(world),
    });
  }
  return { Count: worlds.size, Worlds: listed };
}

function nextDueOf(world: World): string | null {
  const { nextDue } = world.jobs;
  return nextDue === Infinity ? null : formatInstant(nextDue);
}

export function presentClock(world: World): ClockResponse {
  const { mode, rate } = world.clock;
  return { Now: formatInstant(world.now), Mode: mode, Rate: rate, NextDue: nextDueOf(world) };
}

export function presentSettled(world: World): SettledResponse {
  return { Now: formatInstant(world.now), NextDue: nextDueOf(world) };
}

export function presentAdvance(report: AdvanceReport): AdvanceResponse {
  return {
    From: formatInstant(report.from),
    Now: formatInstant(report.now),
    Ran: report.ran.map(presentJob),
    Jobs: report.jobs,
    Deliveries: report.deliveries,
  };
}

export function presentJob(job: Job): AdvanceResponse['Ran'][number] {
  return { At: formatInstant(job.due), Kind: job.kind, Ref: refOf(job) };
}

function refOf({ kind, ref }: Job): string {
  // An event of a timeline is named by its number in the file, counted from 1.
  return kind === SCENARIO_TIMELINE ? `timeline ${Number(ref) + 1}` : ref;
}
