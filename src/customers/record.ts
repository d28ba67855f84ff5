import type { Table } from '../core/store.js';
import type { Metadata } from '../payment-methods/record.js';

export interface Address {
  readonly line1: string | null;
  readonly line2: string | null;
  readonly city: string | null;
  readonly country: string | null;
  readonly postalCode: string | null;
  readonly state: string | null;
}

export interface Customer {
  readonly id: string;
  readonly index: number;
  readonly reference: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: Address | null;
  readonly ip: string | null;
  readonly dateAdded: number;
  readonly dateRemoved: number | null;
  /** The identifier of the payment method that a charge of the customer uses. */
  readonly defaultMethod: string | null;
  readonly metadata: Metadata | null;
}

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
