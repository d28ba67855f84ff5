import { drawAt, type SeedWords } from '../../core/ids/random.js';
import type { PeopleTexts } from '../../core/texts.js';
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

/** How many random numbers a person takes, so that nobody depends on how many others there are. */
const DRAWS_PER_PERSON = 8;

/** The n-th person of a stream of random numbers, made of names and addresses that faker invented for the build (build/texts.mjs). */
export function inventPerson(texts: PeopleTexts, stream: SeedWords, n: number): Person {
  let drawn = n * DRAWS_PER_PERSON;
  const draw = (): number => drawAt(stream, drawn++);
  const drawInteger = (min: number, max: number): number => min + Math.floor(draw() * (max - min + 1));
  const pick = <T>(list: readonly T[]): T => list[drawInteger(0, list.length - 1)] as T;

  const [firstName, lastName] = [pick(texts.firstNames), pick(texts.lastNames)];
  const name = `${firstName}.${lastName}`.toLowerCase().replaceAll(/[^a-z.-]/g, '');
  return {
    firstName,
    lastName,
    // With its number no address is given twice, so a search for one finds one. RFC 2606 reserves the domain for examples.
    email: `${name}${n + 1}@example.com`,
    // Numbers with 555-01 are reserved for fiction.
    phone: `+1${drawInteger(201, 989)}55501${drawInteger(10, 99)}`,
    address: { ...pick(texts.addresses), line2: null, country: 'US' },
    cardDraw: draw(),
    expiryMonth: drawInteger(1, 12),
    expiryYears: drawInteger(2, 5),
  };
}
