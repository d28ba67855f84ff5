import { DIALECTS } from '../core/dialect/dialect.js';
import type { Table } from '../core/store/store.js';
import * as field from '../core/store/field.js';
import type { SourceLinks } from './payment-method.js';

/** PENDING: the payer has not decided. CANCELLED: the shop voided its charge before the payer decided. */
export const CHECKOUT_STATUSES = ['PENDING', 'APPROVED', 'DECLINED', 'CANCELLED', 'EXPIRED'] as const;
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number];

/** How a check-out ends without a call of the shop: by the payer, or by its time. */
export type CheckoutEnding = Extract<CheckoutStatus, 'APPROVED' | 'DECLINED' | 'EXPIRED'>;

export const checkoutFields = (links: SourceLinks) => ({
  providerId: field.shared(field.anyProviderId),
  source: links.source,
  /** The wallet's own identifier. */
  externalId: field.hexId,
  amountMinor: field.minor,
  currency: field.shared(field.currency),
  status: field.word(...CHECKOUT_STATUSES),
  /** Where the payer's browser goes after the decision. */
  redirectUrl: field.maybeText,
  charge: field.orNull(links.to('charges')),
  /** The method that was stored from it. */
  paymentMethod: field.orNull(links.to('paymentMethods')),
  /** The dialect of the request whose charge waits for the payer. */
  dialect: field.word(...DIALECTS),
  dateAdded: field.instant,
  expires: field.instant,
  dateEnded: field.maybeInstant,
});

/** A payment that the payer approves on the page of a wallet, such as PayPal. */
export interface Checkout extends field.RecordOf<typeof checkoutFields> {}

export const CHECKOUT_KEYS = { externalId: ({ externalId }: Checkout) => externalId };

export type CheckoutTable = Table<Checkout, keyof typeof CHECKOUT_KEYS>;

/** How long a payer has to decide, by default: 30 minutes, our assumption. */
export const DEFAULT_CHECKOUT_TTL = 30 * 60_000;

/** The trigger of a decision to wait for the payer. */
export const AWAIT_TRIGGER = 'checkout:pending';

export const CHECKOUT_EXPIRE = 'checkout.expire';
