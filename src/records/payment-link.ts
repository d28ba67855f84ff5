import { Table } from '../core/store/store.js';
import * as field from '../core/store/field.js';

export const linkFields = () => ({
  title: field.anyText,
  /** Null if the payer chooses the amount. */
  amountMinor: field.maybeMinor,
  currency: field.currency,
  /** If empty, every type is allowed. */
  allowedPaymentTypes: field.list(field.anyText),
  description: field.maybeText,
  /** A data URI, which is longer than any other text. */
  image: field.orNull(field.text(16 * field.LONG)),
  confirmationMessage: field.maybeText,
  /** Where the payer goes afterwards. */
  redirectUrl: field.maybeText,
  callToAction: field.word('Pay', 'Donate'),
  /** The maximum number of payments; null: no limit. */
  limitPayments: field.maybeCount,
  countPayments: field.count,
  invoiceId: field.maybeText,
  metadata: field.metadata,
  dateAdded: field.instant,
});

/** A page on which a payer pays. */
export interface PaymentLink extends field.RecordOf<typeof linkFields> {}

export type CallToAction = PaymentLink['callToAction'];

/** The maximum of characters in all images of a world together: our own limit. */
export const IMAGES_LENGTH_MAX = 64 * 1024 * 1024;

export class PaymentLinkStore extends Table<PaymentLink> {
  #imagesLength = 0;

  get imagesLength(): number {
    return this.#imagesLength;
  }

  override add(link: PaymentLink): void {
    this.#imagesLength += link.image?.length ?? 0;
    super.add(link);
  }
}
