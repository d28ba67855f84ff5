import type { ApiError } from '../core/errors.js';
import type { Page } from '../core/search.js';
import { formatInstant } from '../core/time.js';
import type { Journal } from '../journal/journal.js';
import type { Match, NearMiss } from '../journal/match.js';
import { bodyOf, type Entry } from '../journal/model.js';
import { errorBody } from '../wire/respond.js';

export function presentEntry(entry: Entry): object {
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

export function presentEntries(journal: Journal, match: Match, page: Page): object {
  const { entries, count } = journal.find(match, page);
  return {
    Limit: page.limit,
    Skip: page.skip,
    Count: count,
    Evicted: journal.evicted,
    Entries: entries.map(presentEntry),
  };
}

/** The body of a refusal because the wait was in vain, with the entries that came closest. */
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
    Differences: differences.map(({ member, wanted, found }) => ({
      Member: member,
      Wanted: wanted,
      Found: found,
    })),
  };
}
