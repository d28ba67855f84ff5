import { CODE, ERROR_ROWS } from '../core/errors.js';
import { findNearest } from '../core/text/nearest.js';

export interface Outcome {
  readonly name: string;
  /** The error code of the answer; `null` when the provider approves. */
  readonly code: number | null;
  /** The issuer's response code; `null` where no issuer was asked. */
  readonly gatewayCode: string | null;
  readonly gatewayMessage: string | null;
  readonly retryable: boolean;
  /** Whether another provider may approve the same charge: nothing was decided about the buyer, and nothing was committed. */
  readonly failsOver: boolean;
}

/** The `Retry-After` of `retry_later`, in seconds. */
export const RETRY_AFTER_SECONDS = 1;

/** The HTTP status of every decline, and of a provider that fails or is too slow. */
export const DECLINED_STATUS = 400;

/** How long a `gateway_timeout` takes, in milliseconds. */
export const GATEWAY_TIMEOUT_LATENCY_MS = 3000;

type OutcomeTableRow = readonly [
  name: string,
  code: number | null,
  gatewayCode: string | null,
  gatewayMessage: string,
  retryable: boolean,
  failsOver?: true,
];

// oxfmt-ignore
const SHORT_ROWS = [
  ['approve', null, '00', 'Approved', false],
  ['unmapped', CODE.UnknownError, 'E999', 'Unmapped gateway response', false],
  ['do_not_honor', CODE.DoNotHonor, '05', 'Do not honor', false],
  ['insufficient_funds', CODE.InsufficientFunds, '51', 'Insufficient funds', true],
  ['lost_card', CODE.LostCardPickUp, '41', 'Lost card, pick up', false],
  ['stolen_card', CODE.StolenCardPickUp, '43', 'Stolen card, pick up', false],
  ['expired_card', CODE.ExpiredCard, '54', 'Expired card', false],
  ['incorrect_ccv', CODE.InvalidCcv, 'N7', 'CVV2 mismatch', false],
  ['processing_error', CODE.SystemMalfunction, '96', 'System malfunction', true, true],
  ['limit_exceeded', CODE.ExceedsWithdrawalFrequencyLimit, '65', 'Exceeds withdrawal frequency limit', true],
  ['suspected_fraud', CODE.SuspectedFraud, '59', 'Suspected fraud', false],
  ['blocked_by_fraud_rules', CODE.BlockedByFraudRules, null, 'Blocked by fraud rules', false],
  ['card_blocked', CODE.CardBlocked, '62', 'Restricted card', false],
  ['issuer_unavailable', CODE.IssuerOrSwitchIsInoperative, '91', 'Issuer or switch is inoperative', true, true],
  ['require_3ds', CODE.Require3DSecure, null, 'Authentication required', false],
  ['failed_3ds', CODE.ThreeDSecureFailed, null, 'Authentication failed', false],
  ['retry_later', CODE.RetryLater, null, 'Retry later', true, true],
  ['provider_unavailable', CODE.ProviderServiceError, null, 'Provider service error', true, true],
  ['gateway_timeout', CODE.GatewayTimeout, null, 'Gateway timeout', true, true],
  ['tokenise_error', CODE.TokeniseCardError, null, 'Tokenise card error', false],
] as const satisfies readonly OutcomeTableRow[];

// A response code never selects these.
// oxfmt-ignore
const FOLLOW_UP_ROWS = [
  ['unable_to_capture', CODE.UnableToCapture, '12', 'Invalid transaction', false],
  ['unable_to_void', CODE.UnableToVoid, '12', 'Invalid transaction', false],
  ['unable_to_refund', CODE.UnableToRefund, '12', 'Invalid transaction', false],
] as const satisfies readonly OutcomeTableRow[];

/** The only operation that each of these outcomes can answer. */
export const FOLLOW_UP_OPERATIONS: ReadonlyMap<string, 'charge.capture' | 'charge.void' | 'charge.refund'> =
  new Map([
    ['unable_to_capture', 'charge.capture'],
    ['unable_to_void', 'charge.void'],
    ['unable_to_refund', 'charge.refund'],
  ]);

export function canAnswer(outcome: string, operation: string): boolean {
  return (FOLLOW_UP_OPERATIONS.get(outcome) ?? operation) === operation;
}

/** Without those that are named after a 9xx code. */
export const OUTCOME_NAMES = [...SHORT_ROWS, ...FOLLOW_UP_ROWS].map(([name]) => name);
export type ShortOutcomeName = (typeof OUTCOME_NAMES)[number];

/** A code from 901 to 996 is 900 plus the issuer's two-digit response code. */
const ISSUER_CODE_BASE = 900;

const shortCodes = new Set<number | null>(SHORT_ROWS.map((row) => row[1]));

const ISSUER_ROWS: readonly OutcomeTableRow[] = ERROR_ROWS.filter(
  (row) => row.code > ISSUER_CODE_BASE && !shortCodes.has(row.code),
).map((row) => [
  toSnakeCase(row.name),
  row.code,
  String(row.code - ISSUER_CODE_BASE).padStart(2, '0'),
  row.message,
  row.retryable,
]);

/** By name, in the order in which they are published. */
export const OUTCOMES: ReadonlyMap<string, Outcome> = new Map(
  [...SHORT_ROWS, ...FOLLOW_UP_ROWS, ...ISSUER_ROWS].map((row) => [row[0], toOutcome(row)]),
);

export const APPROVE: Outcome = requireOutcome('approve');

/** The payer decides later, on the page of a wallet. No trigger can ask for it. */
export const AWAIT_PAYER: Outcome = { ...APPROVE, name: 'await_payer' };

export function findOutcome(name: string): Outcome | undefined {
  return OUTCOMES.get(name);
}

/** An outcome that must exist. An unknown name is a bug and throws. */
export function requireOutcome(name: string): Outcome {
  const outcome = OUTCOMES.get(name);
  if (outcome === undefined)
    throw new Error(`Failed to find the outcome "${name}": the table has no such row.`);
  return outcome;
}

export function isApproved(outcome: Outcome): boolean {
  return outcome.code === null;
}

// If rows share a response code, a short name wins over a 9xx row, and the first short name over later ones: 51 is insufficient_funds.
const OUTCOME_BY_RESPONSE_CODE: ReadonlyMap<string, Outcome> = new Map(
  [...ISSUER_ROWS, ...SHORT_ROWS.toReversed()].flatMap(([name, , gatewayCode]) =>
    gatewayCode === null ? [] : [[gatewayCode, requireOutcome(name)] as const],
  ),
);

/** A two-digit code without a row approves. */
export function outcomeOfResponseCode(responseCode: string): Outcome {
  return OUTCOME_BY_RESPONSE_CODE.get(responseCode) ?? APPROVE;
}

const SHOWN_LENGTH_MAX = 40;

/** Quotes and shortens a caller's text for a message, and masks whatever looks like a card number. */
export function quoteMasked(text: string): string {
  const cut = text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
  return JSON.stringify(cut.replace(/\d(?:[ -]?\d){5,}/g, '******'));
}

const NEAREST_MAX = 3;
/** For a word that is not part of any name, such as `declined`. */
const USUAL_OUTCOMES = 'insufficient_funds, do_not_honor, gateway_timeout';

/** The outcomes that were probably meant: names that differ little, or else those with the same word in them. */
export function findNearestOutcomes(given: string): readonly string[] {
  const name = given.slice(0, SHOWN_LENGTH_MAX);
  const near = findNearest(name, OUTCOMES.keys(), NEAREST_MAX);
  if (near.length > 0) return near;
  const words = name
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 4);
  return [...OUTCOMES.keys()]
    .filter((known) => words.some((word) => known.includes(word)))
    .slice(0, NEAREST_MAX);
}

/** Ends a message about an unknown outcome: the name and the nearest known ones. */
export function describeUnknownOutcome(name: string): string {
  const near = findNearestOutcomes(name);
  if (near.length === 0)
    return `${quoteMasked(name)}; use ${USUAL_OUTCOMES} or another one of GET /_sandbox/triggers`;
  return `${quoteMasked(name)}; did you mean ${near.join(', ').replace(/, (?=[^,]*$)/, ' or ')}?`;
}

function toOutcome(row: OutcomeTableRow): Outcome {
  const [name, code, gatewayCode, gatewayMessage, retryable, failsOver = false] = row;
  return Object.freeze({ name, code, gatewayCode, gatewayMessage, retryable, failsOver });
}

function toSnakeCase(name: string): string {
  return name.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();
}
