import { didYouMean, suggest } from '../../core/text/nearest.js';
import { OUTCOMES } from '../../outcomes/outcomes.js';

type AnswerPart = 'nothing' | 'a part' | 'no JSON' | 'all';

/** Each fault as the client sees it, and the part of the answer that it receives. `src/http/faults.ts` performs them. */
export const FAULTS = {
  hang: { seen: 'no answer for an hour', leaves: 'nothing' },
  reset: { seen: 'the connection is reset (RST)', leaves: 'nothing' },
  empty: { seen: 'the connection is closed before the first byte (FIN)', leaves: 'nothing' },
  truncate: {
    seen: 'half of the body, although the headers announce all of it; then the connection is closed',
    leaves: 'a part',
  },
  malformed: { seen: 'status 200 with HTML instead of JSON', leaves: 'no JSON' },
  dribble: { seen: 'the answer, one byte at a time', leaves: 'all' },
} as const satisfies Readonly<Record<string, { readonly seen: string; readonly leaves: AnswerPart }>>;

export type PlainFault = keyof typeof FAULTS;

export const PLAIN_FAULTS = Object.keys(FAULTS) as readonly PlainFault[];

export type FaultSpec =
  | { readonly kind: PlainFault }
  | {
      readonly kind: 'status';
      readonly status: number;
      /** Sent unchanged; null: the sandbox's own error body. */
      readonly body: string | null;
      readonly retryAfterSeconds: number | null;
    };

/** How every place that takes a fault names the one with a status. */
export type StatusFault = `status=${number}`;
export const STATUS_FAULT = /^status=([2-5]\d\d)$/;

/** The accepted names of faults in headers, queues and rules. */
export const FAULT_NAMES = `${PLAIN_FAULTS.join(', ')} or status=503`;

export function parseFaultName(name: string): FaultSpec | undefined {
  if (isPlainFault(name)) return { kind: name };
  const status = STATUS_FAULT.exec(name)?.[1];
  return status === undefined
    ? undefined
    : { kind: 'status', status: Number(status), body: null, retryAfterSeconds: null };
}

export function faultName(fault: FaultSpec): PlainFault | StatusFault {
  return fault.kind === 'status' ? `status=${fault.status}` : fault.kind;
}

/** Ends a message about an unknown fault: the one that was probably meant, or what it is instead. */
export function hintFault(given: string): string {
  if (OUTCOMES.has(given)) return '. It is an outcome';
  const status = given === 'status' ? '503' : /(?<!\d)[2-5]\d\d(?!\d)/.exec(given)?.[0];
  return status === undefined ? didYouMean(given, PLAIN_FAULTS) : suggest(`status=${status}`);
}

/** Whether a fault or delay comes before the operation, so that nothing happens, or after its commit. */
export type EffectPhase = 'before' | 'after';

/** Faults that send a part or all of the operation's own answer, so by default they come after it. */
export const LATE_FAULTS: readonly string[] = PLAIN_FAULTS.filter((kind) =>
  ['a part', 'all'].includes(FAULTS[kind].leaves),
);

/** When a fault happens unless its rule says so. */
export function defaultPhase(fault: FaultSpec | undefined): EffectPhase {
  return fault !== undefined && LATE_FAULTS.includes(fault.kind) ? 'after' : 'before';
}

/** Statuses whose answers have no body (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** The part of the answer that the client receives with a fault of this kind, or without a fault (null). */
export function partLeftBy(kind: string | null): AnswerPart {
  return kind !== null && isPlainFault(kind) ? FAULTS[kind].leaves : 'all';
}

function isPlainFault(kind: string): kind is PlainFault {
  return Object.hasOwn(FAULTS, kind);
}
