import type { Dialect } from '../core/dialect/dialect.js';
import type { HeldTime } from '../records/held-time.js';
import type { SentBody } from './request-body.js';

/** A call of the service and its answer, as they were sent. */
export interface CompletedCall {
  /** By the world's clock, in milliseconds since 1970 UTC. */
  readonly at: number;
  /** By the wall clock, when the answer was ready. */
  readonly realAt: number;
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  readonly operation: string | null;
  readonly requestId: string;
  /** Null for a call of a document that does not say it. */
  readonly dialect?: Dialect | null;
  /** By which choice, such as `scenario` or `user-agent`. */
  readonly dialectBy?: string | null;
  readonly headers: Iterable<readonly [string, string]>;
  readonly request: SentBody | null;
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
  /** The identifier of the charge that the call created, even if its answer was lost. */
  readonly created?: string | null;
  readonly warning: string | null;
  /** The identifiers of the webhook deliveries that it caused. */
  readonly caused?: readonly string[];
  /** The header that asks again for the outcome or fault of this call, if it came from a queue or from a person: a replay has neither. */
  readonly queued?: QueuedHeader | null;
  /** How long it waited for somebody to decide it; null if no hold made it wait. */
  readonly held?: HeldTime | null;
  /** Whether it comes from a file, such as a bundle. Such calls are shown, but nothing counts or awaits them. */
  readonly isRecorded?: boolean;
  /** Whether its answer was cut before it came here. */
  readonly isAnswerCut?: boolean;
}

export type QueuedHeader = readonly [name: 'x-sandbox-outcome' | 'x-sandbox-fault', text: string];

export const JOURNAL_ENTRIES_MAX = 10_000;
export const WAITERS_MAX = 100;

/** The value of a body's JSON; null if there was none. */
export function parseBodyText(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}
