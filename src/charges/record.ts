import type { Dialect } from '../core/dialect.js';
import type { Table } from '../core/store.js';
import type { Metadata, Source } from '../payment-methods/record.js';

/** The statuses, as the specification and client libraries write them. */
export const CHARGE_STATUSES = [
  'PENDING',
  'FAILED',
  'SUCCESS',
  'PARTIAL_REFUND',
  'REFUND',
  'Authorised',
  'AUTHORISE_CANCELLED',
] as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/** What can happen to a charge; `refundPart` leaves something to refund, `refund` does not. */
export type ChargeEvent = 'capture' | 'void' | 'expire' | 'refundPart' | 'refund' | 'settle' | 'fail';

/** The charge machine: what is not in this table is refused. */
export const TRANSITIONS: Readonly<
  Record<ChargeStatus, Readonly<Partial<Record<ChargeEvent, ChargeStatus>>>>
> = {
  PENDING: { settle: 'SUCCESS', fail: 'FAILED' },
  Authorised: { capture: 'SUCCESS', void: 'AUTHORISE_CANCELLED', expire: 'AUTHORISE_CANCELLED' },
  SUCCESS: { refundPart: 'PARTIAL_REFUND', refund: 'REFUND' },
  PARTIAL_REFUND: { refundPart: 'PARTIAL_REFUND', refund: 'REFUND' },
  REFUND: {},
  FAILED: {},
  AUTHORISE_CANCELLED: {},
};

/** The status after an event, or undefined where the machine forbids it. */
export function nextStatus(status: ChargeStatus, event: ChargeEvent): ChargeStatus | undefined {
  return TRANSITIONS[status][event];
}

/** The statuses in which an event is allowed, in the table's order. */
export function statusesAllowing(event: ChargeEvent): ChargeStatus[] {
  const statuses = Object.keys(TRANSITIONS) as ChargeStatus[];
  return statuses.filter((status) => TRANSITIONS[status][event] !== undefined);
}

export interface Refund {
  readonly amountMinor: number;
  readonly dateAdded: number;
  readonly comment: string | null;
}

/** An attempt that a provider declined. */
export interface FailedAttempt {
  readonly providerId: string;
  readonly dateAttempted: number;
  readonly message: string;
  readonly gatewayCode: string | null;
  readonly gatewayMessage: string | null;
}

/** Where to tell of what becomes of a record. */
export interface Webhook {
  readonly url: string;
  /** Sent as it is in the header of that name. */
  readonly authorization: string | null;
  /** How the message is spelt: as the request was that named the webhook. */
  readonly dialect: Dialect;
}

/** Members that few charges have. */
export interface ChargeMore {
  readonly refunds: readonly Refund[];
  readonly failedAttempts: readonly FailedAttempt[];
  readonly initiator: 'CUSTOMER' | 'MERCHANT' | null;
  readonly descriptor: string | null;
  /** The identifier of the token that was charged. */
  readonly token: string | null;
  readonly voidDate: number | null;
  readonly metadata: Metadata | null;
  readonly webhook: Webhook | null;
  /** The identifier of the subscription that it is a charge of. */
  readonly subscription: string | null;
}

export const NOTHING_MORE: ChargeMore = {
  refunds: [],
  failedAttempts: [],
  initiator: null,
  descriptor: null,
  token: null,
  voidDate: null,
  metadata: null,
  webhook: null,
  subscription: null,
};

export interface Charge {
  readonly id: string;
  readonly index: number;
  readonly providerId: string;
  /** What was charged; after a capture, what was captured. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: ChargeStatus;
  readonly reference: string | null;
  /** What was authorised first; null when the charge was captured at once. */
  readonly authorisedMinor: number | null;
  readonly refundedMinor: number;
  readonly source: Source;
  /** What the provider said of the Ccv; null when it saw none. */
  readonly ccvCheck: boolean | null;
  /** The identifiers of the records behind it. */
  readonly customer: string | null;
  readonly paymentMethod: string | null;
  readonly batch: string | null;
  readonly dateAdded: number;
  readonly successDate: number | null;
  /** One optional object, because most charges need none of it. */
  readonly more: ChargeMore;
}

/** By what charges are found beside their identifiers. */
export const CHARGE_KEYS = {
  reference: ({ reference }: Charge) => reference,
  customer: ({ customer }: Charge) => customer,
  paymentMethod: ({ paymentMethod }: Charge) => paymentMethod,
};

export type ChargeTable = Table<Charge, keyof typeof CHARGE_KEYS>;

/** How many working days a bank takes to settle a charge: our assumption. */
export const SETTLEMENT_DAYS = 2;

/** The job that settles a charge which waits for a bank. */
export const CHARGE_SETTLE = 'charge.settle';

/** How long an authorisation waits for its capture unless told otherwise: 7 days, our assumption. */
export const DEFAULT_AUTHORISATION_TTL = 7 * 86_400_000;

/** The job that voids an authorisation which nobody captured. */
export const AUTHORISATION_EXPIRE = 'authorisation.expire';
