import type { Faker } from '@faker-js/faker';
import { faker as english } from '@faker-js/faker/locale/en';
import { expect, test } from 'vitest';

import { drawAt, hashText } from '../../../src/core/ids/random.js';
import { People } from '../../../src/scenarios/file/people.js';

const EnglishFaker = english.constructor as new (options: {
  locale: Faker['rawDefinitions'];
  randomizer: { next(): number; seed(): void };
}) => Faker;

function drawsOf(seed: string): () => number {
  const stream = hashText(seed);
  let n = 0;
  return () => drawAt(stream, n++);
}

/** A person as faker makes it up, without what faker knows nothing of. */
function fakerPerson({ person, location, number, internet }: Faker) {
  const [firstName, lastName] = [person.firstName(), person.lastName()];
  const email = internet.email({ firstName, lastName, provider: 'example.com' }).toLowerCase();
  const phone = `+1${number.int({ min: 201, max: 989 })}55501${number.int({ min: 10, max: 99 })}`;
  const [line1, city] = [location.streetAddress(), location.city()];
  const postalCode = location.zipCode('#####');
  const address = {
    line1,
    line2: null,
    city,
    country: 'US',
    postalCode,
    state: location.state({ abbreviated: true }),
  };
  const cardDraw = number.float();
  const expiryMonth = number.int({ min: 1, max: 12 });
  return {
    firstName,
    lastName,
    email,
    phone,
    address,
    cardDraw,
    expiryMonth,
    expiryYears: number.int({ min: 2, max: 5 }),
  };
}

test('People are those that faker makes up from the same draws, except that no two share an address.', async () => {
  const make = await People.maker();
  const emails = new Set<string>();
  let shared = 0;
  for (const seed of ['1', '42', 'a shop']) {
    const made = make(drawsOf(seed)).first(3_000);
    const next = drawsOf(seed);
    const faker = new EnglishFaker({
      locale: english.rawDefinitions,
      randomizer: { next, seed: () => undefined },
    });
    for (const [n, person] of made.entries()) {
      const expected = fakerPerson(faker);
      if (person.email !== expected.email) {
        shared++;
        expect(person.email).toBe(expected.email.replace('@', `+${n + 1}@`));
      }
      expect({ ...person, email: '' }).toEqual({ ...expected, email: '' });
      emails.add(`${seed} ${person.email}`);
    }
  }
  expect(emails.size).toBe(9_000);
  expect(shared).toBeGreaterThan(0);
});
