import { list, orNull, text, word } from '../core/codec.js';
import {
  anyText,
  count,
  currency,
  instant,
  LONG,
  maybeCount,
  maybeMinor,
  maybeText,
  metadata,
  type RecordOf,
} from '../core/record-fields.js';
import { Table } from '../core/store.js';

export const linkFields = () => ({
  title: anyText,
  /** Null: the payer says how much. */
  amountMinor: maybeMinor,
  currency,
  /** Empty: any. */
  allowedPaymentTypes: list(anyText),
  description: maybeText,
  /** A data URI, which is longer than any other text. */
  image: orNull(text(16 * LONG)),
  confirmationMessage: maybeText,
  /** Where the payer goes afterwards. */
  redirectUrl: maybeText,
  /** What the button of the page asks for. */
  callToAction: word('Pay', 'Donate'),
  /** How many payments the link takes at most; null: without end. */
  limitPayments: maybeCount,
  /** How many it has taken. */
  countPayments: count,
  invoiceId: maybeText,
  metadata,
  dateAdded: instant,
});

/** A page on which a payer pays: what it shows, and how often it may be used. */
export interface PaymentLink extends RecordOf<typeof linkFields> {}

export type CallToAction = PaymentLink['callToAction'];

/** How many characters the images of all links of a world have at most, together: our own limit. */
export const IMAGES_LENGTH_MAX = 64 * 1024 * 1024;

export class PaymentLinkStore extends Table<PaymentLink> {
  #imagesLength = 0;

  /** How many characters the images of all links have. */
  get imagesLength(): number {
    return this.#imagesLength;
  }

  override add(link: PaymentLink): void {
    this.#imagesLength += link.image?.length ?? 0;
    super.add(link);
  }
}
