import { orNull, record, type ValueOf } from '../core/codec.js';
import {
  instant,
  type Links,
  maybeInstant,
  maybeText,
  metadata,
  type RecordOf,
} from '../core/record-fields.js';
import type { Table } from '../core/store.js';

const addressCodec = record({
  line1: maybeText,
  line2: maybeText,
  city: maybeText,
  country: maybeText,
  postalCode: maybeText,
  state: maybeText,
});

export interface Address extends ValueOf<typeof addressCodec> {}

export const customerFields = (links: Links) => ({
  reference: maybeText,
  firstName: maybeText,
  lastName: maybeText,
  email: maybeText,
  phone: maybeText,
  address: orNull<Address>(addressCodec),
  ip: maybeText,
  dateAdded: instant,
  dateRemoved: maybeInstant,
  /** The identifier of the payment method that a charge of the customer uses. */
  defaultMethod: orNull(links.to('paymentMethods')),
  metadata,
});

export interface Customer extends RecordOf<typeof customerFields> {}

/** By what customers are found beside their identifiers. */
export const CUSTOMER_KEYS = {
  reference: ({ reference }: Customer) => reference,
  /**
   * The e-mail address in lower case: addresses are searched without regard to case. Removed customers are left out:
   * they would all have one key.
   */
  email: ({ email, dateRemoved }: Customer) =>
    email === null || dateRemoved !== null ? null : email.toLowerCase(),
};

export type CustomerTable = Table<Customer, keyof typeof CUSTOMER_KEYS>;
