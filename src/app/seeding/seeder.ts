import { refuseFull } from '../../core/errors.js';
import type { IdEntry } from '../../core/ids/record-ids.js';
import type { Host } from '../../core/host.js';
import type { People } from '../../scenarios/file/people.js';
import type { SeedRecords } from '../../scenarios/seed/seed-data.js';
import { seedIds } from '../../scenarios/seed/seed-references.js';
import type { World } from '../../world/world.js';
import type { WorldSeeder } from '../../world/world-seeder.js';
import {
  addSeedCharge,
  addSeedCustomers,
  addSeedEntry,
  addSeedMethod,
  addPerson,
  addSeedToken,
  buildPeopleDraw,
} from './records.js';

/** How many customers are invented in one turn of the event loop: some milliseconds of work. */
const TURN_PEOPLE = 50;

/** Fills new worlds with the seed data of their scenario. It asks no provider and draws no random numbers of the world. */
export class Seeder implements WorldSeeder {
  #maker: ((draw: () => number) => People) | null = null;
  /** The people of the last seed, because worlds are often reset with the same one. */
  #last: { readonly seed: string; readonly people: People } | null = null;

  constructor(private readonly host: Host) {}

  async prepare({ fake }: SeedRecords, seed: string): Promise<void> {
    if (fake === null) return;
    this.#maker ??= await (await import('../../scenarios/file/people.js')).People.maker();
    const people = this.#peopleOf(seed);
    while (people.size < fake.customers) {
      people.first(Math.min(fake.customers, people.size + TURN_PEOPLE));
      this.host.progress?.('making up customers', people.size, fake.customers);
      await this.host.pause();
    }
  }

  count(data: SeedRecords): number {
    return countSeedRecords(data).reduce((all, [, , count]) => all + count, 0);
  }

  fill(world: World, data: SeedRecords): void {
    const { fake } = data;
    const people = fake === null ? [] : this.#peopleOf(world.settings.seed).first(fake.customers);
    requireSeedRoom(world, data);
    giveSeedIds(world, data);
    for (const entry of data.vault) addSeedEntry(world, entry);
    for (const token of data.tokens) addSeedToken(world, token);
    addSeedCustomers(world, data);
    for (const method of data.paymentMethods) addSeedMethod(world, data, method);
    for (const charge of data.charges) addSeedCharge(world, charge);
    for (const [n, person] of people.entries()) {
      addPerson(world, person, `fake-${n + 1}`, fake?.paymentMethods === true);
    }
  }

  #peopleOf(seed: string): People {
    if (this.#last?.seed === seed) return this.#last.people;
    if (this.#maker === null) throw new Error('Failed to make people: prepare the seeder first.');
    const people = this.#maker(buildPeopleDraw(seed));
    this.#last = { seed, people };
    return people;
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
