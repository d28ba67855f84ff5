import { ApiError, CODE } from '../../core/errors.js';
import type { Page } from '../../core/search.js';
import { formatDuration, formatInstant } from '../../core/time.js';
import type { Match, NearMiss } from '../../journal/match.js';
import { bodyOf, type Entry } from '../../journal/model.js';
import { errorBody } from '../../http/respond.js';
import type { Delivery } from '../../webhooks/record.js';
import type { World } from '../../world.js';
import { presentCaused } from '../webhooks/presenter.js';
import type { JournalEntryResponse, JournalResponse } from './schema.js';
import type { Awaited } from '../../journal/waiters.js';

/** The deliveries that calls caused, by the numbers of their entries. */
type Caused = ReadonlyMap<number, readonly Delivery[]>;

/** All that the calls of a world caused and its log still holds. */
function causedIn({ deliveries }: World): Caused {
  const caused = new Map<number, Delivery[]>();
  for (const delivery of deliveries.newestFirst()) {
    const { entry } = delivery;
    if (entry !== null) caused.set(entry, [delivery, ...(caused.get(entry) ?? [])]);
  }
  return caused;
}

function presentEntry(entry: Entry, caused: Caused): JournalEntryResponse {
  return {
    EntryId: entry.id,
    At: formatInstant(entry.at),
    RealAt: formatInstant(entry.realAt),
    Method: entry.method,
    Path: entry.path,
    Query: entry.query,
    Operation: entry.operation,
    RequestId: entry.requestId,
    RequestHeaders: headersOf(entry),
    RequestBody: bodyOf(entry.request),
    Status: entry.status,
    ResponseBody: bodyOf(entry.response),
    Trigger: entry.trigger,
    Fault: entry.fault,
    Rule: entry.rule,
    Precedence: entry.precedence,
    Warning: entry.warning,
    DurationMs: entry.durationMs,
    Truncated: entry.truncated,
    Deliveries: (caused.get(entry.id) ?? []).map(presentCaused),
  };
}

/** The headers of a request by their names in small letters. */
export function headersOf(entry: Entry): Record<string, string> {
  const pairs: [string, string][] = [];
  for (let i = 0; i < entry.headers.length; i += 2) {
    pairs.push([(entry.headers[i] ?? '').toLowerCase(), entry.headers[i + 1] ?? '']);
  }
  return Object.fromEntries(pairs);
}

export function presentEntries(world: World, match: Match, page: Page): JournalResponse {
  const { journal } = world;
  const { entries, count } = journal.find(match, page);
  return {
    Limit: page.limit,
    Skip: page.skip,
    Count: count,
    Evicted: journal.evicted,
    Entries: presentAll(world, entries),
  };
}

/** Entries with what they caused. */
export function presentAll(world: World, entries: readonly Entry[]): JournalEntryResponse[] {
  const caused = causedIn(world);
  return entries.map((entry) => presentEntry(entry, caused));
}

/** The body of the refusal of a wait that timed out, with the entries that came closest. */
export function presentNearest(
  error: ApiError,
  path: string,
  { count, nearest }: { readonly count: number; readonly nearest: readonly NearMiss[] },
): object {
  return { ...errorBody(error, path), Count: count, Nearest: nearest.map(presentNearMiss) };
}

function presentNearMiss({ entry, differences }: NearMiss): object {
  const { id, at, method, path, operation, status } = entry;
  return {
    EntryId: id,
    At: formatInstant(at),
    Method: method,
    Path: path,
    Operation: operation,
    Status: status,
    Differences: differences.map(({ field, wanted, found }) => ({
      Member: field,
      Wanted: wanted,
      Found: found,
    })),
  };
}

/** What was waited for. */
export interface Wait {
  readonly wanted: number;
  readonly timeoutMs: number;
}

/** The refusal of a wait that timed out: how much came, and whether there is anything like it; `hint` ends the message. */
export function awaitTimeout(
  { count, nearest }: Pick<Extract<Awaited, { enough: false }>, 'count' | 'nearest'>,
  what: string,
  { wanted, timeoutMs }: Wait,
  hint = '',
): ApiError {
  const others = nearest.length > 0 ? 'Nearest tells what the closest others lack.' : 'there are no others.';
  const detail = `${count} of ${wanted} ${what} came within ${formatDuration(timeoutMs)}; ${others}${hint}`;
  return new ApiError({ code: CODE.Timeout, detail });
}
