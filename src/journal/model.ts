import type { KeptBody } from './body.js';

/** A call of the service and its answer, before they are masked. */
export interface Exchanged {
  /** By the world's clock, in milliseconds since 1970 UTC. */
  readonly at: number;
  /** By the wall clock, when the answer was ready. */
  readonly realAt: number;
  readonly durationMs: number;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  readonly operation: string | null;
  readonly requestId: string;
  readonly headers: Iterable<readonly [string, string]>;
  /** The request's body, which is masked while it is read. */
  readonly request: KeptBody;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly responseBody: unknown;
  /** The JSON of `responseBody` as it was sent, if available. */
  readonly responseText: string | null;
  readonly trigger: string | null;
  readonly fault: string | null;
  readonly rule: string | null;
  /** The step of the documented precedence that decided the outcome. */
  readonly precedence: string | null;
  readonly reference: string | null;
  /** The header x-sandbox-warning of the answer. */
  readonly warning: string | null;
  /** The header that asks for the queued outcome or fault of this call again, because a replay has no queue. */
  readonly queued?: QueuedHeader | null;
}

export type QueuedHeader = readonly [name: 'x-sandbox-outcome' | 'x-sandbox-fault', text: string];

/** An exchange as the journal stores it, with the keys, card numbers and Ccvs of its request masked. */
export interface Entry extends Omit<Exchanged, 'headers' | 'request' | 'responseBody' | 'responseText'> {
  readonly id: number;
  /** The body of the request as masked JSON, which `bodyOf` reads. */
  readonly request: string | null;
  /** The body of the answer as it was sent, which `answerOf` reads and masks. */
  readonly response: string | null;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** Whether a body was truncated. */
  readonly truncated: boolean;
  /** Whether the body of the request was truncated, so that it cannot be sent again. */
  readonly requestTruncated: boolean;
  /** What a replay sends in place of the masked fields of the request, in order. Never a caller's own card. */
  readonly stand: readonly string[];
  /** Its estimated memory. */
  readonly bytes: number;
}

/** The fields by which entries are found; for a delivery, those of its last attempt. */
export type Searchable = Pick<
  Entry,
  'id' | 'at' | 'operation' | 'method' | 'path' | 'status' | 'trigger' | 'reference' | 'request'
>;

/** The maximum number of entries in the journal of a world. */
export const JOURNAL_ENTRIES_MAX = 1_000;
/** The maximum number of requests that wait for entries of a journal. */
export const WAITERS_MAX = 100;

/** The value of a kept body; null if there was none. */
export function bodyOf(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}
