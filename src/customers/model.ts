import { Table, TextIndex } from '../core/store.js';
import type { Metadata } from '../payment-methods/model.js';

export interface Address {
  readonly line1: string | null;
  readonly line2: string | null;
  readonly city: string | null;
  readonly country: string | null;
  readonly postalCode: string | null;
  readonly state: string | null;
}

export interface Customer {
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
  /** The number of the payment method that a charge of the customer uses. */
  readonly defaultMethod: number | null;
  readonly metadata: Metadata | null;
}

export class CustomerStore extends Table<Customer> {
  readonly byReference = new TextIndex();
  /** By e-mail address in lower case: addresses are searched without regard to case. */
  readonly byEmail = new TextIndex();

  override add(customer: Customer): number {
    if (customer.reference !== null) this.byReference.add(customer.reference, customer.index);
    if (customer.email !== null) this.byEmail.add(customer.email.toLowerCase(), customer.index);
    return super.add(customer);
  }
}
