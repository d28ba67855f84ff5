import type { Context } from 'hono';
import type * as z from 'zod';

import { shortenId } from '../../core/cards/card.js';
import { CODE, refuse } from '../../core/errors.js';
import type { Host } from '../../core/host.js';
import { type Env, requireWorld } from '../../http/exchange.js';
import { sendJsonStream } from '../../http/answers/respond.js';
import { route, type Section } from '../../http/route.js';
import type { Entry } from '../../journal/entry.js';
import type { Match } from '../../journal/match.js';
import type { WaitResult } from '../../journal/waiters.js';
import type { World } from '../../world/world.js';
import { awaitDeliveries, countDeliveries } from '../webhooks/await.js';
import { DELIVERY_ROWS } from '../webhooks/routes.js';
import { OpenedResponse } from '../opening/schema.js';
import { findLikelyMistake } from './impossible.js';
import { exportJournal } from './export.js';
import { presentFacets } from './facets.js';
import { buildTraceEntry, pickSentBody } from './trace.js';
import {
  presentFullEntries,
  presentEntries,
  presentNearMiss,
  presentTimeout,
  type WaitLimits,
} from './presenter.js';
import {
  AwaitedResponse,
  ClearedResponse,
  ExportedResponse,
  FacetsResponse,
  JournalCountResponse,
  JournalResponse,
  OneEntryResponse,
  RepeatedResponse,
} from './entry-schema.js';
import { AwaitEntries, CountEntries, CountFacets, ExportEntries, ListEntries } from './schema.js';

export const JOURNAL: Section = {
  tag: 'Journal and webhooks',
  text: 'The requests that were received, the responses to them and the webhooks that were sent.',
  rows: [
    route({
      method: 'get',
      path: '/_sandbox/journal',
      id: 'getJournal',
      summary: 'List calls, newest first',
      text: 'Returns the calls that match every filter. Keys, card numbers and Ccvs are masked.',
      query: ListEntries,
      response: JournalResponse,
      handle: (c, { query }) => {
        warnOfMistake(c, query.match);
        return presentEntries(requireWorld(c), query);
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/journal/facets',
      id: 'countFacets',
      summary: 'Count calls by kind and time',
      text: 'Counts the calls that match every filter by operation, result and trigger, and by result over time.',
      query: CountFacets,
      response: FacetsResponse,
      handle: (c, { query: { match, text, periods, withCharges } }) => {
        const { journal, host, charges } = requireWorld(c);
        return presentFacets(
          journal.search(match, text, () => host.pause()),
          periods,
          withCharges ? charges : null,
        );
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/journal/{id}',
      id: 'getEntry',
      summary: 'Read a call',
      text: 'Returns the call, what decided its response, the webhooks that it caused, and what to send to repeat it.',
      response: OneEntryResponse,
      errors: [[CODE.ValidationError, 404]],
      handle: async (c, { params }) => {
        const { findBranchStart } = await import('../opening/operations.js');
        const world = requireWorld(c);
        const entry = requireEntry(world, params.id);
        const [shown] = presentFullEntries(world, [entry]);
        if (shown === undefined) throw new Error('An entry was presented as nothing');
        const start = findBranchStart(world, entry);
        const NoBranch = typeof start === 'string' ? start : null;
        return { ...shown, Again: presentRepeatable(entry), NoBranch };
      },
    }),
    route({
      method: 'post',
      path: '/_sandbox/journal/{id}/repeat',
      id: 'repeatCall',
      summary: 'Repeat a call',
      text: 'Sends the call again, with the card numbers and credentials that the journal keeps but never shows. The journal has the new call and its answer.',
      response: RepeatedResponse,
      errors: [CODE.ValidationError, [CODE.ValidationError, 404]],
      handle: async (c, { params }) => {
        const { repeatEntry } = await import('../opening/operations.js');
        return repeatEntry(c, requireEntry(requireWorld(c), params.id));
      },
    }),
    route({
      method: 'post',
      path: '/_sandbox/journal/{id}/branch',
      id: 'branchWorld',
      summary: 'Branch the world before a call',
      text: 'Opens a new world, with the key of the call followed by -1, -2 and so on, in the state before the call: from the latest snapshot or the beginning, it sends the calls before it again, at their instants. Its journal ends with the call, marked as undone, so that it can be repeated there. Webhooks are withheld. What calls of /_sandbox changed in between is not repeated.',
      response: OpenedResponse,
      errors: [
        [CODE.ValidationError, 404],
        [CODE.ValidationError, 409],
      ],
      handle: async (c, { params }) => {
        const { branchBefore } = await import('../opening/operations.js');
        return branchBefore(c, requireEntry(requireWorld(c), params.id));
      },
    }),
    route({
      method: 'delete',
      path: '/_sandbox/journal',
      id: 'clearJournal',
      summary: 'Empty the journal',
      text: 'Records, clock and webhooks do not change.',
      response: ClearedResponse,
      handle: (c) => {
        const { journal } = requireWorld(c);
        const cleared = journal.size;
        journal.clear();
        return { Cleared: cleared };
      },
    }),
    route({
      method: 'post',
      path: '/_sandbox/journal/count',
      id: 'countEntries',
      runsWhenFull: true,
      summary: 'Count calls',
      text: 'Returns the number of calls that match, without undone ones unless Undone is true. Incomplete is true if entries that could have matched were discarded.',
      body: CountEntries,
      bodyOptional: true,
      response: JournalCountResponse,
      handle: (c, { body }) => {
        warnOfMistake(c, body);
        if (body.event) return countDeliveries(requireWorld(c), body);
        const { count, incomplete } = requireWorld(c).journal.count(body);
        return { Count: count, Incomplete: incomplete };
      },
    }),
    route({
      method: 'post',
      path: '/_sandbox/journal/await',
      id: 'awaitEntries',
      runsWhenFull: true,
      summary: 'Wait for calls or deliveries',
      text: 'Times out with 408. Nearest lists the closest calls and what differed.',
      body: AwaitEntries,
      response: AwaitedResponse,
      errors: [CODE.Timeout],
      handle: async (c, { body }) => {
        const { match, wanted, timeoutMs } = body;
        warnOfMistake(c, match);
        const { host } = c.get('edge');
        const timer: Host['timer'] = (callback, ms) => host.timer(callback, ms, true);
        const { signal } = c.req.raw;
        const limit = { timeoutMs, timer, signal };
        if (match.event) return awaitDeliveries(c, match, wanted, limit);
        const awaited = await requireWorld(c).journal.waitForEntries(match, wanted, limit);
        return presentAwaited(c, awaited, { wanted, timeoutMs });
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/journal/export',
      id: 'exportJournal',
      summary: 'Export the journal',
      text: 'As a HAR file for browser tools, or as a trace for playmoney replay, which has no undone calls.',
      query: ExportEntries,
      response: ExportedResponse,
      handle: (c, { query }) => sendJsonStream(c, exportJournal(requireWorld(c), query)),
    }),
    ...DELIVERY_ROWS,
  ],
};

function warnOfMistake(c: Context<Env>, match: Match): void {
  const mistake = findLikelyMistake(match);
  if (mistake !== null) c.get('exchange').warnings.push(mistake);
}

function presentAwaited(
  c: Context<Env>,
  awaited: WaitResult<Entry>,
  limits: WaitLimits,
): z.input<typeof AwaitedResponse> | Response {
  const { count } = awaited;
  if (awaited.enough) return { Count: count, Entries: presentFullEntries(requireWorld(c), awaited.entries) };
  return presentTimeout(c, awaited, limits, 'entries', presentNearMiss);
}

/** The request that would repeat the exchange; null when its body was cut. */
function presentRepeatable(entry: Entry): OneEntryResponse['Again'] {
  if (entry.requestTruncated) return null;
  const { Method, Path, Query, Headers, Body } = buildTraceEntry(entry);
  return { Method, Path, Query, Headers, Body: pickSentBody(Headers, Body) };
}

function requireEntry({ journal }: World, given: string): Entry {
  const id = /^\d{1,15}$/.test(given) ? Number(given) : -1;
  const { value } = journal.entries(id).next();
  if (value?.id === id) return value;
  const detail = `The journal has no entry ${JSON.stringify(shortenId(given))}. GET /_sandbox/journal lists those it has (${journal.size}).`;
  return refuse(CODE.ValidationError, detail, { httpStatus: 404 });
}
