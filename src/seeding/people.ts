import { deriveWords, drawAt, hashText } from '../core/random.js';
import { DEFAULT_PROVIDER_ID } from '../outcomes/built-in.js';
import { cardTrigger, MAGIC_CARDS } from '../outcomes/magic.js';
import type { Person } from '../scenarios/people.js';
import { cardOf } from '../tokens/rules.js';
import type { World } from '../world.js';

/** The test cards that do nothing but approve. */
const CARDS = MAGIC_CARDS.map(({ number }) => number).filter((number) => cardTrigger(number) === null);

/** The draws of which a seed's people are made; they are the same under every key. */
export function drawsOf(seed: string): () => number {
  const stream = deriveWords(hashText(seed), 'people');
  let drawn = 0;
  return () => drawAt(stream, drawn++);
}

/** Puts somebody who was made up into a world, perhaps with a card as the payment method. */
export function addPerson(world: World, person: Person, reference: string, withMethod: boolean): void {
  const { firstName, lastName, email, phone, address } = person;
  const { nextId: id, next: index } = world.customers;
  const { nextId: methodId } = world.paymentMethods;
  world.customers.add({
    id,
    index,
    reference,
    firstName,
    lastName,
    email,
    phone,
    address,
    ip: null,
    dateAdded: world.now,
    dateRemoved: null,
    defaultMethod: withMethod ? methodId : null,
    metadata: null,
  });
  if (!withMethod) return;
  world.paymentMethods.add({
    id: methodId,
    index: world.paymentMethods.next,
    customer: id,
    source: cardOf(world, {
      pan: CARDS[Math.floor(person.cardDraw * CARDS.length)] ?? '',
      expiry: expiryOf(world, person),
      ccv: null,
      cardholder: `${firstName} ${lastName}`,
    }),
    providerId: DEFAULT_PROVIDER_ID,
    vault: null,
    dateAdded: world.now,
    dateRemoved: null,
    metadata: null,
    origin: null,
  });
}

/** A card is good for some years from the start of its world. */
function expiryOf(world: World, { expiryMonth, expiryYears }: Person): string {
  const year = new Date(world.now).getUTCFullYear() + expiryYears;
  return `${String(expiryMonth).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`;
}
