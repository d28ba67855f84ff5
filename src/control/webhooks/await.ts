import type { Context } from 'hono';

import { CODE, refuse } from '../../core/errors.js';
import { startDeadline } from '../../core/time/sleep.js';
import { formatDuration, formatInstant } from '../../core/time/time.js';
import { type Env, worldOf } from '../../http/exchange.js';
import {
  addEqual,
  type Condition,
  conditionsOf,
  fits,
  type Match,
  nearestTo,
  type Searchable,
} from '../../journal/match.js';
import { WAITERS_MAX } from '../../journal/model.js';
import { type Patience, Waiters } from '../../journal/waiters.js';
import type { Delivery } from '../../webhooks/record.js';
import type { World } from '../../world/world.js';
import { refuseWait } from '../journal/presenter.js';
import type { JournalCountResponse } from '../journal/entry-schema.js';
import { presentDelivery, referenceIn } from './presenter.js';
import type { DeliveryResponse } from './schema.js';

interface DeliveriesFound {
  readonly Count: number;
  readonly Deliveries: DeliveryResponse[];
}

const NEAREST_MAX = 3;

/** How many deliveries match. Without a filter by Status, only delivered ones count. */
export function countDeliveries(world: World, match: Match): JournalCountResponse {
  const conditions = conditionsOn(world, match);
  return {
    Count: fittingOf(world, conditions).length,
    Incomplete: world.deliveries.next > world.deliveries.size,
  };
}

/** Answers when enough deliveries match, also earlier ones; 408 at the time-out; 503 (code 37) where too many wait. */
export async function awaitDeliveries(
  c: Context<Env>,
  match: Match,
  wanted: number,
  patience: Patience,
): Promise<DeliveriesFound | Response> {
  const world = worldOf(c);
  const { dispatch } = world;
  if (dispatch.watching >= WAITERS_MAX) {
    refuse(CODE.RetryLater, `At most ${WAITERS_MAX} calls may wait for a world's deliveries at a time.`);
  }
  const conditions = conditionsOn(world, match);
  const found = fittingOf(world, conditions).map(attemptOf);
  if (found.length >= wanted) return presentFound(world, found.length, found);
  const waiters = new Waiters<Searchable>();
  const cancel = dispatch.watch((tried) => {
    if (tried === null) waiters.close();
    else waiters.notify(attemptOf(tried));
  });
  try {
    const missing = { conditions, wanted, there: found.toReversed() };
    const awaited = await waiters.add(missing, patience, () =>
      nearestTo(triedIn(world).map(attemptOf), conditions, NEAREST_MAX),
    );
    if (awaited.enough) return presentFound(world, awaited.count, awaited.entries);
    const present = ({ id, at, status }: Searchable): object => ({
      DeliveryId: world.deliveries.idAt(id),
      At: formatInstant(at),
      EventType: world.deliveries.at(id)?.eventType ?? null,
      Status: status,
    });
    const asked = { wanted, timeoutMs: patience.timeoutMs };
    return refuseWait(c, awaited, asked, 'deliveries', present, hintOf(world));
  } finally {
    cancel();
  }
}

function conditionsOn({ deliveries }: World, match: Match): Condition[] {
  const { event = null, status = null } = match;
  const conditions: Condition[] = [];
  addEqual(conditions, 'Event', event, ({ id }) => deliveries.at(id)?.eventType ?? null);
  conditions.push(...conditionsOf(match));
  if (status === null) {
    addEqual(conditions, 'Status', 'delivered', ({ id }) => deliveries.at(id)?.status ?? null);
  }
  return conditions;
}

/** The newest first. */
function triedIn({ deliveries }: World): Delivery[] {
  return [...deliveries.newestFirst()].filter(({ attempted }) => attempted !== null);
}

function fittingOf(world: World, conditions: readonly Condition[]): Delivery[] {
  return triedIn(world).filter((delivery) => fits(attemptOf(delivery), conditions));
}

/** The last attempt of a delivery, in the form that the filters of the journal search. */
function attemptOf(delivery: Delivery): Searchable {
  const { index, attempted, url, body, responseStatus, dateAdded } = delivery;
  return {
    id: index,
    at: attempted ?? dateAdded,
    method: 'POST',
    path: new URL(url).pathname,
    operation: null,
    request: body,
    status: responseStatus ?? 0,
    precedence: null,
    fault: null,
    trigger: null,
    reference: referenceIn(body),
    isUndone: false,
  };
}

function presentFound(world: World, count: number, found: readonly Searchable[]): DeliveriesFound {
  const shown = found.flatMap(({ id }) => world.deliveries.at(id) ?? []);
  return { Count: count, Deliveries: shown.map(presentDelivery) };
}

/** Under a manual clock, the awaited delivery may be due only after an advance. */
function hintOf({ clock, jobs }: World): string {
  if (clock.mode !== 'manual' || jobs.nextDue === Infinity) return '';
  return ` The clock is manual, and the next job is due at ${formatInstant(jobs.nextDue)}: advance the clock.`;
}

/**
 * Runs the jobs that are due now and waits until no delivery is in progress and no further job is due. Later jobs stay.
 * Throws 408 with code 94 if that takes longer than `timeoutMs` real milliseconds.
 */
export async function settleWorld(world: World, timeoutMs: number): Promise<void> {
  const deadline = startDeadline(world.host, timeoutMs);
  let isOver = false;
  void deadline.over.then(() => (isOver = true));
  try {
    for (;;) {
      await world.enter();
      world.requireOpen();
      const { dispatch } = world;
      const underWay = dispatch.busy + dispatch.held;
      if (underWay === 0 && world.jobs.nextDue > world.now) return;
      if (isOver) {
        const what = `${underWay} ${underWay === 1 ? 'delivery is' : 'deliveries are'} still in progress`;
        refuse(CODE.Timeout, `After ${formatDuration(timeoutMs)} ${what}.`);
      }
      if (underWay > 0) await Promise.race([dispatch.change(), deadline.over]);
    }
  } finally {
    deadline.end();
  }
}
