import { refuseFull } from '../../core/errors.js';
import type { IdEntry } from '../../core/ids/record-ids.js';
import { deriveWords, hashText } from '../../core/ids/random.js';
import type { PeopleTexts } from '../../core/texts.js';
import type { FakeCustomers, SeedRecords } from '../../scenarios/seed/seed-data.js';
import { seedIds } from '../../scenarios/seed/seed-references.js';
import type { World } from '../../world/world.js';
import type { WorldSeeder } from '../../world/world-seeder.js';
import { inventPerson } from './people.js';
import {
  addPerson,
  addSeedCharge,
  addSeedCustomers,
  addSeedEntry,
  addSeedMethod,
  addSeedToken,
} from './records.js';

/** Fills new worlds with the seed data of their scenario. It asks no provider and draws no random numbers of the world. */
export class Seeder implements WorldSeeder {
  #people: PeopleTexts | null = null;

  async prepare({ fake }: SeedRecords): Promise<void> {
    if (fake === null) return;
    const { readTexts } = await import('../../core/texts.js');
    this.#people ??= (await readTexts()).people;
  }

  count(data: SeedRecords): number {
    return countSeedRecords(data).reduce((all, [, , count]) => all + count, 0);
  }

  fill(world: World, data: SeedRecords): void {
    requireSeedRoom(world, data);
    giveSeedIds(world, data);
    for (const entry of data.vault) addSeedEntry(world, entry);
    for (const token of data.tokens) addSeedToken(world, token);
    addSeedCustomers(world, data);
    for (const method of data.paymentMethods) addSeedMethod(world, data, method);
    for (const charge of data.charges) addSeedCharge(world, charge);
    if (data.fake !== null) this.#addPeople(world, data.fake);
  }

  /** The people of a seed are the same under every key. */
  #addPeople(world: World, { customers, paymentMethods }: FakeCustomers): void {
    if (this.#people === null) throw new Error('Failed to make people: prepare the seeder first.');
    const stream = deriveWords(hashText(world.settings.seed), 'people');
    for (let n = 0; n < customers; n++) {
      addPerson(world, inventPerson(this.#people, stream, n), `fake-${n + 1}`, paymentMethods);
    }
  }
}

/** How many records of each kind seed data creates. */
function countSeedRecords(data: SeedRecords) {
  const people = data.fake?.customers ?? 0;
  const methods = data.fake?.paymentMethods === true ? people : 0;
  return [
    ['customers', 'customers', data.customers.length + people],
    ['paymentMethods', 'payment methods', data.paymentMethods.length + methods],
    ['vault', 'vault entries', data.vault.length],
    ['tokens', 'tokens', data.tokens.length],
    ['charges', 'charges', data.charges.length],
  ] as const;
}

function requireSeedRoom(world: World, data: SeedRecords): void {
  for (const [name, noun, count] of countSeedRecords(data)) {
    const table = world[name];
    if (table.hasRoom(count)) continue;
    const detail = `The seed data of the scenario are ${count} ${noun}; a world of this sandbox holds at most ${table.max}.`;
    refuseFull(detail);
  }
}

/** In a new world the n-th record of a list becomes the n-th of its table. */
function giveSeedIds(world: World, data: SeedRecords): void {
  const entries = Object.entries(seedIds(data)).map(([table, ids]) => {
    const given = ids.flatMap((id, n): IdEntry[] => (id === null ? [] : [[n, id]]));
    return [table, given] as const;
  });
  world.giveIds(Object.fromEntries(entries));
}
