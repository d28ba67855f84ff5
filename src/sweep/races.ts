import type { SweepFault } from './faults.js';
import { createTogetherPoint, type FaultPoint, TOGETHER } from './points.js';
import type { Trial } from './trial.js';
import type { TogetherRun, Turn } from './turns.js';

/** Runs trials, and returns what was done at each `together`, in the order of the trials. Fewer results: the time is over. */
type RunRaces = (
  trials: readonly Trial[],
) => Promise<
  readonly { readonly trial: Trial; readonly run: { readonly togethers?: readonly TogetherRun[] } }[]
>;

/** The name of the n-th `together` of a run, from 1. */
export function nameTogether(n: number): string {
  return n === 1 ? TOGETHER : `${TOGETHER} #${n}`;
}

/** The name of a party in timelines. Numbers count from 0. */
export function nameParty(party: number): string {
  return ['first', 'second', 'third'][party] ?? `${party + 1}th`;
}

/** The fault that turns are given in an order, such as `order 1×2 2`: the second after two turns of the first. */
function createOrderFault(order: readonly number[]): SweepFault {
  const runs: { party: number; length: number }[] = [];
  for (const party of order.length === 0 ? [0] : order) {
    const last = runs.at(-1);
    if (last?.party === party) last.length++;
    else runs.push({ party, length: 1 });
  }
  const name = runs.map(({ party, length }) => `${party + 1}${length === 1 ? '' : `×${length}`}`);
  const about = 'Several things happened at the same time.';
  return { name: `order ${name.join(' ')}`, about, order, acts: () => false };
}

/** How often an order interrupts a party that could have gone on. */
function countSwitches(order: readonly number[], turns: readonly Turn[]): number {
  return order.filter((next, i) => {
    const before = order[i - 1] ?? next;
    return next !== before && turns[i]?.ready.includes(before);
  }).length;
}

/** The orders that leave that of a run at one of the turns that were not yet decided. */
function listFurtherOrders(decided: number, turns: readonly Turn[]): number[][] {
  const parties = turns.map(({ party }) => party);
  return turns.flatMap(({ party, ready }, i) =>
    ready.filter((other) => i >= decided && other !== party).map((other) => [...parties.slice(0, i), other]),
  );
}

/**
 * Tries the orders of the turns at a `together`, those with few switches first. Each wave of orders has ended before the next one is
 * chosen, so that the same ones are tried however many run at a time. Returns how many are known and were not tried.
 */
async function tryOrders(point: FaultPoint, racesMax: number, runAll: RunRaces): Promise<number> {
  /** By the number of switches. */
  const waiting: (readonly number[])[][] = [[[]]];
  let left = racesMax;
  for (;;) {
    const wave = waiting.find((orders) => orders?.length > 0)?.splice(0, left) ?? [];
    left -= wave.length;
    const results = await runAll(wave.map((order) => [{ point, fault: createOrderFault(order) }]));
    for (const { trial, run } of results) {
      const { turns = [] } = run.togethers?.find(({ name }) => name === point.name) ?? {};
      for (const order of listFurtherOrders(trial[0]?.fault.order?.length ?? 0, turns))
        (waiting[countSwitches(order, turns)] ??= []).push(order);
    }
    if (wave.length === 0 || results.length < wave.length) return waiting.flat().length;
  }
}

/** Tries the orders at each `together` of the clean run. Returns what was left out. */
export async function raceAll(
  togethers: readonly TogetherRun[],
  racesMax: number,
  runAll: RunRaces,
): Promise<string[]> {
  const untried: string[] = [];
  for (const { name } of togethers) {
    const left = await tryOrders(createTogetherPoint(name), racesMax, runAll);
    const orders = racesMax === 0 ? 'all orders' : `at least ${left} more orders`;
    if (left > 0) untried.push(`${name}: ${orders} of its calls (races: ${racesMax})`);
  }
  return untried;
}

/** Whether the parties of a trial were given turns, if it has some. */
export function isRaced(trial: Trial, togethers: readonly TogetherRun[] = []): boolean {
  const raced = togethers.filter(({ turns }) => turns.length > 0).map(({ name }) => name);
  return trial.every(({ point, fault }) => fault.order === undefined || raced.includes(point.name));
}
