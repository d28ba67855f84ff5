import type { Charge } from '../charges/record.js';
import { presentAmount } from '../http/summaries.js';
import type { PaymentLink } from './record.js';

/** What a payer is told: nothing of the card, and nothing of who takes the money. */
export function presentPayment(link: PaymentLink, charge: Charge): object {
  return {
    ChargeId: charge.id,
    Status: charge.status,
    Amount: presentAmount(charge.amountMinor, charge.currency),
    Currency: charge.currency,
    ConfirmationMessage: link.confirmationMessage,
    RedirectUrl: link.redirectUrl,
  };
}
