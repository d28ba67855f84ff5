import { type MaskedBody, storedAnswer } from './body.js';
import type { CallRange } from './branch.js';
import { type Entry, entryOf, type Recorded, storedTarget } from './entry.js';
import type { SharedHeaders } from './headers.js';
import type { Exchanged } from './model.js';
import { readPair, type TextPages, type TextPair } from './texts.js';

/** The estimated memory of an entry without its texts. */
const ENTRY_BYTES = 1_000;
const NONE: readonly string[] = [];

/** A recorded exchange in the ring. Its two texts are stored separately. */
export interface Stored extends Omit<Recorded, 'request' | 'response'>, TextPair {
  /** The request, if only its beginning is stored. */
  readonly beginning: MaskedBody | null;
}

/** What a journal must continue with after its world was not in memory. */
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

export function read(stored: Stored, isUndone = false): Entry {
  return entryOf(recordedOf(stored), isUndone);
}

export function isLive({ isRecorded }: Pick<Recorded, 'isRecorded'>): boolean {
  return !isRecorded;
}

/** Copies what is stored, because the ring reuses its objects. */
export function recordedOf({ page, from, between, to, beginning, ...stored }: Stored): Recorded {
  const [text, response] = readPair({ page, from, between, to });
  return { ...stored, request: beginning ?? text, response };
}

function lengthOf(text: string | null | undefined): number {
  return text?.length ?? 0;
}

/** The next call of a journal as its ring stores it. Its headers and texts are stored with those of other calls. */
export function storedCall(
  exchanged: Exchanged,
  id: number,
  allHeaders: SharedHeaders,
  texts: TextPages,
): Stored {
  const { request, warning, queued = null } = exchanged;
  const target = storedTarget(exchanged);
  const headers = allHeaders.store(exchanged.headers);
  const response = storedAnswer(exchanged.responseBody, exchanged.responseText);
  const [text, beginning] = typeof request === 'string' ? [request, null] : [null, request];
  const { page, from, between, to } = texts.store(text, response.text);
  return {
    id,
    at: exchanged.at,
    realAt: exchanged.realAt,
    durationMs: exchanged.durationMs,
    method: exchanged.method,
    path: target.path,
    query: target.query,
    operation: exchanged.operation,
    requestId: exchanged.requestId,
    headers,
    page,
    from,
    between,
    to,
    beginning,
    status: exchanged.status,
    isResponseCut: response.truncated || exchanged.isAnswerCut === true,
    isRecorded: exchanged.isRecorded ?? false,
    trigger: exchanged.trigger,
    fault: exchanged.fault,
    rule: exchanged.rule,
    precedence: exchanged.precedence,
    reference: target.reference,
    created: exchanged.created ?? null,
    warning,
    caused: exchanged.caused ?? NONE,
    queued,
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
