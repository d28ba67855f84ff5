import type { KeptBody } from './body.js';

/** What the edge hands over of one exchange: a call of the service and its answer, as they were. */
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
  /** 0 when no answer was given. */
  readonly status: number;
  readonly responseBody: unknown;
  /** The JSON of `responseBody` as it was sent, where that is at hand. */
  readonly responseText: string | null;
  readonly trigger: string | null;
  readonly fault: string | null;
  readonly rule: string | null;
  /** Which step of the published precedence decided the outcome. */
  readonly precedence: string | null;
  readonly reference: string | null;
  /** What the answer's header x-sandbox-warning said. */
  readonly warning: string | null;
}

/** An exchange as the journal keeps it: keys, card numbers and Ccvs that its caller sent are masked. */
export interface Entry extends Omit<Exchanged, 'headers' | 'request' | 'responseBody' | 'responseText'> {
  readonly id: number;
  /** The body of the request as masked JSON, which `bodyOf` reads. */
  readonly request: string | null;
  /** That of the answer as it was sent, which `answerOf` reads and masks. */
  readonly response: string | null;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Whether a body was cut. */
  readonly truncated: boolean;
  /** Whether it was that of the request, which then cannot be sent again. */
  readonly requestTruncated: boolean;
  /** What a replay sends for the masked fields of the request, in their order; never a caller's own card. */
  readonly stand: readonly string[];
  /** An estimate of the memory that it takes. */
  readonly bytes: number;
}

/** The fields by which entries are found; for a delivery, those of its last attempt. */
export type Searchable = Pick<
  Entry,
  'id' | 'at' | 'operation' | 'method' | 'path' | 'status' | 'trigger' | 'reference' | 'request'
>;

/** Entries that a world's journal holds at most. */
export const JOURNAL_ENTRIES_MAX = 1_000;
/** Requests that may wait at one journal. */
export const WAITERS_MAX = 100;

/** A kept body as its value; null where there was none. */
export function bodyOf(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}
