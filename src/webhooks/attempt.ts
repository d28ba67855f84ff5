import { ANSWER_LOGGED_MAX, type Posted } from '../core/post.js';
import { maskPasswords, maskSecrets } from '../core/text/secrets.js';
import { isObject } from '../core/text/text.js';
import { type Attempt, type Delivery, RETRY_AFTER_MS } from './delivery.js';

/** The maximum number of characters that are logged of the headers of a request or a response: our own limit. */
const HEADERS_LOGGED_MAX = 1_000;
const NOTE_MAX = 300;
const ACCEPTED = 'nothing, which counts as 200, or an object with status (100 to 999), failed or withheld';

/** The result of an attempt that has ended. */
export interface EndedAttempt {
  /** When it began, by the world's clock. */
  readonly began: number;
  readonly durationMs: number;
  readonly sent: Readonly<Record<string, string>>;
  readonly posted: Posted;
}

/** Whether a receiver accepted a webhook; a null status means no response. */
export function isDelivered(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299;
}

/** The delivery after an attempt that ended `now`. */
export function applyAttempt(delivery: Delivery, ended: EndedAttempt, now: number): Delivery {
  const { began, posted } = ended;
  if ('withheld' in posted) {
    const note = shortenNote(posted.withheld);
    return { ...delivery, status: 'withheld', due: null, responseStatus: null, note };
  }
  const attempts = delivery.attempts + 1;
  const attempt = recordAttempt(ended, posted, delivery.tried.at(-1));
  const { responseStatus, note } = attempt;
  const tried = [...delivery.tried, attempt];
  const changed = { ...delivery, attempts, tried, attempted: began, responseStatus, note };
  if (isDelivered(responseStatus)) return { ...changed, status: 'delivered', due: null };
  const retryAfter = RETRY_AFTER_MS[attempts - 1];
  if (retryAfter === undefined) return { ...changed, status: 'failed', due: null };
  // The attempt may have taken longer than the time to the next one.
  return { ...changed, status: 'pending', due: Math.max(began + retryAfter, now) };
}

/** The record of an attempt. Headers that equal those of the attempt before are stored once. */
function recordAttempt(
  { began, durationMs, sent }: EndedAttempt,
  posted: Exclude<Posted, { readonly withheld: string }>,
  before: Attempt | undefined,
): Attempt {
  const masked = sent['authorization'] === undefined ? sent : { ...sent, authorization: '***' };
  const lines = formatHeaderLines(masked);
  const { status = null, headers, body } = 'failed' in posted ? {} : posted;
  return {
    at: began,
    responseStatus: status,
    note: describeResult(posted),
    durationMs,
    sent: lines === before?.sent ? before.sent : lines,
    received: headers === undefined ? null : formatHeaderLines(headers),
    answer: body === undefined ? null : maskSecrets(body).slice(0, ANSWER_LOGGED_MAX),
  };
}

function formatHeaderLines(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return maskSecrets(lines.join('\n')).slice(0, HEADERS_LOGGED_MAX);
}

function describeResult(posted: Exclude<Posted, { readonly withheld: string }>): string | null {
  if ('failed' in posted) return shortenNote(posted.failed);
  const { status, note } = posted;
  if (!isDelivered(status)) return `responded with ${status}; only 2xx counts as delivered`;
  return note === undefined ? null : shortenNote(note);
}

function shortenNote(note: string): string {
  // The delivery function may be the user's own, and its error may contain the URL.
  const masked = maskPasswords(note);
  return masked.length <= NOTE_MAX ? masked : `${masked.slice(0, NOTE_MAX - 1)}…`;
}

/** Reads what a function for deliveries returned, which may be a program's own. Throws if it is nothing of that kind. */
export function readPosted(returned: unknown): Posted {
  if (returned === undefined || returned === null) return { status: 200 };
  if (!isObject(returned)) return refuseReturned(typeof returned);
  const { status, failed, withheld, cause, headers, body, note } = returned;
  if (typeof withheld === 'string') return { withheld };
  if (typeof failed === 'string')
    return cause === 'name' || cause === 'time' ? { failed, cause } : { failed };
  if (!Number.isInteger(status) || Number(status) < 100 || Number(status) > 999)
    return refuseReturned('an object without them');
  return {
    status: Number(status),
    ...(isObject(headers) ? { headers: readHeaderTexts(headers) } : {}),
    ...(typeof body === 'string' ? { body } : {}),
    ...(typeof note === 'string' ? { note } : {}),
  };
}

/** The headers of a `Response`, or an object of them. */
function readHeaderTexts(headers: object): Record<string, string> {
  const pairs: [string, unknown][] = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]));
}

function refuseReturned(type: string): never {
  throw new Error(`deliver returned ${type}; it must return ${ACCEPTED}`);
}

/** Describes a thrown value for the log; a program may throw anything. */
export function describeThrown(thrown: unknown): string {
  const text: unknown = thrown instanceof Error ? thrown.message : thrown;
  return typeof text === 'string' ? text : `deliver threw a value of type ${typeof text}`;
}
