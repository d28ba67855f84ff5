import { formatInstant } from '../../core/time.js';
import type { Watch } from '../../journal/watch.js';
import type { World } from '../../world.js';
import { presentCounts, presentJob } from '../presenter.js';

/** A world as its live readers see it. Looking runs no job: what is due, the world does by itself. */
export function presentSeen(world: World, { changes }: Watch): object {
  const { clock, script, journal, webhooks, jobs } = world;
  const { next } = jobs;
  return {
    World: world.name,
    Seed: world.settings.seed,
    Dialect: world.settings.dialect,
    Scenario: script.scenario?.name ?? null,
    Now: formatInstant(clock.now()),
    Mode: clock.mode,
    Rate: clock.rate,
    Next: next === undefined ? null : presentJob(next),
    Counts: presentCounts(world),
    QueuedOutcomes: script.queues().reduce((sum, { left }) => sum + left.length, 0),
    /** Exchanges before this one have gone. */
    OldestEntryId: journal.oldestId,
    /** Attempts to deliver webhooks that have ended. */
    Attempts: webhooks.ended,
    /** How many calls of the control plane were answered while there was a live reader. */
    Changes: changes,
  };
}
