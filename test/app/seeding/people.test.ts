import { faker } from '@faker-js/faker/locale/en_US';
import { expect, test } from 'vitest';

import { inventPerson } from '../../../src/app/seeding/people.js';
import { hashText } from '../../../src/core/ids/random.js';
import { readTexts } from '../../../src/core/texts.js';

const { people: TEXTS } = await readTexts();

const listPeople = (seed: string, count: number) =>
  Array.from({ length: count }, (_, n) => inventPerson(TEXTS, hashText(seed), n));

test('The names are those of faker, and each address has the postal code of its state.', () => {
  const { first_name: first, last_name: last } = faker.rawDefinitions.person ?? {};
  const firstNames = new Set(Object.values(first ?? {}).flat());
  const lastNames = new Set(last?.generic);
  expect(TEXTS.firstNames.filter((name) => !firstNames.has(name))).toEqual([]);
  expect(TEXTS.lastNames.filter((name) => !name.split('-').every((part) => lastNames.has(part)))).toEqual([]);
  expect(TEXTS.addresses.filter(({ state }) => state === 'CA').length).toBeGreaterThan(3);
  for (const { line1, city, state, postalCode } of TEXTS.addresses) {
    expect(line1).toMatch(/^\d{3,5} \S/);
    expect(city).toMatch(/^\S/);
    if (state === 'CA') expect(postalCode).toMatch(/^9[0-6]\d{3}$/);
  }
});

test('The same seed gives the same people, and 10,000 of them use all names and share no e-mail address.', () => {
  const people = listPeople('a shop', 10_000);
  expect(listPeople('a shop', 3)).toEqual(people.slice(0, 3));
  expect(inventPerson(TEXTS, hashText('a shop'), 9_999)).toEqual(people[9_999]);
  expect(new Set(people.map(({ email }) => email)).size).toBe(10_000);
  expect(new Set(people.map(({ firstName }) => firstName))).toEqual(new Set(TEXTS.firstNames));
  expect(new Set(people.map(({ lastName }) => lastName))).toEqual(new Set(TEXTS.lastNames));
  expect(new Set(people.map(({ address }) => address.line1)).size).toBeGreaterThan(495);
});

test('A person has a phone number and an e-mail address that nobody can have.', () => {
  for (const [n, { firstName, lastName, email, phone, address }] of listPeople('42', 200).entries()) {
    const name = `${firstName}.${lastName}`.toLowerCase().replaceAll(/['. ]/g, '');
    expect(email.replace('.', '')).toBe(`${name}${n + 1}@example.com`);
    expect(phone).toMatch(/^\+1[2-9]\d{2}55501\d{2}$/);
    expect(address).toMatchObject({ line2: null, country: 'US' });
  }
});
