import { toUnits } from '../../core/money.js';
import { type SearchFilter, type SearchResult, searchTable } from '../../core/store/search.js';
import { findCard, isCard, type Source } from '../../records/payment-method.js';
import type { World } from '../../world/world.js';
import type { Charge, ChargeStatus } from '../../records/charge.js';
import { SOURCE_CONDITIONS } from '../payment-methods/search.js';

type ChargedAmount = Pick<Charge, 'amountMinor' | 'currency'>;

/** The conditions that charges and subscriptions share. Amounts are in units of 0.0001, to compare those of several currencies. */
export const AMOUNT_CONDITIONS = {
  currency: (wanted: string) => (charged: ChargedAmount) => charged.currency === wanted,
  amountGreaterThan: (wanted: number) => (charged: ChargedAmount) => toAmountUnits(charged) > wanted,
  amountLessThan: (wanted: number) => (charged: ChargedAmount) => toAmountUnits(charged) < wanted,
};

const CONDITIONS = {
  ...SOURCE_CONDITIONS,
  ...AMOUNT_CONDITIONS,
  reference: (wanted: string) => (charge: Charge) => charge.reference === wanted,
  customerId: (wanted: string) => (charge: Charge) => charge.customer === wanted,
  paymentMethodId: (wanted: string) => (charge: Charge) => charge.paymentMethod === wanted,
  status: (wanted: ChargeStatus) => (charge: Charge) => charge.status === wanted,
  /** Leading digits; a star matches any digit. */
  cardNumber: (wanted: string) => (charge: Charge) => fitsCard(charge.source, wanted),
  cardholder: (wanted: string) => {
    const name = wanted.toLowerCase();
    return (charge: Charge) => findCard(charge.source)?.cardholder?.toLowerCase() === name;
  },
  batchId: (wanted: string) => (charge: Charge) => charge.batch === wanted,
  subscriptionId: (wanted: string) => (charge: Charge) => charge.more.subscription === wanted,
};

export type ChargeFilter = SearchFilter<typeof CONDITIONS, 'Date' | 'Amount'>;

export function searchCharges({ charges }: World, filter: ChargeFilter): SearchResult<Charge> {
  return searchTable(charges, filter, {
    conditions: CONDITIONS,
    indexes: {
      reference: (wanted) => charges.by('reference', wanted),
      customerId: (wanted) => charges.by('customer', wanted),
      paymentMethodId: (wanted) => charges.by('paymentMethod', wanted),
    },
    orders: { Amount: toAmountUnits },
  });
}

function toAmountUnits({ amountMinor, currency }: ChargedAmount): number {
  return toUnits(amountMinor, currency);
}

/** Compares the known digits of a card: the first six and the last four. */
function fitsCard(source: Source, wanted: string): boolean {
  if (!isCard(source)) return false;
  const { masked, iin } = source;
  if (wanted.length > masked.length) return false;
  const known = iin + masked.slice(iin.length);
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] !== '*' && known[i] !== '*' && wanted[i] !== known[i]) return false;
  }
  return true;
}
