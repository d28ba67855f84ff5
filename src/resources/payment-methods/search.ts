import { type Filter, type Found, search } from '../../core/store/search.js';
import { sameProvider } from '../../outcomes/built-in.js';
import type { World } from '../../world/world.js';
import { cardIn, type PaymentMethod, type Source } from '../../records/payment-method.js';

type Paid = Pick<PaymentMethod, 'source' | 'providerId'>;

/** The conditions that charges and payment methods share. */
export const SOURCE_CONDITIONS = {
  providerId: (asked: string) => (one: Paid) => sameProvider(one.providerId, asked),
  paymentType: (asked: string) => {
    const type = asked.toUpperCase();
    return ({ source }: Paid) => source.type === type;
  },
  cardType: (asked: string) => {
    const scheme = asked.toUpperCase();
    return ({ source }: Paid) => cardIn(source)?.scheme === scheme;
  },
};

const conditionsOf = (world: World) => ({
  ...SOURCE_CONDITIONS,
  customerId: (asked: string) => (method: PaymentMethod) => method.customer === asked,
  /** A part of the cardholder or payer, of the masked number, or of its customer's name, e-mail address or reference, in any case. */
  search: (asked: string) => {
    const part = asked.toLowerCase();
    return (method: PaymentMethod) =>
      textsOf(world, method).some((text) => text?.toLowerCase().includes(part));
  },
});

export type MethodFilter = Filter<ReturnType<typeof conditionsOf>>;

/** Finds payment methods that were not removed. */
export function searchMethods(world: World, filter: MethodFilter): Found<PaymentMethod> {
  const { paymentMethods } = world;
  return search(paymentMethods, filter, {
    conditions: conditionsOf(world),
    indexes: { customerId: (asked) => paymentMethods.by('customer', asked) },
  });
}

function textsOf(world: World, { source, customer }: PaymentMethod): (string | null)[] {
  const owner = customer === null ? undefined : world.customers.find(customer);
  const own = sourceTexts(source);
  if (owner === undefined) return own;
  const { firstName, lastName, email, reference } = owner;
  return [...own, `${firstName ?? ''} ${lastName ?? ''}`.trim(), email, reference];
}

function sourceTexts(source: Source): (string | null)[] {
  switch (source.type) {
    case 'CARD':
      return [source.cardholder, source.masked];
    case 'BANK_ACCOUNT':
      return [source.accountName, source.masked];
    case 'PAYTO':
      return [source.payerName, source.payId];
  }
}
