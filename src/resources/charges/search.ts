import { toUnits } from '../../core/money.js';
import { type SearchFilter, type SearchResult, searchTable } from '../../core/store/search.js';
import { findCard, type Source } from '../../records/payment-method.js';
import type { World } from '../../world/world.js';
import type { Charge, ChargeStatus } from '../../records/charge.js';
import { SOURCE_CONDITIONS } from '../payment-methods/search.js';

type ChargedAmount = Pick<Charge, 'amountMinor' | 'currency'>;

/** The conditions that charges and subscriptions share. Amounts are in units of 0.0001, to compare those of several currencies. */
export const AMOUNT_CONDITIONS = {
  currency: (asked: string) => (one: ChargedAmount) => one.currency === asked,
  amountGreaterThan: (asked: number) => (one: ChargedAmount) => toAmountUnits(one) > asked,
  amountLessThan: (asked: number) => (one: ChargedAmount) => toAmountUnits(one) < asked,
};

const CONDITIONS = {
  ...SOURCE_CONDITIONS,
  ...AMOUNT_CONDITIONS,
  reference: (asked: string) => (charge: Charge) => charge.reference === asked,
  customerId: (asked: string) => (charge: Charge) => charge.customer === asked,
  paymentMethodId: (asked: string) => (charge: Charge) => charge.paymentMethod === asked,
  status: (asked: ChargeStatus) => (charge: Charge) => charge.status === asked,
  /** Leading digits; a star matches any digit. */
  cardNumber: (asked: string) => (charge: Charge) => fitsCard(charge.source, asked),
  cardholder: (asked: string) => {
    const name = asked.toLowerCase();
    return (charge: Charge) => findCard(charge.source)?.cardholder?.toLowerCase() === name;
  },
  batchId: (asked: string) => (charge: Charge) => charge.batch === asked,
  subscriptionId: (asked: string) => (charge: Charge) => charge.more.subscription === asked,
};

export type ChargeFilter = SearchFilter<typeof CONDITIONS, 'Date' | 'Amount'>;

export function searchCharges({ charges }: World, filter: ChargeFilter): SearchResult<Charge> {
  return searchTable(charges, filter, {
    conditions: CONDITIONS,
    indexes: {
      reference: (asked) => charges.by('reference', asked),
      customerId: (asked) => charges.by('customer', asked),
      paymentMethodId: (asked) => charges.by('paymentMethod', asked),
    },
    orders: { Amount: toAmountUnits },
  });
}

function toAmountUnits({ amountMinor, currency }: ChargedAmount): number {
  return toUnits(amountMinor, currency);
}

/** Compares the known digits of a card: the first six and the last four. */
function fitsCard(source: Source, asked: string): boolean {
  if (source.type !== 'CARD') return false;
  const { masked, iin } = source;
  if (asked.length > masked.length) return false;
  const known = iin + masked.slice(iin.length);
  for (let i = 0; i < asked.length; i++) {
    if (asked[i] !== '*' && known[i] !== '*' && asked[i] !== known[i]) return false;
  }
  return true;
}
