import { toUnits } from '../core/money.js';
import {
  allMatching,
  type Found,
  type Order,
  type Page,
  pageByDate,
  type Test,
  whole,
  withinDates,
} from '../core/search.js';
import type { Candidates } from '../core/store.js';
import { sameProvider } from '../outcomes/built-in.js';
import { cardIn, type Source } from '../payment-methods/record.js';
import type { World } from '../world.js';
import type { Charge, ChargeStatus } from './record.js';

/** What a search for charges asks; null: anything. All that is asked must hold. */
export interface ChargeFilter {
  readonly reference: string | null;
  readonly providerId: string | null;
  readonly customerId: string | null;
  readonly paymentMethodId: string | null;
  readonly status: ChargeStatus | null;
  readonly currency: string | null;
  /** In units of 0.0001, exclusive. */
  readonly amountAbove: number | null;
  readonly amountBelow: number | null;
  /** Milliseconds since 1970, exclusive. */
  readonly addedAfter: number | null;
  readonly addedBefore: number | null;
  /** Leading digits; stars stand for any digit. */
  readonly cardNumber: string | null;
  readonly scheme: string | null;
  readonly cardholder: string | null;
  readonly paymentType: string | null;
  readonly batchId: string | null;
  readonly subscriptionId: string | null;
  readonly page: Page;
  readonly order: Order<'Date' | 'Amount'> | null;
}

/** Finds charges: by index where the filter names one, newest first unless another order is asked for. */
export function searchCharges(world: World, filter: ChargeFilter): Found<Charge> {
  const candidates = withinDates(candidatesOf(world, filter), filter);
  const tests = testsOf(filter);
  const { page, order } = filter;
  if (order?.by !== 'Amount') {
    return pageByDate(candidates, tests, page, order === null || order.descending);
  }
  const matches = allMatching(candidates, tests);
  const sign = order.descending ? -1 : 1;
  matches.sort((a, b) => sign * (finestAmount(a) - finestAmount(b)));
  return { found: matches.slice(page.skip, page.skip + page.limit), count: matches.length };
}

/** The shortest list of candidates that an index gives for the filter. */
function candidatesOf(world: World, filter: ChargeFilter): Candidates<Charge> {
  const { charges } = world;
  const lists: Candidates<Charge>[] = [];
  if (filter.reference !== null) lists.push(charges.by('reference', filter.reference));
  if (filter.customerId !== null) {
    lists.push(charges.by('customer', filter.customerId));
  }
  if (filter.paymentMethodId !== null) {
    lists.push(charges.by('paymentMethod', filter.paymentMethodId));
  }
  if (lists.length === 0) return whole(charges);
  return lists.reduce((best, list) => (list.length < best.length ? list : best));
}

/** The conditions that a candidate still has to meet. */
function testsOf(filter: ChargeFilter): Test<Charge>[] {
  const tests: Test<Charge>[] = [];
  const add = <T>(asked: T | null, test: (asked: T) => Test<Charge>): void => {
    if (asked !== null) tests.push(test(asked));
  };
  const {
    customerId: customer,
    paymentMethodId: method,
    batchId: batch,
    subscriptionId: subscription,
  } = filter;
  // Each index alone already ensures its own condition; these matter when several are asked for.
  const several = [filter.reference, customer, method].filter((asked) => asked !== null).length > 1;
  if (several) {
    add(filter.reference, (asked) => (charge) => charge.reference === asked);
    add(customer, (asked) => (charge) => charge.customer === asked);
    add(method, (asked) => (charge) => charge.paymentMethod === asked);
  }
  add(batch, (asked) => (charge) => charge.batch === asked);
  add(
    subscription,
    (asked) =>
      ({ more }) =>
        more.subscription === asked,
  );
  add(filter.providerId, (asked) => (charge) => sameProvider(charge.providerId, asked));
  add(filter.status, (asked) => (charge) => charge.status === asked);
  add(filter.currency, (asked) => (charge) => charge.currency === asked);
  add(filter.amountAbove, (asked) => (charge) => finestAmount(charge) > asked);
  add(filter.amountBelow, (asked) => (charge) => finestAmount(charge) < asked);
  add(filter.cardNumber, (asked) => (charge) => fitsCard(charge.source, asked));
  add(filter.scheme?.toUpperCase() ?? null, (asked) => (charge) => cardIn(charge.source)?.scheme === asked);
  add(
    filter.cardholder?.toLowerCase() ?? null,
    (asked) => (charge) => cardIn(charge.source)?.cardholder?.toLowerCase() === asked,
  );
  add(filter.paymentType?.toUpperCase() ?? null, (asked) => (charge) => charge.source.type === asked);
  return tests;
}

/** An amount in units of 0.0001, to compare those of several currencies. */
function finestAmount(charge: Charge): number {
  return toUnits(charge.amountMinor, charge.currency);
}

/** Compares the digits that are known of a card: the first six and the last four. */
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
