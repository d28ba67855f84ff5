import { readTexts } from '../../core/texts.js';
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

type NameList = readonly string[];

/** The value of `people` in the texts. */
type NameLists = Readonly<
  Record<'last' | 'city' | 'cityPrefix' | 'citySuffix' | 'street' | 'streetSuffix' | 'state', NameList>
> & { readonly first: Readonly<Record<'generic' | 'female' | 'male', NameList>> };

/** Invents people from random numbers, as faker does. The n-th one is the same however many are requested. */
export class People {
  readonly #made: Person[] = [];
  readonly #emails = new Set<string>();

  private constructor(
    private readonly lists: NameLists,
    private readonly draw: () => number,
  ) {}

  /** Loads the names, and returns a function that creates people from random numbers in [0, 1). */
  static async maker(): Promise<(draw: () => number) => People> {
    const lists = (await readTexts()).people as NameLists;
    return (draw) => new People(lists, draw);
  }

  get size(): number {
    return this.#made.length;
  }

  first(count: number): readonly Person[] {
    while (this.#made.length < count) this.#made.push(this.#make());
    return this.#made.slice(0, count);
  }

  #make(): Person {
    const firstName = this.#firstName();
    const lastName = this.#lastName();
    return {
      firstName,
      lastName,
      email: this.#emailOf(firstName, lastName),
      // Numbers with 555-01 are reserved for fiction.
      phone: `+1${this.#int(201, 989)}55501${this.#int(10, 99)}`,
      address: {
        line1: `${this.#number(this.#pick([5, 4, 3]))} ${this.#street()}`,
        line2: null,
        city: this.#city(),
        country: 'US',
        postalCode: Array.from({ length: 5 }, () => this.#int(0, 9)).join(''),
        state: this.#pick(this.lists.state),
      },
      cardDraw: this.draw(),
      expiryMonth: this.#int(1, 12),
      expiryYears: this.#int(2, 5),
    };
  }

  #int(min: number, max: number): number {
    return Math.floor(this.draw() * (max - min + 1) + min);
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#int(0, list.length - 1)] as T;
  }

  /** A number with so many digits. */
  #number(digits: number): string {
    return Array.from({ length: digits }, (_, n) => this.#int(n === 0 ? 1 : 0, 9)).join('');
  }

  /** Names that only women or only men have are three times as frequent as those of both. */
  #firstName(): string {
    const { generic, female, male } = this.lists.first;
    const own = this.#pick([female, male]);
    const weight = 3 * Math.sqrt(own.length);
    const isOwn = this.draw() * (weight + Math.sqrt(generic.length)) < weight;
    return this.#pick(isOwn ? own : generic);
  }

  #lastName(): string {
    this.draw();
    const isDouble = this.draw() * 100 >= 95;
    const name = this.#pick(this.lists.last);
    return isDouble ? `${name}-${this.#pick(this.lists.last)}` : name;
  }

  #street(): string {
    const { streetSuffix, street } = this.lists;
    const form = this.#int(0, 2);
    if (form === 2) return this.#pick(street);
    return `${form === 0 ? this.#firstName() : this.#lastName()} ${this.#pick(streetSuffix)}`;
  }

  #city(): string {
    const { cityPrefix, citySuffix, city } = this.lists;
    const form = this.#int(0, 4);
    if (form === 4) return this.#pick(city);
    const prefix = form < 2 ? `${this.#pick(cityPrefix)} ` : '';
    const name = form === 3 ? this.#lastName() : this.#firstName();
    return `${prefix}${name}${form === 1 ? '' : this.#pick(citySuffix)}`;
  }

  /** No two people share an address, so that a search for one finds one. */
  #emailOf(firstName: string, lastName: string): string {
    const mark = this.#pick(['.', '_']);
    const number = this.#int(0, 99);
    const name = `${firstName}${mark}${lastName}`.replaceAll(/[^\w.-]/g, '').toLowerCase();
    const email = `${name}${this.#pick([number, ''])}@${DOMAIN}`;
    const own = this.#emails.has(email) ? email.replace('@', `+${this.#made.length + 1}@`) : email;
    this.#emails.add(own);
    return own;
  }
}
