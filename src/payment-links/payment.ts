import { chargeCard } from '../charges/instruments.js';
import type { ChargeDetails, ChargeResult } from '../charges/service.js';
import { cardScheme } from '../core/card-scheme.js';
import { CODE, refuse } from '../core/errors.js';
import { currencyExponent, formatAmount } from '../core/money.js';
import type { CardData } from '../payment-methods/record.js';
import { cheapestProvider } from '../providers/costs.js';
import type { Override } from '../outcomes/header.js';
import { approved } from '../outcomes/outcomes.js';
import type { World } from '../world.js';
import type { PaymentLink } from './record.js';
import { requirePaymentLink } from './service.js';

/** What keeps a payer from paying a link by card; null: nothing. */
export function obstacleOf(link: PaymentLink): string | null {
  const { limitPayments, countPayments, allowedPaymentTypes: types } = link;
  if (limitPayments !== null && countPayments >= limitPayments)
    return 'It has been paid as often as it may be.';
  const takesCards = types.length === 0 || types.some((type) => type.toUpperCase() === 'CARD');
  return takesCards ? null : `It takes no cards, but ${types.join(', ')}.`;
}

/** What a payer sends: the amount is theirs where the link has none. */
export interface PayerInput {
  readonly amount: string | null;
  readonly card: CardData;
}

/** The charge that a payment is. */
export interface PaymentCommand {
  readonly providerId: string;
  readonly card: CardData;
  readonly amount: string;
  readonly details: ChargeDetails;
}

/** The charge that pays a link, through the provider that takes least for it. A link that cannot be paid: 409 with code 116. */
export function paymentOf(world: World, id: string, { amount: given, card }: PayerInput): PaymentCommand {
  const link = requirePayable(world, id);
  const amount = amountOf(link, given);
  const query = { scheme: cardScheme(card.pan), amount, capture: true };
  return { providerId: cheapestProvider(world, query), card, amount, details: detailsOf(link, id) };
}

/** Pays a link: charges the card, and counts the payment where that is approved. */
export function payLink(
  world: World,
  id: string,
  command: PaymentCommand,
  override: Override | null,
): { readonly link: PaymentLink; readonly result: ChargeResult } {
  const link = requirePayable(world, id);
  const result = chargeCard(world, command, override);
  if (!approved(result.answer.outcome)) return { link, result };
  const paid = { ...link, countPayments: link.countPayments + 1 };
  world.paymentLinks.replace(paid);
  return { link: paid, result };
}

function requirePayable(world: World, id: string): PaymentLink {
  const link = requirePaymentLink(world, id);
  const obstacle = obstacleOf(link);
  if (obstacle === null) return link;
  return refuse(CODE.InvalidPaymentLinkId, `The link cannot be paid. ${obstacle}`, { httpStatus: 409 });
}

function amountOf({ amountMinor, currency }: PaymentLink, given: string | null): string {
  if (amountMinor !== null) return formatAmount(amountMinor, currencyExponent(currency) ?? 0);
  if (given !== null) return given;
  return refuse(CODE.ValidationError, 'Amount is required: the link leaves it to its payer.', {
    details: { Amount: 'is required, for example 15.50' },
  });
}

/** The charge is found by the invoice of the link, or else by the link itself. */
function detailsOf({ currency, invoiceId, metadata }: PaymentLink, id: string): ChargeDetails {
  return {
    currency,
    reference: invoiceId ?? id,
    capture: true,
    initiator: 'CUSTOMER',
    descriptor: null,
    metadata,
    webhook: null,
    subscription: null,
  };
}
