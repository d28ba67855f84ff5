import type { Delivery, JournalEntry } from '../../client/answers.js';
import { isObject } from '../../core/text/text.js';
import { formatDuration } from '../../core/time/time.js';
import type { ObservedWorld } from '../observed.js';
import { RULE_PREFIX } from '../points.js';
import type { SweepEvent } from '../public.js';
import type { Trial } from '../trial.js';
import type { Verdict } from '../verdicts.js';

/** How many records of a list are shown. */
const RECORDS_MAX = 3;
/** Longer queries are cut. */
const QUERY_LENGTH_MAX = 80;

/** A line of a timeline, and where it belongs. */
interface TimedEvent extends SweepEvent {
  /** The call, or the one that caused the webhook; null if none did. */
  readonly entryId: number | null;
  /** By the clock of the world, in milliseconds. */
  readonly time: number;
}

export interface Timeline {
  readonly events: readonly SweepEvent[];
  /** The call that decided: the second charge, or else the one with the last fault. */
  readonly decisive: JournalEntry | null;
}

/** The calls and webhooks of a run in the order of their arrival, and what happened to them. */
export function buildTimeline(observed: ObservedWorld, trial: Trial, verdict: Verdict): Timeline {
  const { entries, calls, deliveries } = observed;
  const served = entries.filter(({ operation }) => operation !== null);
  const again = findRepeatedCharges(observed, verdict);
  const noteOf = (rule: string | null): string | null => nameInjectedFault(rule, trial);
  const events = served.map((entry, i): TimedEvent => {
    const mark = again.includes(entry) ? `${isAuthorisation(entry) ? 'authorised' : 'charged'} again` : null;
    const notes = [noteOf(entry.rule), mark].filter((note) => note !== null);
    return {
      entryId: entry.entryId,
      time: Date.parse(entry.at),
      at: null,
      point: `${calls[i]?.name ?? ''}${nameCaller(entry, observed)}`,
      text: formatCall(entry),
      note: notes.length === 0 ? null : notes.join(', '),
    };
  });
  const start = events[0]?.time ?? 0;
  for (const webhook of listWebhookEvents(observed, noteOf)) insertWebhook(events, webhook);
  const hit = served.findLast(({ rule }) => noteOf(rule) !== null);
  const cause = deliveries.find(({ policy }) => noteOf(policy) !== null)?.entryId;
  return {
    events: events.map(({ point, text, note, time }) => ({
      at: formatOffset(time - start),
      point,
      text,
      note,
    })),
    decisive: again[0] ?? hit ?? served.find(({ entryId }) => entryId === cause) ?? null,
  };
}

/** The party of `together` that made a call, such as `, second`. */
function nameCaller({ requestId }: JournalEntry, { parties }: ObservedWorld): string {
  const party = parties?.get(requestId);
  return party === undefined ? '' : `, ${party}`;
}

/** The fault whose rule or policy matched. */
function nameInjectedFault(rule: string | null, trial: Trial): string | null {
  if (!rule?.startsWith(RULE_PREFIX)) return null;
  return trial[Number(rule.slice(RULE_PREFIX.length).trimStart().split(' ', 1)[0]) - 1]?.fault.name ?? null;
}

/** One event for each attempt, because a webhook that was refused comes again. */
function listWebhookEvents(
  { deliveries, webhooks }: ObservedWorld,
  noteOf: (policy: string | null) => string | null,
): TimedEvent[] {
  const events = deliveries.flatMap((delivery, i) => {
    const note = noteOf(delivery.policy);
    // One that lets the next go first arrives after it.
    const next = deliveries.slice(i + 1).find(({ url }) => url === delivery.url);
    const { entryId } = (note === 'swapped' ? next : undefined) ?? delivery;
    const point = webhooks[i]?.name ?? '';
    const attempts = delivery.attempts.length === 0 ? [delivery] : delivery.attempts;
    return attempts.map((attempt) => {
      const text = formatWebhook(delivery, attempt);
      return { entryId, time: Date.parse(attempt.at), at: null, point, text, note };
    });
  });
  return events.toSorted((a, b) => Number(a.note === 'swapped') - Number(b.note === 'swapped'));
}

/** A webhook stands after its cause, and before the calls that were made when it had arrived. */
function insertWebhook(events: TimedEvent[], webhook: TimedEvent): void {
  const { entryId: cause, time } = webhook;
  const later = events.findIndex((event) =>
    cause === null || event.entryId === null
      ? event.time > time
      : event.time > time || (event.entryId > cause && event.time === time),
  );
  events.splice(later < 0 ? events.length : later, 0, webhook);
}

function formatOffset(ms: number): string | null {
  return ms === 0 ? null : `+${formatDuration(ms)}`;
}

/** The charges that had been made before: the later ones of each Reference, or else all but the first. */
function findRepeatedCharges({ balance, entries }: ObservedWorld, verdict: Verdict): JournalEntry[] {
  if (verdict !== 'charged twice' && verdict !== 'left open') return [];
  const wrong = new Set(balance.findings.flatMap(({ charges }) => charges.map(({ entryId }) => entryId)));
  const made = entries.filter((entry) => wrong.has(entry.entryId) || isCharged(entry));
  const again = made.filter(
    ({ reference }, i) =>
      reference !== null && made.slice(0, i).some((first) => first.reference === reference),
  );
  if (again.length > 0 || verdict === 'left open') return again;
  const [first = -1, ...others] = made.flatMap(({ entryId }, i) => (wrong.has(entryId) ? [i] : []));
  // Under another Reference, only one of the two is wrong: the first, or the one that repeated it.
  const marked = others.length > 0 ? others : [made[first + 1] === undefined ? first : first + 1];
  return made.filter((_, i) => i > 0 && marked.includes(i));
}

/** Whether an answer has a charge that did not fail. */
function isCharged({ operation, status, responseBody }: JournalEntry): boolean {
  if (operation !== 'charge.create' || status < 200 || status > 299) return false;
  return isObject(responseBody) && !/^(?:FAILED|PENDING)$/i.test(String(findField(responseBody, 'Status')));
}

/** In the dialects, and in lists of charges, fields have a capital or not. */
function findField(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return record[name] ?? record[name.toLowerCase()];
}

function isAuthorisation({ requestBody }: JournalEntry): boolean {
  return isObject(requestBody) && findField(requestBody, 'Capture') === false;
}

/** Returns, for example, `POST /charge/token → 201 SUCCESS 20`, or for a search `GET /charge?Reference=order-1 → 1 found: SUCCESS 20`. */
function formatCall({ method, path, query, status, responseBody }: JournalEntry): string {
  const asked = query === '' ? '' : `?${query.replace(/^\?/, '')}`;
  const cut = asked.length > QUERY_LENGTH_MAX ? `${asked.slice(0, QUERY_LENGTH_MAX)}…` : asked;
  return `${method} ${path}${cut} → ${formatAnswer(method, status, responseBody)}`;
}

function formatAnswer(method: string, status: number, body: unknown): string {
  if (status === 0) return 'no answer';
  // A record can have lists, too.
  const isSearch = method === 'GET' && isObject(body) && findField(body, 'Status') === undefined;
  const list = isSearch ? Object.values(body).find((value) => Array.isArray(value)) : undefined;
  if (status !== 200 || list === undefined) return [status, ...formatRecord(body)].join(' ');
  const shown = list.slice(0, RECORDS_MAX).map((record) => formatRecord(record).join(' '));
  const more = list.length > RECORDS_MAX ? ['…'] : [];
  const records = [...shown.filter((record) => record !== ''), ...more];
  return `${list.length} found${records.length === 0 ? '' : `: ${records.join(', ')}`}`;
}

function formatWebhook(
  { body, status, note }: Delivery,
  attempt: { readonly responseStatus: number | null; readonly note: string | null },
): string {
  const result =
    attempt.responseStatus === null ? (attempt.note ?? note ?? status) : `answered ${attempt.responseStatus}`;
  return [...formatRecord(body['data']), `→ ${result}`].join(' ');
}

/** The status and the amount of a record, in either spelling. */
function formatRecord(value: unknown): readonly string[] {
  const record = isObject(value) ? value : {};
  return [findField(record, 'Status'), findField(record, 'Amount')]
    .filter((part) => part !== undefined && part !== null)
    .map(String);
}
