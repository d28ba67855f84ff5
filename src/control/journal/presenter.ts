import type { Context } from 'hono';

import { ApiError, CODE } from '../../core/errors.js';
import type { Page } from '../../core/store/search.js';
import { formatDuration, formatInstant } from '../../core/time/time.js';
import type { Env } from '../../http/exchange.js';
import { buildErrorBody, buildAnswerHeaders } from '../../http/answers/respond.js';
import type { Match, Searchable } from '../../journal/match.js';
import { type Entry, classifyResult } from '../../journal/entry.js';
import { parseBodyText } from '../../journal/completed-call.js';
import type { WaitResult } from '../../journal/waiters.js';
import type { World } from '../../world/world.js';
import { presentCaused } from '../webhooks/presenter.js';
import type { BriefEntryResponse, JournalEntryResponse, JournalResponse } from './entry-schema.js';

function presentJournalEntry(entry: Entry, world: World): JournalEntryResponse {
  return {
    ...presentEntryBase(entry, world),
    RequestHeaders: readEntryHeaders(entry),
    RequestBody: parseBodyText(entry.request),
    ResponseBody: entry.answer,
  };
}

/** An entry without bodies and headers, which need not be masked for it. */
const NO_MONEY = { amount: null, currency: null };

function presentBriefEntry(entry: Entry, world: World): BriefEntryResponse {
  // A list that is read has many amounts.
  const { amount, currency } = entry.method === 'GET' ? NO_MONEY : entry.money;
  return {
    ...presentEntryBase(entry, world),
    Amount: amount,
    Currency: amount === null ? null : currency,
    Message: entry.status < 400 ? null : findMessage(entry.answer),
  };
}

function findMessage(answer: unknown): string | null {
  const { Message, message } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  const text = Message ?? message;
  return typeof text === 'string' ? text : null;
}

function presentEntryBase(
  entry: Entry,
  { deliveries }: World,
): Omit<BriefEntryResponse, 'Message' | 'Amount' | 'Currency'> {
  return {
    EntryId: entry.id,
    At: formatInstant(entry.at),
    RealAt: formatInstant(entry.realAt),
    Method: entry.method,
    Path: entry.path,
    Query: entry.query,
    Operation: entry.operation,
    RequestId: entry.requestId,
    Dialect: entry.dialect ?? null,
    DialectBy: entry.dialectBy ?? null,
    Reference: entry.reference,
    Status: entry.status,
    Result: classifyResult(entry),
    Trigger: entry.trigger,
    Fault: entry.fault,
    Rule: entry.rule,
    Precedence: entry.precedence,
    Held: entry.held && { By: entry.held.by, Ms: entry.held.ms },
    Warning: entry.warning,
    DurationMs: entry.durationMs,
    Truncated: entry.truncated,
    Recorded: entry.isRecorded,
    Undone: entry.isUndone,
    // A delivery of the present may have the identifier of one that was undone.
    Deliveries: (entry.caused ?? []).flatMap((id) => {
      const delivery = deliveries.find(id);
      return delivery?.entry === entry.id ? presentCaused(delivery) : [];
    }),
  };
}

export function readEntryHeaders({ headers }: Entry): Record<string, string> {
  const pairs: [string, string][] = [];
  for (let i = 0; i < headers.length; i += 2) {
    pairs.push([(headers[i] ?? '').toLowerCase(), headers[i + 1] ?? '']);
  }
  return Object.fromEntries(pairs);
}

interface EntryQuery {
  readonly match: Match;
  /** A text that the entries contain; null for any. */
  readonly text: string | null;
  readonly isBrief: boolean;
  readonly page: Page;
}

export async function presentEntries(
  world: World,
  { match, text, isBrief, page }: EntryQuery,
): Promise<JournalResponse> {
  const { journal, host } = world;
  const entries: Entry[] = [];
  let count = 0;
  for await (const entry of journal.search(match, text, () => host.pause())) {
    if (count >= page.skip && entries.length < page.limit) entries.push(entry);
    count++;
  }
  return {
    Limit: page.limit,
    Skip: page.skip,
    Count: count,
    Evicted: journal.evicted,
    Entries: isBrief ? presentBriefEntries(world, entries) : presentFullEntries(world, entries),
  };
}

export function presentFullEntries(world: World, entries: readonly Entry[]): JournalEntryResponse[] {
  return entries.map((entry) => presentJournalEntry(entry, world));
}

export function presentBriefEntries(world: World, entries: readonly Entry[]): BriefEntryResponse[] {
  return entries.map((entry) => presentBriefEntry(entry, world));
}

export interface WaitLimits {
  readonly wanted: number;
  readonly timeoutMs: number;
}

type TimedOutWait<E extends Searchable> = Extract<WaitResult<E>, { enough: false }>;

/** The 408 of a wait that timed out: how many matched, the closest others with differences (by `present`), and `hint`. */
export function presentTimeout<E extends Searchable>(
  c: Context<Env>,
  { count, nearest }: TimedOutWait<E>,
  { wanted, timeoutMs }: WaitLimits,
  what: string,
  present: (entry: E) => object,
  hint = '',
): Response {
  const others =
    nearest.length > 0
      ? 'Nearest lists the closest other entries and what differed.'
      : 'There were no others.';
  const detail = `${count} of ${wanted} ${what} arrived within ${formatDuration(timeoutMs)}. ${others}${hint}`;
  const error = new ApiError({ code: CODE.Timeout, detail });
  const Nearest = nearest.map(({ entry, differences }) => ({
    ...present(entry),
    Differences: differences.map(({ field, wanted: Wanted, found: Found }) => ({
      Member: field,
      Wanted,
      Found,
    })),
  }));
  const headers = buildAnswerHeaders(c.get('exchange'), 'application/json; charset=utf-8');
  const text = JSON.stringify({ ...buildErrorBody(error, c.req.path), Count: count, Nearest });
  return new Response(text, { status: error.httpStatus, headers });
}

export function presentNearMiss({ id, at, method, path, operation, status }: Entry): object {
  return {
    EntryId: id,
    At: formatInstant(at),
    Method: method,
    Path: path,
    Operation: operation,
    Status: status,
  };
}
