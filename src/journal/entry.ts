import { maskCredentials, maskPasswords } from '../core/text/secrets.js';
import type { HeldTime } from '../records/held-time.js';
import { cutText, type MaskedBody, NO_BODY } from './body.js';
import { type CallMoney, findMoney } from './call-money.js';
import { maskHeaders } from './headers.js';
import { maskBody } from './mask.js';
import type { CompletedCall, QueuedHeader } from './completed-call.js';
import { maskPath, maskQuery } from './mask-names.js';
import { maskSentText, type SentBody } from './request-body.js';

/** An exchange as the journal stores it: as it was sent. Only {@link maskEntry} reads it. */
export interface StoredCall extends Omit<
  CompletedCall,
  'headers' | 'responseBody' | 'responseText' | 'isAnswerCut'
> {
  readonly id: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** The JSON of the answer; null if there was none. */
  readonly response: string | null;
  readonly isResponseCut: boolean;
  readonly isRecorded: boolean;
  readonly queued: QueuedHeader | null;
  readonly held: HeldTime | null;
  readonly bytes: number;
}

/** The parts of an exchange that may contain secrets. */
type SentParts = Pick<StoredCall, 'path' | 'query' | 'headers' | 'reference' | 'request' | 'response'>;

/** An exchange as everybody sees it: no keys, card numbers or Ccvs. Masked when read, since nearly all are evicted unread. */
export type Entry = MaskedCall &
  Omit<StoredCall, keyof SentParts | 'isResponseCut'> & {
    /** Whether a restore has undone it, so that it is in nothing's history any more. */
    readonly isUndone: boolean;
  };

/** Where a journal has the texts of a call, which says nothing to others. */
const PLACE_FIELDS: ReadonlySet<string> = new Set([
  'page',
  'from',
  'between',
  'to',
  'beginning',
  'isResponseCut',
]);

/** The only way out of a journal. A loop copies what is open, because a rest of a destructured object takes thirty times as long. */
export function maskEntry(
  stored: Omit<StoredCall, 'request' | 'response'>,
  { request, response }: Pick<StoredCall, 'request' | 'response'>,
  isUndone: boolean,
): Entry {
  const { path, query, headers, reference, isResponseCut } = stored;
  const entry = new MaskedCall({ path, query, headers, reference, request, response }, isResponseCut);
  const shown = entry as MaskedCall & Record<string, unknown>;
  for (const name in stored)
    if (!(name in entry) && !PLACE_FIELDS.has(name)) shown[name] = stored[name as keyof typeof stored];
  shown['isUndone'] = isUndone;
  return shown as unknown as Entry;
}

export class MaskedCall {
  readonly truncated: boolean;
  /** Whether the body of the request was truncated, so that it cannot be sent again. */
  readonly requestTruncated: boolean;
  readonly #sent: SentParts;
  #request: MaskedBody | undefined;

  constructor(sent: SentParts, isResponseCut: boolean) {
    const { request } = sent;
    this.requestTruncated = isMaskedBody(request) && request.truncated;
    this.truncated = this.requestTruncated || isResponseCut;
    this.#sent = sent;
  }

  get path(): string {
    return maskAndCutPath(this.#sent.path);
  }

  get query(): string {
    return maskAndCutQuery(this.#sent.query);
  }

  /** Alternating names and values. */
  get headers(): readonly string[] {
    return maskHeaders(this.#sent.headers);
  }

  get reference(): string | null {
    const { reference } = this.#sent;
    return reference === null ? null : maskReference(reference);
  }

  /** The body of the request as JSON; null if there was none. */
  get request(): string | null {
    return this.#maskedRequest.text;
  }

  /** The values that a replay sends in place of the masked fields of the request, in order. Never a caller's own card. */
  get standIns(): readonly string[] {
    return this.#maskedRequest.standIns;
  }

  /** The body of the answer; null if there was none. */
  get answer(): unknown {
    const { response } = this.#sent;
    return response === null ? null : maskBody(JSON.parse(maskPasswords(response)));
  }

  get money(): CallMoney {
    const { request, query, response } = this.#sent;
    return findMoney(typeof request === 'string' ? request : null, query, response);
  }

  /** Whether the answer, before it is masked, contains one of some lower-case texts, in any letter case. Fast. */
  mayContain(texts: readonly string[]): boolean {
    const small = this.#sent.response?.toLowerCase();
    return small !== undefined && texts.some((text) => small.includes(text));
  }

  get #maskedRequest(): MaskedBody {
    return (this.#request ??= maskRequest(this.#sent.request));
  }
}

/** Whether only the beginning of a body is stored, which is masked already. */
function isMaskedBody(request: SentBody | null): request is MaskedBody {
  return typeof request === 'object' && request !== null;
}

function maskRequest(request: SentBody | null): MaskedBody {
  if (isMaskedBody(request)) return request;
  return request === null ? NO_BODY : maskSentText(request);
}

/** How many characters of a path and of a query the journal stores. */
const TARGET_MAX = 8 * 1024;
/** The maximum length of a reference in the service. */
const REFERENCE_MAX = 1_024;

/** A path, a query and a reference as the journal stores them. Long ones are masked before they are cut. */
export function toStoredTarget({
  path,
  query,
  reference,
}: Pick<CompletedCall, 'path' | 'query' | 'reference'>): Pick<StoredCall, 'path' | 'query' | 'reference'> {
  return {
    path: path.length > TARGET_MAX ? maskAndCutPath(path) : path,
    query: query.length > TARGET_MAX ? maskAndCutQuery(query) : query,
    reference: reference === null ? null : cutText(reference, REFERENCE_MAX),
  };
}

function maskAndCutPath(path: string): string {
  return cutText(maskPath(path), TARGET_MAX);
}

function maskAndCutQuery(query: string): string {
  return cutText(maskQuery(query), TARGET_MAX);
}

export function maskReference(reference: string): string {
  return maskCredentials(reference);
}

/**
 * How a call ended: `done`; `declined`, as a provider, a scenario or a fault decided; `refused`, because the caller made a mistake
 * or a limit was reached; or `unanswered`.
 */
export const RESULTS = ['done', 'declined', 'refused', 'unanswered'] as const;
export type CallResult = (typeof RESULTS)[number];

export function classifyResult({
  status,
  precedence,
  fault,
}: Pick<Entry, 'status' | 'precedence' | 'fault'>): CallResult {
  if (status === 0) return 'unanswered';
  if (status < 400) return 'done';
  return precedence === null && fault === null ? 'refused' : 'declined';
}
