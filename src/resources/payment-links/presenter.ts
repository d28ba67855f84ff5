import { formatInstant } from '../../core/time/time.js';
import { presentAmount } from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import type { Charge } from '../../records/charge.js';
import type { PaymentLink } from '../../records/payment-link.js';
import type { PaymentLinkResponse, PaymentResponse } from './schema.js';

/** A link for its owner. Its page is at the origin of the call. */
export function presentPaymentLink(world: World, link: PaymentLink, origin: string): PaymentLinkResponse {
  const id = link.id;
  const { amountMinor, currency } = link;
  return {
    Url: `${origin}/_sandbox/pay/${world.keyHash}/${id}`,
    PaymentLinkId: id,
    DateAdded: formatInstant(link.dateAdded),
    AccountId: world.chance.identifiers('account').at(0),
    // A page's key is derived from the secret key. Neither is in a response.
    PublicKey: null,
    Title: link.title,
    Amount: amountMinor === null ? null : presentAmount(amountMinor, currency),
    Currency: currency,
    AllowedPaymentTypes: [...link.allowedPaymentTypes],
    Description: link.description,
    Image: link.image,
    ConfirmationMessage: link.confirmationMessage,
    RedirectUrl: link.redirectUrl,
    CallToAction: link.callToAction,
    LimitPayments: link.limitPayments,
    CountPayments: link.countPayments,
    InvoiceId: link.invoiceId,
    Metadata: link.metadata,
  };
}

/** A payment for the payer, without the card and the provider. */
export function presentPayment(link: PaymentLink, charge: Charge): PaymentResponse {
  return {
    ChargeId: charge.id,
    Status: charge.status,
    Amount: presentAmount(charge.amountMinor, charge.currency),
    Currency: charge.currency,
    ConfirmationMessage: link.confirmationMessage,
    RedirectUrl: link.redirectUrl,
  };
}
