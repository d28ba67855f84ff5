import {
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
import type { World } from '../world.js';
import { cardIn, type PaymentMethod, type Source } from './record.js';

/** What a search for payment methods asks; null: anything. All that is asked must hold. */
export interface MethodFilter {
  readonly providerId: string | null;
  readonly customerId: string | null;
  readonly paymentType: string | null;
  readonly scheme: string | null;
  /** A part of the cardholder or payer, of the masked number, or of its customer's name, e-mail address or reference, in any case. */
  readonly search: string | null;
  /** Milliseconds since 1970, exclusive. */
  readonly addedAfter: number | null;
  readonly addedBefore: number | null;
  readonly page: Page;
  readonly order: Order<'Date'> | null;
}

/** Finds payment methods that were not removed: by index where the filter names a customer. */
export function searchMethods(world: World, filter: MethodFilter): Found<PaymentMethod> {
  const { page, order } = filter;
  const candidates = withinDates(candidatesOf(world, filter), filter);
  return pageByDate(candidates, testsOf(world, filter), page, order === null || order.descending);
}

function candidatesOf(world: World, { customerId }: MethodFilter): Candidates<PaymentMethod> {
  const { paymentMethods } = world;
  if (customerId === null) return whole(paymentMethods);
  return paymentMethods.by('customer', customerId);
}

/** The conditions that a candidate still has to meet. */
function testsOf(world: World, filter: MethodFilter): Test<PaymentMethod>[] {
  const tests: Test<PaymentMethod>[] = [];
  const add = <T>(asked: T | null, test: (asked: T) => Test<PaymentMethod>): void => {
    if (asked !== null) tests.push(test(asked));
  };
  if (world.paymentMethods.live < world.paymentMethods.size)
    tests.push(({ dateRemoved }) => dateRemoved === null);
  add(filter.providerId, (asked) => (method) => sameProvider(method.providerId, asked));
  add(
    filter.paymentType?.toUpperCase() ?? null,
    (asked) =>
      ({ source }) =>
        source.type === asked,
  );
  add(
    filter.scheme?.toUpperCase() ?? null,
    (asked) =>
      ({ source }) =>
        cardIn(source)?.scheme === asked,
  );
  add(
    filter.search?.toLowerCase() ?? null,
    (part) => (method) => textsOf(world, method).some((text) => text?.toLowerCase().includes(part)),
  );
  return tests;
}

/** What a free search looks at. */
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
