import { allRecords, listRecords } from '../../core/store/search.js';
import { formatInstant } from '../../core/time/time.js';
import { type Entry, type CallResult, classifyResult, RESULTS } from '../../journal/entry.js';
import type { World } from '../../world/world.js';
import type { FacetsResponse } from './entry-schema.js';

/** Counts entries by operation, result and trigger, and over time in equal periods; and the charges of a world, if they are given. */
export async function presentFacets(
  entries: AsyncIterable<Entry>,
  periods: number,
  charges: World['charges'] | null,
): Promise<FacetsResponse> {
  const tallies = { Operations: new Map(), Results: new Map(), Triggers: new Map() } satisfies Tallies;
  const points: TimedResult[] = [];
  for await (const entry of entries) {
    const result = classifyResult(entry);
    addToTally(tallies.Operations, entry.operation);
    addToTally(tallies.Results, result);
    addToTally(tallies.Triggers, entry.trigger);
    points.push({ at: entry.at, result });
  }
  return {
    Count: points.length,
    Operations: sortTally(tallies.Operations),
    Results: sortTally(tallies.Results),
    Triggers: sortTally(tallies.Triggers),
    Periods: divideIntoPeriods(points, periods),
    Charges: charges && countCharges(charges, periods),
  };
}

function countCharges(charges: World['charges'], periods: number): FacetsResponse['Charges'] {
  const declines: Tally = new Map();
  const points: TimedResult[] = [];
  for (const { status, dateAdded, more } of listRecords(allRecords(charges))) {
    const isDeclined = status === 'FAILED';
    if (isDeclined) addToTally(declines, more.failedAttempts.at(-1)?.message ?? '');
    points.push({ at: dateAdded, result: isDeclined ? 'declined' : 'done' });
  }
  return { Declines: sortTally(declines), Periods: divideIntoPeriods(points, periods) };
}

interface TimedResult {
  readonly at: number;
  readonly result: CallResult;
}

type Tally = Map<string, number>;
type Tallies = Readonly<Record<string, Tally>>;

function addToTally(tally: Tally, name: string | null): void {
  if (name !== null) tally.set(name, (tally.get(name) ?? 0) + 1);
}

/** The most frequent first. */
function sortTally(tally: Tally): FacetsResponse['Operations'] {
  return [...tally].map(([Name, Count]) => ({ Name, Count })).toSorted((a, b) => b.Count - a.Count);
}

/** Clocks can be set back, so the points are in no order. */
function divideIntoPeriods(points: readonly TimedResult[], wanted: number): FacetsResponse['Periods'] {
  if (points.length === 0) return [];
  const [first, last] = points.reduce(
    ([low, high], { at }) => [Math.min(low, at), Math.max(high, at)],
    [Infinity, -Infinity],
  );
  const length = Math.max(1, Math.ceil((last - first + 1) / wanted));
  const periods = Array.from(
    { length: Math.ceil((last - first + 1) / length) },
    () => Object.fromEntries(RESULTS.map((name) => [name, 0])) as Record<CallResult, number>,
  );
  for (const { at, result } of points) {
    const period = periods[Math.floor((at - first) / length)];
    if (period !== undefined) period[result]++;
  }
  return periods.map(({ done, declined, refused, unanswered }, n) => ({
    From: formatInstant(first + n * length),
    Done: done,
    Declined: declined,
    Refused: refused,
    Unanswered: unanswered,
  }));
}
