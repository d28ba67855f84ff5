import { INSTANT_MAX_MS } from '../core/time.js';
import type { SeedData, SeedEntry, SeedMethod, SeedToken } from '../scenarios/seed-data.js';
import type { SeedEnd } from '../scenarios/seed-fields.js';
import { cardOf } from '../tokens/rules.js';
import { TOKEN_EXPIRE } from '../tokens/record.js';
import { createToken } from '../tokens/service.js';
import { removeEntry, storeCard } from '../vault/service.js';
import type { World } from '../world.js';

/** Puts the records of seed data into a fresh world; all of them bear its start. */

/** The instant of an end in this world; null: none. */
function instantOf(world: World, end: SeedEnd | null): number | null {
  if (end === null) return null;
  return end.kind === 'at' ? end.instant : Math.min(world.now + end.ms, INSTANT_MAX_MS);
}

export function addEntry(world: World, { cardNumber, ccv, expires: end }: SeedEntry): void {
  const expires = instantOf(world, end);
  const { id } = storeCard(world, cardNumber, ccv, expires);
  // What has ended when the world begins is gone; a payment method that is made from it stays.
  if (expires !== null && expires <= world.now) removeEntry(world, id);
}

export function addToken(world: World, given: SeedToken): void {
  const { provider: providerId, cardNumber: pan, ccv } = given;
  const { expiryDate: expiry, cardholder } = given;
  const content = {
    providerId,
    source: cardOf(world, { pan, expiry, ccv, cardholder }),
    pan,
    ccv,
    vault: null,
    ip: null,
    metadata: null,
  };
  const token = createToken(world, content);
  const expires = instantOf(world, given.expires);
  if (expires === null) return;
  const isOver = expires <= world.now;
  world.tokens.replace({ ...token, expires, secret: isOver ? null : token.secret });
  if (isOver) world.jobs.cancel(TOKEN_EXPIRE, token.id);
  else world.jobs.schedule(expires, TOKEN_EXPIRE, token.id);
}

export function addCustomers(world: World, data: SeedData): void {
  for (const { customerId, defaultPaymentMethodId: chosen, ...rest } of data.customers) {
    const isDefault = ({ paymentMethodId: id, customerId: owner }: SeedMethod): boolean =>
      chosen === null ? owner !== null && owner === customerId : id === chosen;
    const place = data.paymentMethods.findIndex(isDefault);
    world.customers.add({
      id: world.customers.nextId,
      index: world.customers.next,
      ...rest,
      dateAdded: world.now,
      dateRemoved: null,
      defaultMethod: place < 0 ? null : world.paymentMethods.idAt(place),
    });
  }
}

export function addMethod(world: World, { vault }: SeedData, method: SeedMethod): void {
  const { customerId, vaultId, expiryDate: expiry, cardholder, provider: providerId, metadata } = method;
  const entry = vault.find((one) => vaultId !== null && one.vaultId === vaultId);
  const pan = (vaultId === null ? method.cardNumber : entry?.cardNumber) ?? '';
  world.paymentMethods.add({
    id: world.paymentMethods.nextId,
    index: world.paymentMethods.next,
    customer: customerId,
    source: cardOf(world, { pan, expiry, cardholder, ccv: null }),
    providerId,
    vault: vaultId,
    dateAdded: world.now,
    dateRemoved: null,
    metadata,
    origin: null,
  });
}
