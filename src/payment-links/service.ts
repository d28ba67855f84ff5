import { readAmount } from '../charges/service.js';
import { shownId } from '../core/card.js';
import { CODE, refuse } from '../core/errors.js';
import { type Found, type Listing, search } from '../core/search.js';
import { DEFAULT_CURRENCY } from '../providers/record.js';
import type { World } from '../world.js';
import { IMAGES_LENGTH_MAX, type PaymentLink } from './record.js';

/** A link as it is asked for: its amount in the digits that were sent. */
export interface PaymentLinkCommand extends Omit<
  PaymentLink,
  'id' | 'index' | 'amountMinor' | 'currency' | 'countPayments' | 'dateAdded'
> {
  readonly amount: string | null;
  readonly currency: string | null;
}

export function createPaymentLink(
  world: World,
  { amount, currency: asked, ...shown }: PaymentLinkCommand,
): PaymentLink {
  const currency = asked ?? DEFAULT_CURRENCY;
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

/** The link of an identifier; unknown: 404 with code 116. */
export function requirePaymentLink(world: World, id: string): PaymentLink {
  const found = world.paymentLinks.find(id);
  if (found) return found;
  return refuse(
    CODE.InvalidPaymentLinkId,
    `There is no payment link ${shownId(id)} in this world. Each x-secretkey has payment links of its own.`,
  );
}

function requireImageRoom(world: World, image: string | null): void {
  if (world.paymentLinks.imagesLength + (image?.length ?? 0) <= IMAGES_LENGTH_MAX) return;
  refuse(
    CODE.RetryLater,
    `The images of this world's payment links have ${IMAGES_LENGTH_MAX} characters at most. Leave Image out, or reset the world.`,
  );
}

export type PaymentLinkFilter = Listing<'Date' | 'Title'>;

export function searchPaymentLinks({ paymentLinks }: World, filter: PaymentLinkFilter): Found<PaymentLink> {
  return search(paymentLinks, filter, { conditions: {}, orders: { Title: (link) => link.title } });
}
