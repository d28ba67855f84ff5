import type { PaymentLink } from '../../payment-links/record.js';
import {
  type EndAfter,
  type Retry,
  type Subscription,
  SUBSCRIPTION_TRANSITIONS,
  type SubscriptionStatus,
} from '../../subscriptions/record.js';
import { type Transfer, TRANSFER_TRANSITIONS, type TransferStatus } from '../../transfers/record.js';
import {
  anyText,
  currency,
  instant,
  LONG,
  maybeInstant,
  maybeText,
  metadata,
  minor,
  providerId,
  type Unnumbered,
  webhookMembers,
} from './state-members.js';
import type { Reference } from './state-places.js';
import { list, orNull, record, text, whole, word } from './state-shape.js';

/** How subscriptions, payment links and transfers stand in a document. */

const COUNT_MAX = Number.MAX_SAFE_INTEGER;
const count = whole(0, COUNT_MAX);
const maybeCount = orNull(count);

export const subscription = (reference: Reference): Unnumbered<Subscription> =>
  record<Omit<Subscription, 'id' | 'index'>>({
    paymentMethod: reference('paymentMethods'),
    status: word(...(Object.keys(SUBSCRIPTION_TRANSITIONS) as SubscriptionStatus[])),
    amountMinor: minor,
    currency,
    interval: word('Day', 'Week', 'Month', 'Year'),
    frequency: whole(1, COUNT_MAX),
    endAfter: orNull(record<EndAfter>({ count: maybeCount, amountMinor: orNull(minor), date: maybeInstant })),
    retry: orNull(
      record<Retry>({
        maximum: maybeCount,
        interval: word('Hour', 'Day'),
        frequency: orNull(whole(1, COUNT_MAX)),
      }),
    ),
    webhook: orNull(record<NonNullable<Subscription['webhook']>>(webhookMembers)),
    metadata,
    dateAdded: instant,
    startDate: maybeInstant,
    anchor: instant,
    turn: count,
    retries: count,
    lastDue: maybeInstant,
    charged: count,
    chargedMinor: minor,
  });

export const paymentLink: Unnumbered<PaymentLink> = record<Omit<PaymentLink, 'id' | 'index'>>({
  title: anyText,
  amountMinor: orNull(minor),
  currency,
  allowedPaymentTypes: list(anyText),
  description: maybeText,
  // An image is longer than any other text.
  image: orNull(text(16 * LONG)),
  confirmationMessage: maybeText,
  redirectUrl: maybeText,
  callToAction: word('Pay', 'Donate'),
  limitPayments: maybeCount,
  countPayments: count,
  invoiceId: maybeText,
  metadata,
  dateAdded: instant,
});

export const transfer = (reference: Reference): Unnumbered<Transfer> =>
  record<Omit<Transfer, 'id' | 'index'>>({
    status: word(...(Object.keys(TRANSFER_TRANSITIONS) as TransferStatus[])),
    groupReference: anyText,
    reference: maybeText,
    providerId,
    charge: reference('charges'),
    account: anyText,
    message: maybeText,
    amountMinor: minor,
    totalMinor: minor,
    currency,
    dateAdded: instant,
  });
