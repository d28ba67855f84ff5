import { RemovableTable, TextIndex } from '../core/store.js';
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
  /** The number of the payment method that a charge of the customer uses. */
  readonly defaultMethod: number | null;
  readonly metadata: Metadata | null;
}

export class CustomerStore extends RemovableTable<Customer> {
  readonly byReference = new TextIndex();
  /**
   * By e-mail address in lower case: addresses are searched without regard to case. Removed customers are left
   * out: they would all stand under one text.
   */
  readonly byEmail = new TextIndex();

  override add(customer: Customer): number {
    const email = emailKeyOf(customer);
    if (customer.reference !== null) this.byReference.add(customer.reference, customer.index);
    if (email !== null) this.byEmail.add(email, customer.index);
    return super.add(customer);
  }

  override replace(n: number, customer: Customer): void {
    const before = this.at(n);
    if (before !== undefined) {
      this.byReference.move(before.reference, customer.reference, n);
      this.byEmail.move(emailKeyOf(before), emailKeyOf(customer), n);
    }
    super.replace(n, customer);
  }
}

function emailKeyOf({ email, dateRemoved }: Customer): string | null {
  return email === null || dateRemoved !== null ? null : email.toLowerCase();
}
