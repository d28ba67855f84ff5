import { type MaskedBody, toStoredAnswer } from './body.js';
import type { CallRange } from './branch.js';
import { type Entry, maskEntry, type StoredCall, toStoredTarget } from './entry.js';
import type { SharedHeaders } from './headers.js';
import type { CompletedCall } from './completed-call.js';
import { readTextPair, type TextPages, type TextPair } from './text-pages.js';

/** The estimated memory of an entry without its texts. */
const ENTRY_BYTES = 1_000;
const NONE: readonly string[] = [];

/** A recorded exchange in the ring. Its two texts are stored separately. */
export interface RingEntry extends Omit<StoredCall, 'request' | 'response'>, TextPair {
  /** The request, if only its beginning is stored. */
  readonly beginning: MaskedBody | null;
}

/** The numbers with which a journal continues when its world is loaded again. */
export interface JournalNumbers {
  /** How many calls it holds. */
  readonly size: number;
  /** The number of the next call. */
  readonly next: number;
  /** How many calls it held earlier, and the instant of the latest of them; null if none counts. */
  readonly evicted: number;
  readonly evictedThrough: number | null;
  /** Which calls restores have undone. */
  readonly undone: readonly CallRange[];
}

export function readRingEntry(stored: RingEntry, isUndone = false): Entry {
  const [text, response] = readTextPair(stored);
  return maskEntry(stored, { request: stored.beginning ?? text, response }, isUndone);
}

export function isLiveCall({ isRecorded }: Pick<StoredCall, 'isRecorded'>): boolean {
  return !isRecorded;
}

/** Copies what is stored, because the ring reuses its objects. */
export function readStoredCall({ page, from, between, to, beginning, ...stored }: RingEntry): StoredCall {
  const [text, response] = readTextPair({ page, from, between, to });
  return { ...stored, request: beginning ?? text, response };
}

function lengthOf(text: string | null | undefined): number {
  return text?.length ?? 0;
}

/** The next call of a journal as its ring stores it. Its headers and texts are stored with those of other calls. */
export function storedCall(
  call: CompletedCall,
  id: number,
  allHeaders: SharedHeaders,
  texts: TextPages,
): RingEntry {
  const { request, warning, queued = null } = call;
  const target = toStoredTarget(call);
  const headers = allHeaders.store(call.headers);
  const response = toStoredAnswer(call.responseBody, call.responseText);
  const [text, beginning] = typeof request === 'string' ? [request, null] : [null, request];
  const { page, from, between, to } = texts.store(text, response.text);
  return {
    id,
    at: call.at,
    realAt: call.realAt,
    durationMs: call.durationMs,
    method: call.method,
    path: target.path,
    query: target.query,
    operation: call.operation,
    requestId: call.requestId,
    dialect: call.dialect ?? null,
    dialectBy: call.dialectBy ?? null,
    headers,
    page,
    from,
    between,
    to,
    beginning,
    status: call.status,
    isResponseCut: response.truncated || call.isAnswerCut === true,
    isRecorded: call.isRecorded ?? false,
    trigger: call.trigger,
    fault: call.fault,
    rule: call.rule,
    precedence: call.precedence,
    reference: target.reference,
    created: call.created ?? null,
    warning,
    caused: call.caused ?? NONE,
    queued,
    held: call.held ?? null,
    bytes:
      ENTRY_BYTES +
      allHeaders.size +
      target.path.length +
      target.query.length +
      lengthOf(text ?? beginning?.text) +
      lengthOf(response.text) +
      lengthOf(warning),
  };
}
