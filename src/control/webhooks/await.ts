import type { Context } from 'hono';

import { CODE, refuse } from '../../core/errors.js';
import { startDeadline } from '../../core/time/sleep.js';
import { formatDuration, formatInstant } from '../../core/time/time.js';
import { type Env, requireWorld } from '../../http/exchange.js';
import {
  addEqualCondition,
  type Condition,
  buildConditions,
  meetsConditions,
  type Match,
  findNearMisses,
  type Searchable,
} from '../../journal/match.js';
import { WAITERS_MAX } from '../../journal/completed-call.js';
import { type WaitLimit, Waiters } from '../../journal/waiters.js';
import type { Delivery } from '../../webhooks/delivery.js';
import type { World } from '../../world/world.js';
import { presentTimeout } from '../journal/presenter.js';
import type { JournalCountResponse } from '../journal/entry-schema.js';
import { presentDelivery, findMessageReference } from './presenter.js';
import type { DeliveryResponse } from './schema.js';

interface DeliveriesFound {
  readonly Count: number;
  readonly Deliveries: DeliveryResponse[];
}

const NEAREST_MAX = 3;

/** How many deliveries match. Without a filter by Status, only delivered ones count. */
export function countDeliveries(world: World, match: Match): JournalCountResponse {
  const conditions = listDeliveryConditions(world, match);
  return {
    Count: findMatchingDeliveries(world, conditions).length,
    Incomplete: world.deliveries.next > world.deliveries.size,
  };
}

/** Answers when enough deliveries match, also earlier ones; 408 at the time-out; 503 (code 37) where too many wait. */
export async function awaitDeliveries(
  c: Context<Env>,
  match: Match,
  wanted: number,
  patience: WaitLimit,
): Promise<DeliveriesFound | Response> {
  const world = requireWorld(c);
  const { runningDeliveries } = world;
  if (runningDeliveries.watcherCount >= WAITERS_MAX) {
    refuse(CODE.RetryLater, `At most ${WAITERS_MAX} calls may wait for a world's deliveries at a time.`);
  }
  const conditions = listDeliveryConditions(world, match);
  const found = findMatchingDeliveries(world, conditions).map(toSearchable);
  if (found.length >= wanted) return presentFoundDeliveries(world, found.length, found);
  const waiters = new Waiters<Searchable>();
  const cancel = runningDeliveries.watch((tried) => {
    if (tried === null) waiters.close();
    else waiters.notify(toSearchable(tried));
  });
  try {
    const missing = { conditions, wanted, there: found.toReversed() };
    const awaited = await waiters.add(missing, patience, () =>
      findNearMisses(listTried(world).map(toSearchable), conditions, NEAREST_MAX),
    );
    if (awaited.enough) return presentFoundDeliveries(world, awaited.count, awaited.entries);
    const present = ({ id, at, status }: Searchable): object => ({
      DeliveryId: world.deliveries.idAt(id),
      At: formatInstant(at),
      EventType: world.deliveries.at(id)?.eventType ?? null,
      Status: status,
    });
    const asked = { wanted, timeoutMs: patience.timeoutMs };
    return presentTimeout(c, awaited, asked, 'deliveries', present, describeManualClock(world));
  } finally {
    cancel();
  }
}

function listDeliveryConditions({ deliveries }: World, match: Match): Condition[] {
  const { event = null, status = null } = match;
  const conditions: Condition[] = [];
  addEqualCondition(conditions, 'Event', event, ({ id }) => deliveries.at(id)?.eventType ?? null);
  conditions.push(...buildConditions(match));
  if (status === null) {
    addEqualCondition(conditions, 'Status', 'delivered', ({ id }) => deliveries.at(id)?.status ?? null);
  }
  return conditions;
}

/** The newest first. */
function listTried({ deliveries }: World): Delivery[] {
  return [...deliveries.newestFirst()].filter(({ attempted }) => attempted !== null);
}

function findMatchingDeliveries(world: World, conditions: readonly Condition[]): Delivery[] {
  return listTried(world).filter((delivery) => meetsConditions(toSearchable(delivery), conditions));
}

/** The last attempt of a delivery, in the form that the filters of the journal search. */
function toSearchable(delivery: Delivery): Searchable {
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
    reference: findMessageReference(body),
    isUndone: false,
  };
}

function presentFoundDeliveries(world: World, count: number, found: readonly Searchable[]): DeliveriesFound {
  const shown = found.flatMap(({ id }) => world.deliveries.at(id) ?? []);
  return { Count: count, Deliveries: shown.map(presentDelivery) };
}

/** Under a manual clock, the awaited delivery may be due only after an advance. */
function describeManualClock({ clock, jobs }: World): string {
  if (clock.mode !== 'manual' || jobs.nextDue === Infinity) return '';
  return ` The clock is manual, and the next job is due at ${formatInstant(jobs.nextDue)}: advance the clock.`;
}

const WITHIN_RECEIVER =
  'A receiver of webhooks, or another call during an advance, cannot wait here: the delivery or the advance waits for it. Settle or advance after it has ended.';

/** Refuses a call that would wait for its own caller, with 409. Receivers in other processes cannot be recognised. */
export function refuseReceiver({ runningDeliveries }: World): void {
  if (runningDeliveries.isCaller) refuse(CODE.RetryLater, WITHIN_RECEIVER, { httpStatus: 409 });
}

/**
 * Runs the jobs that are due now and waits until no delivery is in progress and no further job is due. Later jobs stay.
 * Throws 409 if a receiver of the wait would wait for itself, 408 with code 94 if that takes longer than `timeoutMs` real milliseconds.
 */
export async function settleWorld(world: World, timeoutMs: number): Promise<void> {
  refuseReceiver(world);
  if (world.isAdvancing && world.runningDeliveries.runningCount > 0)
    refuse(CODE.RetryLater, WITHIN_RECEIVER, { httpStatus: 409 });
  const deadline = startDeadline(world.host, timeoutMs);
  let isOver = false;
  void deadline.over.then(() => (isOver = true));
  try {
    for (;;) {
      await world.enter();
      world.requireOpen();
      const { runningDeliveries } = world;
      const underWay = runningDeliveries.runningCount + runningDeliveries.heldCount;
      if (underWay === 0 && world.jobs.nextDue > world.now) return;
      if (isOver) {
        const what = `${underWay} ${underWay === 1 ? 'delivery is' : 'deliveries are'} still in progress`;
        const hint = 'A receiver that settles waits for its own answer.';
        refuse(CODE.Timeout, `After ${formatDuration(timeoutMs)} ${what}. ${hint}`);
      }
      if (underWay > 0) await Promise.race([runningDeliveries.nextChange(), deadline.over]);
    }
  } finally {
    deadline.end();
  }
}
