import { type CardCharge, chargeCard } from '../charges/instruments.js';
import { type ChargeDetails, type ChargeResult, PLAIN_DETAILS, readAmount } from '../charges/service.js';
import { CODE, refuse, refuseField, refuseFull, refuseUnknownId } from '../../core/errors.js';
import { formatAmount } from '../../core/money.js';
import { type SearchResult, type PagedQuery, searchTable } from '../../core/store/search.js';
import type { Override } from '../../outcomes/header.js';
import { isApproved } from '../../outcomes/outcomes.js';
import type { CardData } from '../../records/payment-method.js';
import { DEFAULT_CURRENCY } from '../../records/provider.js';
import { chooseProvider } from '../providers/routing.js';
import type { World } from '../../world/world.js';
import { IMAGES_LENGTH_MAX, type PaymentLink } from '../../records/payment-link.js';

/** A requested link. Its amount is in the digits that were sent. */
export interface PaymentLinkCommand extends Omit<
  PaymentLink,
  'id' | 'index' | 'amountMinor' | 'currency' | 'countPayments' | 'dateAdded'
> {
  readonly amount: string | null;
  readonly currency: string | null;
}

export function createPaymentLink(
  world: World,
  { amount, currency: givenCurrency, ...shown }: PaymentLinkCommand,
): PaymentLink {
  const currency = givenCurrency ?? DEFAULT_CURRENCY;
  const amountMinor = amount === null ? null : readAmount(amount, currency);
  world.requireRoom(world.paymentLinks, 'payment links');
  requireImageRoom(world, shown.image);
  const link: PaymentLink = {
    ...shown,
    id: world.paymentLinks.nextId,
    index: world.paymentLinks.next,
    amountMinor,
    currency,
    countPayments: 0,
    dateAdded: world.now,
  };
  world.paymentLinks.add(link);
  return link;
}

/** Returns a payment link. Unknown: 404 with code 116. */
export function requirePaymentLink(world: World, id: string): PaymentLink {
  return (
    world.paymentLinks.find(id) ??
    refuseUnknownId(CODE.InvalidPaymentLinkId, id, 'payment link', 'PaymentLinkId')
  );
}

function requireImageRoom(world: World, image: string | null): void {
  if (world.paymentLinks.imagesLength + (image?.length ?? 0) <= IMAGES_LENGTH_MAX) return;
  const detail = `The images of a world’s payment links can have at most ${IMAGES_LENGTH_MAX} characters in total. Leave Image out, or reset the world.`;
  refuseFull(detail);
}

export type PaymentLinkFilter = PagedQuery<'Date' | 'Title'>;

export function searchPaymentLinks(
  { paymentLinks }: World,
  filter: PaymentLinkFilter,
): SearchResult<PaymentLink> {
  return searchTable(paymentLinks, filter, { conditions: {}, orders: { Title: (link) => link.title } });
}

/** Why a link cannot be paid by card; null if it can. */
export function whyUnpayable(link: PaymentLink): string | null {
  const { limitPayments, countPayments, allowedPaymentTypes: types } = link;
  if (limitPayments !== null && countPayments >= limitPayments) return 'It has reached its LimitPayments.';
  const takesCards = types.length === 0 || types.some((type) => type.toUpperCase() === 'CARD');
  return takesCards ? null : `It does not accept cards, only ${types.join(', ')}.`;
}

/** A payer's input. The amount is for links without one. */
export interface PayerInput {
  readonly amount: string | null;
  readonly card: CardData;
}

/** The charge that pays a link, through the provider that routing chooses. A link that cannot be paid: 409 with code 116. */
export function buildLinkCharge(world: World, id: string, { amount: given, card }: PayerInput): CardCharge {
  const link = requirePayable(world, id);
  const amount = amountToPay(link, given);
  const { providerId, routedBy } = chooseProvider(world, { card, amount, capture: true });
  return { providerId, card, amount, details: { ...paymentDetails(link, id), routedBy } };
}

/** Pays a link: charges the card, and counts the payment if it is approved. */
export function payLink(
  world: World,
  id: string,
  command: CardCharge,
  override: Override | null,
): { readonly link: PaymentLink; readonly result: ChargeResult } {
  const link = requirePayable(world, id);
  const result = chargeCard(world, command, override);
  if (!isApproved(result.answer.outcome)) return { link, result };
  const paid = { ...link, countPayments: link.countPayments + 1 };
  world.paymentLinks.replace(paid);
  return { link: paid, result };
}

function requirePayable(world: World, id: string): PaymentLink {
  const link = requirePaymentLink(world, id);
  const obstacle = whyUnpayable(link);
  if (obstacle === null) return link;
  return refuse(CODE.InvalidPaymentLinkId, `The link cannot be paid. ${obstacle}`, { httpStatus: 409 });
}

function amountToPay({ amountMinor, currency }: PaymentLink, given: string | null): string {
  if (amountMinor !== null) return formatAmount(amountMinor, currency);
  if (given !== null) return given;
  const detail = 'Amount is required, because the link has none.';
  return refuseField(CODE.ValidationError, 'Amount', 'is required, for example 15.50', detail);
}

/** The charge's reference is the invoice of the link, or the link's identifier. */
function paymentDetails({ currency, invoiceId, metadata }: PaymentLink, id: string): ChargeDetails {
  return { ...PLAIN_DETAILS, currency, reference: invoiceId ?? id, initiator: 'CUSTOMER', metadata };
}
