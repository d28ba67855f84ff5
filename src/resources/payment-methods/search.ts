import type { PaymentType } from '../../core/cards/payment-type.js';
import { type SearchFilter, type SearchResult, searchTable } from '../../core/store/search.js';
import { isSameProvider } from '../../outcomes/built-in.js';
import type { World } from '../../world/world.js';
import { findCard, isCard, type PaymentMethod, type Source } from '../../records/payment-method.js';

type SourceAtProvider = Pick<PaymentMethod, 'source' | 'providerId'>;

/** The conditions that charges and payment methods share. */
export const SOURCE_CONDITIONS = {
  providerId: (wanted: string) => (stored: SourceAtProvider) => isSameProvider(stored.providerId, wanted),
  paymentType: (wanted: PaymentType) => (stored: SourceAtProvider) => stored.source.type === wanted,
  cardType: (wanted: string) => {
    const scheme = wanted.toUpperCase();
    return ({ source }: SourceAtProvider) => findCard(source)?.scheme === scheme;
  },
};

const methodConditions = (world: World) => ({
  ...SOURCE_CONDITIONS,
  customerId: (wanted: string) => (method: PaymentMethod) => method.customer === wanted,
  /** A part of the cardholder or payer, of the masked number, or of its customer's name, e-mail address or reference, in any case. */
  search: (wanted: string) => {
    const part = wanted.toLowerCase();
    return (method: PaymentMethod) =>
      searchableTexts(world, method).some((text) => text?.toLowerCase().includes(part));
  },
});

export type MethodFilter = SearchFilter<ReturnType<typeof methodConditions>>;

/** Finds payment methods that were not removed. */
export function searchMethods(world: World, filter: MethodFilter): SearchResult<PaymentMethod> {
  const { paymentMethods } = world;
  return searchTable(paymentMethods, filter, {
    conditions: methodConditions(world),
    indexes: { customerId: (wanted) => paymentMethods.by('customer', wanted) },
  });
}

function searchableTexts(world: World, { source, customer }: PaymentMethod): (string | null)[] {
  const owner = customer === null ? undefined : world.customers.find(customer);
  const own = sourceTexts(source);
  if (owner === undefined) return own;
  const { firstName, lastName, email, reference } = owner;
  return [...own, `${firstName ?? ''} ${lastName ?? ''}`.trim(), email, reference];
}

function sourceTexts(source: Source): (string | null)[] {
  if (isCard(source)) return [source.cardholder, source.masked];
  switch (source.type) {
    case 'BANK_ACCOUNT':
      return [source.accountName, source.masked];
    case 'PAYTO':
      return [source.payerName, source.payId];
    default:
      return [];
  }
}
