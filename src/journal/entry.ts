import { maskKeys, maskPasswords } from '../core/text/secrets.js';
import { cutText, type MaskedBody, NO_BODY } from './body.js';
import { maskHeaders } from './headers.js';
import { maskBody } from './mask.js';
import type { Exchanged } from './model.js';
import { maskPath, maskQuery } from './names.js';
import { maskSent, type SentBody } from './sent.js';

/** An exchange as the journal stores it: as it was sent. Only {@link entryOf} reads it. */
export interface Recorded extends Omit<Exchanged, 'headers' | 'responseBody' | 'responseText'> {
  readonly id: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** The JSON of the answer; null if there was none. */
  readonly response: string | null;
  readonly isResponseCut: boolean;
  /** Its estimated memory. */
  readonly bytes: number;
}

/** An exchange as everybody sees it, without the keys, card numbers and Ccvs that were sent. */
export interface Entry extends Omit<Recorded, 'request' | 'response' | 'isResponseCut'> {
  /** The body of the request as JSON; null if there was none. */
  readonly request: string | null;
  /** What a replay sends in place of the masked fields of the request, in order. Never a caller's own card. */
  readonly standIns: readonly string[];
  /** The body of the answer; null if there was none. */
  readonly answer: unknown;
  /** Whether a body was truncated. */
  readonly truncated: boolean;
  /** Whether the body of the request was truncated, so that it cannot be sent again. */
  readonly requestTruncated: boolean;
  /** Whether the answer, before it is masked, contains one of some lower-case texts, in any letter case. Fast. */
  readonly mayAnswer: (texts: readonly string[]) => boolean;
}

/**
 * Masks an exchange for its readers: the only way out of a journal. Masks each part when it is read, because nearly every
 * exchange is evicted unread.
 */
export function entryOf(recorded: Recorded): Entry {
  const { request, response, path, query, headers, reference, isResponseCut, ...open } = recorded;
  const requestTruncated = isBeginning(request) && request.truncated;
  let masked: MaskedBody | undefined;
  const body = (): MaskedBody => (masked ??= maskedRequest(request));
  return {
    ...open,
    requestTruncated,
    truncated: requestTruncated || isResponseCut,
    get path() {
      return shownPath(path);
    },
    get query() {
      return shownQuery(query);
    },
    get headers() {
      return maskHeaders(headers);
    },
    get reference() {
      return reference === null ? null : maskReference(reference);
    },
    get request() {
      return body().text;
    },
    get standIns() {
      return body().standIns;
    },
    get answer() {
      return response === null ? null : maskBody(JSON.parse(maskPasswords(response)));
    },
    mayAnswer(texts) {
      const small = response?.toLowerCase();
      return small !== undefined && texts.some((text) => small.includes(text));
    },
  };
}

/** Whether only the beginning of a body is stored, which is masked already. */
function isBeginning(request: SentBody | null): request is MaskedBody {
  return typeof request === 'object' && request !== null;
}

function maskedRequest(request: SentBody | null): MaskedBody {
  if (isBeginning(request)) return request;
  return request === null ? NO_BODY : maskSent(request);
}

/** How many characters of a path and of a query are kept. */
const TARGET_MAX = 8 * 1024;
/** The maximum length of a reference in the service. */
const REFERENCE_MAX = 1_024;

/** A path, a query and a reference as the journal stores them. Long ones are masked before they are cut. */
export function storedTarget({
  path,
  query,
  reference,
}: Pick<Exchanged, 'path' | 'query' | 'reference'>): Pick<Recorded, 'path' | 'query' | 'reference'> {
  return {
    path: path.length > TARGET_MAX ? shownPath(path) : path,
    query: query.length > TARGET_MAX ? shownQuery(query) : query,
    reference: reference === null ? null : cutText(reference, REFERENCE_MAX),
  };
}

function shownPath(path: string): string {
  return cutText(maskPath(path), TARGET_MAX);
}

function shownQuery(query: string): string {
  return cutText(maskQuery(query), TARGET_MAX);
}

export function maskReference(reference: string): string {
  return maskPasswords(maskKeys(reference));
}
