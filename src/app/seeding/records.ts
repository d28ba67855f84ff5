import {
  AUTHORISATION_EXPIRE,
  type Charge,
  type ChargeMore,
  NOTHING_MORE,
  orNothingMore,
  UNSET_IN_CHARGE,
} from '../../records/charge.js';
import { INSTANT_MAX_MS } from '../../core/time/time.js';
import { buildFailedAttempt } from '../../resources/charges/attempts.js';
import type { CustomerDetails } from '../../resources/customers/service.js';
import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import { findCardTrigger, MAGIC_CARDS } from '../../outcomes/magic.js';
import { requireOutcome } from '../../outcomes/outcomes.js';
import type { PaymentMethod } from '../../records/payment-method.js';
import type { SeedCharge } from '../../scenarios/seed/seed-charges.js';
import type { SeedRecords, SeedVaultEntry, SeedMethod, SeedToken } from '../../scenarios/seed/seed-data.js';
import type { SeedExpiry } from '../../scenarios/seed/seed-fields.js';
import { TOKEN_EXPIRE } from '../../records/token.js';
import { toCard } from '../../resources/tokens/rules.js';
import { createToken } from '../../resources/tokens/service.js';
import { removeVaultEntry, storeCard } from '../../resources/vault/service.js';
import type { World } from '../../world/world.js';
import type { Person } from './people.js';

function resolveSeedEnd(world: World, end: SeedExpiry | null): number | null {
  if (end === null) return null;
  return end.kind === 'at' ? end.instant : Math.min(world.now + end.ms, INSTANT_MAX_MS);
}

export function addSeedEntry(world: World, { cardNumber, ccv, expires: end }: SeedVaultEntry): void {
  const expires = resolveSeedEnd(world, end);
  const { id } = storeCard(world, cardNumber, ccv, expires);
  // An entry that has already expired is removed. Its payment methods stay.
  if (expires !== null && expires <= world.now) removeVaultEntry(world, id);
}

export function addSeedToken(world: World, given: SeedToken): void {
  const { provider: providerId, cardNumber: pan, ccv } = given;
  const { expiryDate: expiry, cardholder } = given;
  const content = {
    providerId,
    source: toCard(world, { pan, expiry, ccv, cardholder }),
    pan,
    ccv,
    vault: null,
    ip: null,
    metadata: null,
  };
  const token = createToken(world, content);
  const expires = resolveSeedEnd(world, given.expires);
  if (expires === null) return;
  const isOver = expires <= world.now;
  world.tokens.replace({ ...token, expires, secret: isOver ? null : token.secret });
  if (isOver) world.jobs.cancel(TOKEN_EXPIRE, token.id);
  else world.jobs.schedule(expires, TOKEN_EXPIRE, token.id);
}

export function addSeedCustomers(world: World, data: SeedRecords): void {
  for (const { customerId, defaultPaymentMethodId: chosen, ...details } of data.customers) {
    const isDefault = ({ paymentMethodId: id, customerId: owner }: SeedMethod): boolean =>
      chosen === null ? owner !== null && owner === customerId : id === chosen;
    const place = data.paymentMethods.findIndex(isDefault);
    addCustomer(world, details, place < 0 ? null : world.paymentMethods.idAt(place));
  }
}

function addCustomer(world: World, details: CustomerDetails, defaultMethod: string | null): void {
  const { nextId: id, next: index } = world.customers;
  world.customers.add({ id, index, ...details, dateAdded: world.now, dateRemoved: null, defaultMethod });
}

export function addSeedMethod(world: World, { vault }: SeedRecords, method: SeedMethod): void {
  const { customerId: customer, vaultId, expiryDate: expiry, cardholder, metadata } = method;
  const entry = vault.find((stored) => vaultId !== null && stored.vaultId === vaultId);
  const pan = (vaultId === null ? method.cardNumber : entry?.cardNumber) ?? '';
  const source = toCard(world, { pan, expiry, cardholder, ccv: null });
  storeMethod(world, { customer, source, providerId: method.provider, vault: vaultId, metadata });
}

type StoredMethod = Pick<PaymentMethod, 'customer' | 'source' | 'providerId' | 'vault' | 'metadata'>;

function storeMethod(world: World, method: StoredMethod): void {
  const { nextId: id, next: index } = world.paymentMethods;
  world.paymentMethods.add({ id, index, ...method, dateAdded: world.now, dateRemoved: null, origin: null });
}

/** Adds a charge as if it had just been created. Its payment method already exists. */
export function addSeedCharge(world: World, charge: SeedCharge): void {
  const { status, amountMinor } = charge;
  const isAuthorised = status === 'Authorised' || status === 'AUTHORISE_CANCELLED';
  const isPaid = status === 'SUCCESS' || status === 'PARTIAL_REFUND' || status === 'REFUND';
  const { nextId: id } = world.charges;
  const { providerId, ...paidWith } = findInstrument(world, charge);
  world.charges.add({
    ...UNSET_IN_CHARGE,
    id,
    index: world.charges.next,
    providerId,
    amountMinor,
    currency: charge.currency,
    status,
    reference: charge.reference,
    authorisedMinor: isAuthorised ? amountMinor : null,
    refundedMinor: charge.refundedMinor,
    ...paidWith,
    dateAdded: world.now,
    successDate: isPaid ? world.now : null,
    more: buildMoreFields(world, charge, providerId),
  });
  if (status !== 'Authorised') return;
  world.jobs.schedule(world.now + world.settings.authorisationTtl, AUTHORISATION_EXPIRE, id);
}

function findInstrument(
  world: World,
  { instrument }: SeedCharge,
): Pick<Charge, 'providerId' | 'source'> & Partial<Pick<Charge, 'customer' | 'paymentMethod'>> {
  if (typeof instrument !== 'string') {
    const { providerId } = instrument;
    return { providerId, source: toCard(world, { ...instrument, ccv: null }) };
  }
  const method = world.paymentMethods.find(instrument);
  if (method === undefined)
    throw new Error('Failed to charge a payment method: the file has none of its id.');
  const { id, providerId, source, customer } = method;
  return { providerId, source, customer, paymentMethod: id };
}

function buildMoreFields(world: World, charge: SeedCharge, providerId: string): ChargeMore {
  const { outcome, refundedMinor, metadata, status } = charge;
  const voidDate = status === 'AUTHORISE_CANCELLED' ? world.now : null;
  const refund = { amountMinor: refundedMinor, dateAdded: world.now, comment: null };
  return orNothingMore({
    ...NOTHING_MORE,
    metadata,
    voidDate,
    failedAttempts:
      outcome === null
        ? NOTHING_MORE.failedAttempts
        : [buildFailedAttempt(world, providerId, { outcome: requireOutcome(outcome) })],
    refunds: refundedMinor === 0 ? NOTHING_MORE.refunds : [refund],
  });
}

/** The test cards that always approve. */
const APPROVING_CARDS = MAGIC_CARDS.map(({ number }) => number).filter(
  (number) => findCardTrigger(number) === null,
);

export function addPerson(world: World, person: Person, reference: string, withMethod: boolean): void {
  const { cardDraw, expiryMonth: _, expiryYears: __, ...details } = person;
  const { nextId: customer } = world.customers;
  const methodId = withMethod ? world.paymentMethods.nextId : null;
  addCustomer(world, { ...details, reference, ip: null, metadata: null }, methodId);
  if (!withMethod) return;
  const source = toCard(world, {
    pan: APPROVING_CARDS[Math.floor(cardDraw * APPROVING_CARDS.length)] ?? '',
    expiry: formatExpiry(world, person),
    ccv: null,
    cardholder: `${person.firstName} ${person.lastName}`,
  });
  storeMethod(world, { customer, source, providerId: DEFAULT_PROVIDER_ID, vault: null, metadata: null });
}

function formatExpiry(world: World, { expiryMonth, expiryYears }: Person): string {
  const year = new Date(world.now).getUTCFullYear() + expiryYears;
  return `${String(expiryMonth).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`;
}
