import type { Table } from '../core/store/store.js';
import * as field from '../core/store/field.js';

export const addressCodec = field.record({
  line1: field.maybeText,
  line2: field.maybeText,
  city: field.maybeText,
  country: field.maybeText,
  postalCode: field.maybeText,
  state: field.maybeText,
});

export interface Address extends field.ValueOf<typeof addressCodec> {}

export const customerFields = (links: field.Links) => ({
  reference: field.maybeText,
  firstName: field.maybeText,
  lastName: field.maybeText,
  email: field.maybeText,
  phone: field.maybeText,
  address: field.orNull<Address>(addressCodec),
  ip: field.maybeText,
  dateAdded: field.instant,
  dateRemoved: field.maybeInstant,
  /** The payment method that a charge of the customer uses. */
  defaultMethod: field.orNull(links.to('paymentMethods')),
  metadata: field.metadata,
});

export interface Customer extends field.RecordOf<typeof customerFields> {}

export const CUSTOMER_KEYS = {
  reference: ({ reference }: Customer) => reference,
  /** Letter case does not matter in a search. Removed customers would all have the same key. */
  email: ({ email, dateRemoved }: Customer) =>
    email === null || dateRemoved !== null ? null : email.toLowerCase(),
};

export type CustomerTable = Table<Customer, keyof typeof CUSTOMER_KEYS>;
