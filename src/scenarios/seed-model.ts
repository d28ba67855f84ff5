import type { ChargeStatus } from '../charges/record.js';
import type { Customer } from '../customers/record.js';
import type { Metadata } from '../payment-methods/record.js';

/** What a world under a scenario begins with. Records name each other by the identifiers that the file gave them. */
export interface SeedData {
  /** People who are made up from the world's seed; null: none. */
  readonly fake: FakeWish | null;
  readonly customers: readonly SeedCustomer[];
  readonly paymentMethods: readonly SeedMethod[];
  readonly vault: readonly SeedEntry[];
  readonly tokens: readonly SeedToken[];
  readonly charges: readonly SeedCharge[];
}

export interface FakeWish {
  readonly customers: number;
  /** Whether each of them has a card as its payment method. */
  readonly paymentMethods: boolean;
}

/** When something ends: so long after the world's start, or at an instant. Milliseconds; since 1970 for the latter. */
export type SeedEnd =
  | { readonly kind: 'after'; readonly ms: number }
  | { readonly kind: 'at'; readonly instant: number };

/** A customer as its author describes it; what is left out is null. */
export interface SeedCustomer extends Omit<
  Customer,
  'id' | 'index' | 'dateAdded' | 'dateRemoved' | 'defaultMethod'
> {
  /** 32 hex digits; null: it is computed, as those of other records are. The same holds for all that follow. */
  readonly customerId: string | null;
  /** Null: the first of its payment methods. */
  readonly defaultPaymentMethodId: string | null;
}

/** A card that may stand in a file: a published test card. */
export interface SeedCard {
  readonly pan: string;
  readonly expiry: string;
  readonly cardholder: string | null;
}

export interface SeedMethod {
  readonly paymentMethodId: string | null;
  readonly customerId: string | null;
  readonly providerId: string;
  /** The vault entry that holds its card; null: it has none, and the number stands here. */
  readonly vaultId: string | null;
  readonly pan: string | null;
  readonly expiry: string;
  readonly cardholder: string | null;
  readonly metadata: Metadata | null;
}

export interface SeedEntry {
  readonly vaultId: string | null;
  readonly pan: string;
  readonly ccv: string | null;
  /** Null: it is kept until it is deleted. */
  readonly end: SeedEnd | null;
}

export interface SeedToken extends SeedCard {
  readonly tokenId: string | null;
  readonly providerId: string;
  readonly ccv: string | null;
  /** Null: it lives as long as tokens do. */
  readonly end: SeedEnd | null;
}

/** The statuses that a charge can begin with: a pending one would wait for something that never comes. */
export const SEED_STATUSES = [
  'SUCCESS',
  'FAILED',
  'PARTIAL_REFUND',
  'REFUND',
  'Authorised',
  'AUTHORISE_CANCELLED',
] as const satisfies readonly ChargeStatus[];

export interface SeedCharge {
  readonly chargeId: string | null;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: (typeof SEED_STATUSES)[number];
  readonly refundedMinor: number;
  /** What the provider answered to a failed one, by its name; null for others. */
  readonly outcome: string | null;
  readonly reference: string | null;
  readonly metadata: Metadata | null;
  /** What was charged: a payment method by its identifier, or a card at a provider. */
  readonly instrument: string | (SeedCard & { readonly providerId: string });
}

/** The identifiers that the author chose, in the order of the records; null: none was chosen. */
export function seedIds(data: SeedData) {
  return {
    customers: data.customers.map(({ customerId }) => customerId),
    paymentMethods: data.paymentMethods.map(({ paymentMethodId }) => paymentMethodId),
    vault: data.vault.map(({ vaultId }) => vaultId),
    tokens: data.tokens.map(({ tokenId }) => tokenId),
    charges: data.charges.map(({ chargeId }) => chargeId),
  };
}
