import { Table } from '../core/store.js';
import type { Metadata } from '../payment-methods/record.js';

/** What the button of a link's page asks for. */
export type CallToAction = 'Pay' | 'Donate';

/** A page on which a payer pays: what it shows, and how often it may be used. */
export interface PaymentLink {
  readonly id: string;
  readonly index: number;
  readonly title: string;
  /** Null: the payer says how much. */
  readonly amountMinor: number | null;
  readonly currency: string;
  /** Empty: any. */
  readonly allowedPaymentTypes: readonly string[];
  readonly description: string | null;
  /** A data URI. */
  readonly image: string | null;
  readonly confirmationMessage: string | null;
  /** Where the payer goes afterwards. */
  readonly redirectUrl: string | null;
  readonly callToAction: CallToAction;
  /** How many payments the link takes at most; null: without end. */
  readonly limitPayments: number | null;
  /** How many it has taken. */
  readonly countPayments: number;
  readonly invoiceId: string | null;
  readonly metadata: Metadata | null;
  readonly dateAdded: number;
}

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
