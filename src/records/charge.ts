import { DAY_MS } from '../core/time/time.js';
import type { Candidates, Table } from '../core/store/store.js';
import type { SourceLinks } from './payment-method.js';
import * as field from '../core/store/field.js';

/** As the specification and client libraries write them. */
export const CHARGE_STATUSES = [
  'PENDING',
  'FAILED',
  'SUCCESS',
  'PARTIAL_REFUND',
  'REFUND',
  'Authorised',
  'AUTHORISE_CANCELLED',
  'PENDING_CHECKOUT',
] as const;
/** Spellings of a status by client libraries that differ from ours, in lower case. */
export const OTHER_STATUS_WORDS = { authorise: 'Authorised' } as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/** The events that change the status of a charge. After `refundPart`, a part of it is still not refunded. */
export type ChargeEvent =
  | 'authorise'
  | 'capture'
  | 'void'
  | 'expire'
  | 'refundPart'
  | 'refund'
  | 'settle'
  | 'approve'
  | 'fail';

/** Everything else is refused. */
export const TRANSITIONS: Readonly<
  Record<ChargeStatus, Readonly<Partial<Record<ChargeEvent, ChargeStatus>>>>
> = {
  PENDING: { settle: 'SUCCESS', authorise: 'Authorised', fail: 'FAILED' },
  Authorised: { capture: 'SUCCESS', void: 'AUTHORISE_CANCELLED', expire: 'AUTHORISE_CANCELLED' },
  SUCCESS: { refundPart: 'PARTIAL_REFUND', refund: 'REFUND' },
  PARTIAL_REFUND: { refundPart: 'PARTIAL_REFUND', refund: 'REFUND' },
  REFUND: {},
  FAILED: {},
  AUTHORISE_CANCELLED: {},
  PENDING_CHECKOUT: {
    approve: 'SUCCESS',
    authorise: 'Authorised',
    fail: 'FAILED',
    void: 'AUTHORISE_CANCELLED',
  },
};

/** For people: the meaning of each status, and how a test gets a charge that has it. */
export const STATUS_TEXTS: Readonly<Record<ChargeStatus, readonly [meaning: string, way: string]>> = {
  PENDING: [
    'The payer must pass 3-D Secure, or the bank has not settled yet.',
    'the card 4000000000001133, or a bank account',
  ],
  FAILED: ['No money was taken: declined, or not completed.', 'a declined card, such as 4000000000009995'],
  SUCCESS: ['The money was taken.', 'an ordinary card, such as 4242424242424242'],
  PARTIAL_REFUND: ['Part of the money was returned.', 'DELETE /refund/{id} with an Amount'],
  REFUND: ['All of the money was returned.', 'DELETE /refund/{id}'],
  Authorised: ['The money is held, but not taken yet.', 'a charge with "Capture": false'],
  AUTHORISE_CANCELLED: [
    'No money was taken, and none is held any more.',
    'DELETE /charge/{id}/void, or an authorisation that expires',
  ],
  PENDING_CHECKOUT: ['The payer decides on the page of the wallet.', 'POST /charge/checkout'],
};

export function nextStatus(status: ChargeStatus, event: ChargeEvent): ChargeStatus | undefined {
  return TRANSITIONS[status][event];
}

/** Whether a bank, a challenge or a wallet's page still decides the charge, so that nothing is held or taken yet. */
export function isUndecided(status: ChargeStatus): boolean {
  return nextStatus(status, 'fail') !== undefined;
}

export function statusesAllowing(event: ChargeEvent): ChargeStatus[] {
  const statuses = Object.keys(TRANSITIONS) as ChargeStatus[];
  return statuses.filter((status) => TRANSITIONS[status][event] !== undefined);
}

const refundCodec = field.record({
  amountMinor: field.minor,
  dateAdded: field.instant,
  comment: field.maybeText,
});

export interface Refund extends field.ValueOf<typeof refundCodec> {}

const failedAttemptCodec = field.record({
  providerId: field.anyText,
  dateAttempted: field.instant,
  message: field.anyText,
  gatewayCode: field.maybeText,
  gatewayMessage: field.maybeText,
});

export interface FailedAttempt extends field.ValueOf<typeof failedAttemptCodec> {}

/** The maximum number of decisions that a charge keeps: the latest. */
export const DECISIONS_MAX = 10;

const decisionCodec = field.record({
  at: field.instant,
  operation: field.anyText,
  trigger: field.anyText,
});

/** The trigger that decided a provider's answer, such as `rule:primary down`. A plain approval has none. */
export interface Decision extends field.ValueOf<typeof decisionCodec> {}

const plannedTransferCodec = field.record({ account: field.anyText, amountMinor: field.minor });

/** A part of a charge for an account, which is transferred when the charge succeeds. */
export interface PlannedTransfer extends field.ValueOf<typeof plannedTransferCodec> {}

export const INITIATORS = ['CUSTOMER', 'MERCHANT'] as const;

const moreFields = (links: field.Links) => ({
  refunds: field.list<Refund>(refundCodec),
  failedAttempts: field.list<FailedAttempt>(failedAttemptCodec),
  decisions: field.list<Decision>(decisionCodec),
  initiator: field.orNull(field.word(...INITIATORS)),
  descriptor: field.maybeText,
  token: field.maybeText,
  voidDate: field.maybeInstant,
  metadata: field.metadata,
  webhook: field.maybeWebhook,
  subscription: field.orNull(links.to('subscriptions')),
  authentication: field.orNull(links.to('authentications')),
  checkout: field.orNull(links.to('checkouts')),
  /** Only while the charge waits for its payer. */
  transfer: field.orNull<PlannedTransfer>(plannedTransferCodec),
});

/** Fields that few charges need. */
export interface ChargeMore extends field.ValuesOf<ReturnType<typeof moreFields>> {}

export const NOTHING_MORE: ChargeMore = {
  refunds: [],
  failedAttempts: [],
  decisions: [],
  initiator: null,
  descriptor: null,
  token: null,
  voidDate: null,
  metadata: null,
  webhook: null,
  subscription: null,
  authentication: null,
  checkout: null,
  transfer: null,
};

/** Returns {@link NOTHING_MORE} if all fields are empty, so that most charges share one object. */
export function orNothingMore(more: ChargeMore): ChargeMore {
  for (const [name, nothing] of NOTHING_MORE_ENTRIES) if (more[name] !== nothing) return more;
  return NOTHING_MORE;
}

const NOTHING_MORE_ENTRIES = Object.entries(NOTHING_MORE) as [keyof ChargeMore, unknown][];

export const chargeFields = (links: SourceLinks) => ({
  providerId: field.shared(field.anyProviderId),
  /** The charged amount; after a capture, the captured amount. */
  amountMinor: field.minor,
  currency: field.shared(field.currency),
  status: field.tableKey(TRANSITIONS),
  reference: field.maybeText,
  /** The authorised amount; null if the charge was captured at once. */
  authorisedMinor: field.maybeMinor,
  refundedMinor: field.minor,
  source: links.source,
  /** The provider's check of the Ccv; null if there was none. */
  ccvCheck: field.orNull(field.flag),
  customer: field.orNull(links.to('customers')),
  paymentMethod: field.orNull(links.to('paymentMethods')),
  batch: field.orNull(links.to('batches')),
  dateAdded: field.instant,
  successDate: field.maybeInstant,
  /** One object, because most charges need none of it. */
  more: field.orElse<ChargeMore>(NOTHING_MORE, field.record(moreFields(links))),
});

export interface Charge extends field.RecordOf<typeof chargeFields> {}

/** Refunds and transfers are both taken from the captured amount. */
export function remainingAmounts(
  { amountMinor, refundedMinor }: Pick<Charge, 'amountMinor' | 'refundedMinor'>,
  transfers: Candidates<Pick<Charge, 'amountMinor'>>,
): { readonly transferredMinor: number; readonly leftMinor: number } {
  let transferredMinor = 0;
  for (let i = 0; i < transfers.length; i++) transferredMinor += transfers.at(i)?.amountMinor ?? 0;
  return { transferredMinor, leftMinor: amountMinor - refundedMinor - transferredMinor };
}

/** The fields that are null by default. */
export const UNSET_IN_CHARGE: { readonly [K in keyof Charge as null extends Charge[K] ? K : never]: null } = {
  reference: null,
  authorisedMinor: null,
  ccvCheck: null,
  customer: null,
  paymentMethod: null,
  batch: null,
  successDate: null,
};

export const CHARGE_KEYS = {
  reference: ({ reference }: Charge) => reference,
  customer: ({ customer }: Charge) => customer,
  paymentMethod: ({ paymentMethod }: Charge) => paymentMethod,
};

export type ChargeTable = Table<Charge, keyof typeof CHARGE_KEYS>;

/** Working days that a bank takes to settle a charge: our assumption. */
export const SETTLEMENT_DAYS = 2;

export const CHARGE_SETTLE = 'charge.settle';

/** How long an authorisation can be captured, by default: 7 days, our assumption. */
export const DEFAULT_AUTHORISATION_TTL = 7 * DAY_MS;

export const AUTHORISATION_EXPIRE = 'authorisation.expire';
