import type { Faker } from '@faker-js/faker';
import { faker as english } from '@faker-js/faker/locale/en';

import type { Address } from '../../records/customer.js';

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly address: Address;
  /** In [0, 1): selects one of the test cards. */
  readonly cardDraw: number;
  /** The card expires in this month (1 to 12), in so many years. */
  readonly expiryMonth: number;
  readonly expiryYears: number;
}

/** RFC 2606 reserves the domain for examples. */
const DOMAIN = 'example.com';

/** Importing the class by its name would load all languages, which takes half a second. */
const EnglishFaker = english.constructor as new (options: {
  locale: Faker['rawDefinitions'];
  randomizer: { next(): number; seed(): void };
}) => Faker;

/** Invents people from random numbers. The n-th one is the same however many are requested. */
export class People {
  readonly #faker: Faker;
  readonly #made: Person[] = [];
  readonly #emails = new Set<string>();

  /** Each draw is evenly spread over [0, 1). */
  constructor(draw: () => number) {
    const randomizer = { next: draw, seed: () => undefined };
    this.#faker = new EnglishFaker({ locale: english.rawDefinitions, randomizer });
    // No date is used at present. If one ever is, it must not depend on today.
    this.#faker.setDefaultRefDate(0);
  }

  get size(): number {
    return this.#made.length;
  }

  first(count: number): readonly Person[] {
    while (this.#made.length < count) this.#made.push(this.#make());
    return this.#made.slice(0, count);
  }

  #make(): Person {
    const { person, location, number } = this.#faker;
    const firstName = person.firstName();
    const lastName = person.lastName();
    return {
      firstName,
      lastName,
      email: this.#emailOf(firstName, lastName),
      // Numbers with 555-01 are reserved for fiction.
      phone: `+1${number.int({ min: 201, max: 989 })}55501${number.int({ min: 10, max: 99 })}`,
      address: {
        line1: location.streetAddress(),
        line2: null,
        city: location.city(),
        country: 'US',
        postalCode: location.zipCode('#####'),
        state: location.state({ abbreviated: true }),
      },
      cardDraw: number.float(),
      expiryMonth: number.int({ min: 1, max: 12 }),
      expiryYears: number.int({ min: 2, max: 5 }),
    };
  }

  /** No two people share an address, so that a search for one finds one. */
  #emailOf(firstName: string, lastName: string): string {
    const email = this.#faker.internet.email({ firstName, lastName, provider: DOMAIN }).toLowerCase();
    const own = this.#emails.has(email) ? email.replace('@', `+${this.#made.length + 1}@`) : email;
    this.#emails.add(own);
    return own;
  }
}
