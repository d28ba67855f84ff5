import type { JournalEntry } from '../../client/answers.js';
import type { FaultName } from '../choose-faults.js';
import { RULE_PREFIX, type TOGETHER } from '../points.js';
import type { Injection, Trial } from '../trial.js';
import type { Verdict } from '../verdicts.js';
import { KEY_HEADER } from './race-steps.js';
import { SERVER_URL } from './repeat.js';

/** A fault in the words of people. */
interface FaultWords {
  /** Ends a sentence such as "A customer can be charged twice if …". */
  readonly cause: string;
  /** The remedy, if it does not depend on the verdict. */
  readonly advice?: string;
  /** The remedy if the program has an order wrong, and no call was made twice. */
  readonly adviceOnOrders?: string;
  /** The step that repeats a run by hand, besides running the program; `hit` is the place of the call with the fault, from 1. */
  readonly repeat?: (hit: number) => string;
}

const SAVE_FIRST =
  'Save the order and its Reference before the call. After a start, search for the Reference of each open order.';
const ONLY_FORWARD =
  'A status may only move forward: ignore a webhook that is older than what you know, or read the charge.';
const READ_AGAIN =
  'An order can change while you wait for an answer, as by a webhook: read it again before you change it.';
const endProgram = (): string =>
  'When the program waits for an answer, end it with SIGKILL, and start it again.';

/** By the names of faults, and by the kind of a point whose faults have no names of their own. */
const WORDS: Readonly<Record<FaultName | typeof TOGETHER, FaultWords>> = {
  lost: { cause: 'an answer is lost' },
  late: { cause: 'an answer comes too late' },
  broken: { cause: 'a call is performed but answered with an error' },
  'gateway timeout': { cause: 'the gateway reports a time-out' },
  elsewhere: { cause: 'a proxy answers instead of the service' },
  declined: { cause: 'a payment is declined' },
  expired: { cause: 'a token or an authorisation has expired' },
  first: {
    cause: 'a webhook arrives before the answer',
    advice:
      'A webhook can arrive before the answer to its call: save the order before the call, and process both in any order.',
  },
  twice: {
    cause: 'a webhook arrives twice',
    advice: 'Process each messageId once: webhooks can arrive more than once.',
  },
  'lost webhook': {
    cause: 'a webhook never arrives',
    advice: 'A webhook can be lost for good: let a job search for the References of open orders.',
  },
  'late webhook': { cause: 'a webhook arrives late', advice: ONLY_FORWARD },
  swapped: { cause: 'webhooks arrive in the wrong order', advice: ONLY_FORWARD },
  'late decline': { cause: 'the webhook of a declined payment arrives late', advice: ONLY_FORWARD },
  meanwhile: {
    cause: 'a webhook arrives during a call',
    advice: READ_AGAIN,
  },
  forged: {
    cause: 'somebody sends a forged webhook',
    advice: 'Check the signature of each webhook before you read it.',
  },
  'provider down': {
    cause: 'another provider takes a payment',
    advice:
      'The service can pass a charge on to another provider: know it by its ChargeId and Reference, not by its ProviderId.',
  },
  refused: { cause: 'a call does not reach the service' },
  garbled: { cause: 'an answer cannot be read' },
  cut: { cause: 'an answer is cut off' },
  unavailable: { cause: 'the service is unavailable' },
  limited: { cause: 'the service limits the rate of calls' },
  'declined for good': { cause: 'a payment is declined for good' },
  down: { cause: 'the service goes down' },
  hang: { cause: 'a call is never answered' },
  'in flight': {
    cause: 'a call is performed after the client gave up',
    advice:
      'A search that finds nothing proves nothing while the call is under way. Search again later before you charge.',
    repeat: (hit) =>
      `When the program has searched, let call ${hit}, which had no answer, arrive: curl -X POST ${SERVER_URL}/_sandbox/journal/${hit}/repeat ${KEY_HEADER}`,
  },
  'crash before': { cause: 'the program crashes before a call', advice: SAVE_FIRST, repeat: endProgram },
  'crash after': {
    cause: 'the program crashes before an answer arrives',
    advice: SAVE_FIRST,
    repeat: endProgram,
  },
  together: {
    cause: 'two things happen at the same time',
    advice:
      'Claim the order before the call, in one step that only one of them can win, such as a unique row or UPDATE … WHERE status = ?. Undo the claim only if nothing was charged.',
    adviceOnOrders: READ_AGAIN,
    repeat: () => 'Start them at the same time, and answer their calls in the order above.',
  },
};

function findWords({ point, fault }: Injection): FaultWords {
  // A fault of somebody's own may have any name, such as constructor.
  const known = [fault.name, point.kind].find((name) => Object.hasOwn(WORDS, name));
  if (known === undefined) return { cause: `the fault "${fault.name}" happens` };
  return WORDS[known as keyof typeof WORDS];
}

const WRONG_ORDERS: readonly Verdict[] = [
  'paid, not delivered',
  'delivered, not paid',
  'refunded too little',
];

/** Each finding for somebody who reads no code. */
const RISKS: Readonly<Partial<Record<Verdict, string>>> = {
  'charged twice': 'A customer can be charged twice',
  'paid, not delivered': 'A customer can pay and receive nothing',
  'delivered, not paid': 'An order can be delivered without being paid',
  'refunded too much': 'A customer can be refunded too much',
  'refunded too little': 'A customer can be promised a refund that never comes',
  'left open': "A customer's money can stay blocked",
  'created twice': 'A customer, a card or a subscription can be stored twice',
  'paid, but the test failed': 'Money can be taken in a test that fails',
  stuck: 'The program can wait for ever',
};

/** A refund that the program does not know of has the verdict of an order that was not paid. */
const UNKNOWN_REFUND = {
  risk: 'A refund can be made that the program does not know of',
  advice:
    'A refund can be made although its answer does not say so. Read the charge and its RefundedAmount, and let a job check later.',
};

/** A sentence for somebody who decides, such as "A customer can be charged twice if an answer is lost." */
export function describeRisk(verdict: Verdict, trial: Trial, isRefundUnknown = false): string {
  const causes = trial.map((injection) => findWords(injection).cause);
  const risk = isRefundUnknown ? UNKNOWN_REFUND.risk : (RISKS[verdict] ?? 'Money can be lost');
  return `${risk} if ${causes.join(', and then ')}.`;
}

/** The advice for the cause, which is that of the last fault; undefined if it depends on the verdict alone. */
export function findCauseAdvice(verdict: Verdict, trial: Trial, isRefundUnknown = false): string | undefined {
  const [words] = trial.slice(-1).map(findWords);
  const overwritten = WRONG_ORDERS.includes(verdict) ? words?.adviceOnOrders : undefined;
  return overwritten ?? words?.advice ?? (isRefundUnknown ? UNKNOWN_REFUND.advice : undefined);
}

/** The step that repeats the run by hand, besides running the program; null if there is none. */
export function describeRepeat(trial: Trial, entries: readonly JournalEntry[]): string | null {
  // Not its EntryId, since the sweep made other calls before.
  const hit = entries.findIndex(({ rule }) => rule === `${RULE_PREFIX} 1`) + 1;
  return trial.flatMap((injection) => findWords(injection).repeat?.(hit) ?? [])[0] ?? null;
}

/** The sentence below the first line of a report: the worst that can happen, or what was proved. The worst finding comes first. */
export function summariseFindings(
  findings: readonly { readonly risk: string; readonly isAccepted: boolean }[],
  { safe, runs }: { readonly safe: boolean; readonly runs: number },
): string {
  const worst = findings.find(({ isAccepted }) => !isAccepted);
  if (worst !== undefined) return `${worst.risk} Fix this first.`;
  if (!safe) return 'Nothing wrong was found, but not everything was proved: see the lists below.';
  if (findings.length > 0) return 'Nothing was found that is not accepted.';
  return runs === 0 ? 'No fault was tried.' : 'No failure that was tried costs money.';
}
