import type { Batch, RowFailure } from '../../batches/record.js';
import {
  type Charge,
  type ChargeMore,
  NOTHING_MORE,
  TRANSITIONS,
  type ChargeStatus,
} from '../../charges/record.js';
import { ccvFault, panFault } from '../../core/card.js';
import { DURATION_MAX_MS } from '../../core/time.js';
import type { Customer } from '../../customers/record.js';
import type { PaymentMethod, ProviderToken, Source } from '../../payment-methods/record.js';
import type { RecordTypes, TableName } from '../../records.js';
import type { Token } from '../../tokens/record.js';
import type { VaultEntry } from '../../vault/record.js';
import { providerShape } from './state-providers.js';
import { paymentLink, subscription, transfer } from './state-transfers.js';
import {
  anyText,
  currency,
  instant,
  maybeInstant,
  maybeText,
  metadata,
  minor,
  providerId,
  type Unnumbered,
  webhookMembers,
} from './state-members.js';
import {
  bytes,
  flag,
  list,
  orNull,
  record,
  shared,
  type Shape,
  text,
  utf8,
  whole,
  word,
} from './state-shape.js';
import type { Reference } from './state-places.js';
import { delivery, webhookSubscription } from './state-webhooks.js';

const ccv = text(
  4,
  (value) => !ccvFault(value, 'VISA') || !ccvFault(value, 'AMEX'),
  'a Ccv of 3 or 4 digits',
);
const pan = text(
  19,
  (value) => panFault(value) === undefined && /^\d+$/.test(value),
  'the digits of a card number',
);
const webhook = orNull(record<NonNullable<Batch['webhook']>>(webhookMembers));

const failure: Shape<RowFailure> = record<RowFailure>({
  reason: anyText,
  gatewayCode: maybeText,
  gatewayMessage: maybeText,
  retryable: flag,
});

/** A batch with its rows as a document holds them; where each row begins is found anew. */
export interface StoredBatch extends Omit<Batch, 'id' | 'index' | 'rows'> {
  readonly text: string;
  /** The first `done` results: two bytes a row, and four bytes a row, the least first. */
  readonly outcome: Uint8Array;
  readonly charge: Uint8Array;
  readonly failures: readonly RowFailure[];
}

export const batch: Shape<StoredBatch> = record<StoredBatch>({
  description: anyText,
  status: word('RECEIVED', 'CREATED', 'IN_PROGRESS', 'SUCCESS', 'FAILED'),
  count: whole(1, 999_999_999),
  done: whole(0, 999_999_999),
  success: whole(0, 999_999_999),
  failure: whole(0, 999_999_999),
  dateAdded: instant,
  started: maybeInstant,
  pace: orNull(whole(0, DURATION_MAX_MS)),
  webhook,
  metadata,
  text: utf8,
  outcome: bytes,
  charge: bytes,
  failures: list(failure),
});

const vaultEntry: Unnumbered<VaultEntry> = record<Omit<VaultEntry, 'id' | 'index'>>({
  pan,
  ccv: orNull(ccv),
  created: instant,
  expires: maybeInstant,
});

const customer = (reference: Reference): Unnumbered<Customer> =>
  record<Omit<Customer, 'id' | 'index'>>({
    reference: maybeText,
    firstName: maybeText,
    lastName: maybeText,
    email: maybeText,
    phone: maybeText,
    address: orNull(
      record<NonNullable<Customer['address']>>({
        line1: maybeText,
        line2: maybeText,
        city: maybeText,
        country: maybeText,
        postalCode: maybeText,
        state: maybeText,
      }),
    ),
    ip: maybeText,
    dateAdded: instant,
    dateRemoved: maybeInstant,
    defaultMethod: orNull(reference('paymentMethods')),
    metadata,
  });

const more = (reference: Reference): Shape<ChargeMore> =>
  record<ChargeMore>({
    refunds: list(record({ amountMinor: minor, dateAdded: instant, comment: maybeText })),
    failedAttempts: list(
      record({
        providerId: anyText,
        dateAttempted: instant,
        message: anyText,
        gatewayCode: maybeText,
        gatewayMessage: maybeText,
      }),
    ),
    initiator: orNull(word('CUSTOMER', 'MERCHANT')),
    descriptor: maybeText,
    token: maybeText,
    voidDate: maybeInstant,
    metadata,
    webhook,
    subscription: orNull(reference('subscriptions')),
  });

/** Left out where a charge has nothing of it, as with most. */
function optionalMore(reference: Reference): Shape<ChargeMore> {
  const { read, write } = more(reference);
  return {
    read: (value) => (value === undefined ? NOTHING_MORE : read(value)),
    write: (value) => (value === NOTHING_MORE ? undefined : write(value)),
  };
}

/** The tables whose records stand in a document as they are; a batch does not. */
export type PlainTable = Exclude<TableName, 'batches'>;

/** The order in which they stand in a document. */
export const PLAIN_TABLES: readonly PlainTable[] = [
  'customers',
  'vault',
  'paymentMethods',
  'webhookSubscriptions',
  'deliveries',
  'tokens',
  'charges',
  'providers',
  'subscriptions',
  'paymentLinks',
  'transfers',
];

/** How the records of each table stand in a document, and how they name sources and each other. */
export function recordShapes(
  sourceRef: Shape<Source>,
  reference: Reference,
): {
  readonly [T in PlainTable]: Unnumbered<RecordTypes[T]>;
} {
  const sharedProvider = shared(providerId);
  const sharedCurrency = shared(currency);
  return {
    customers: customer(reference),
    vault: vaultEntry,
    paymentMethods: record<Omit<PaymentMethod, 'id' | 'index'>>({
      customer: orNull(reference('customers')),
      source: sourceRef,
      providerId: sharedProvider,
      vault: orNull(reference('vault')),
      dateAdded: instant,
      dateRemoved: maybeInstant,
      metadata,
      origin: orNull(
        record<ProviderToken>({ token: anyText, data: metadata, singleUse: flag, email: maybeText }),
      ),
    }),
    webhookSubscriptions: webhookSubscription,
    deliveries: delivery,
    tokens: record<Omit<Token, 'id' | 'index'>>({
      providerId: sharedProvider,
      source: sourceRef,
      secret: orNull(record<NonNullable<Token['secret']>>({ pan: orNull(pan), ccv: orNull(ccv) })),
      vault: orNull(reference('vault')),
      ip: maybeText,
      metadata,
      dateAdded: instant,
      expires: instant,
      dateUsed: maybeInstant,
    }),
    charges: record<Omit<Charge, 'id' | 'index'>>({
      providerId: sharedProvider,
      amountMinor: minor,
      currency: sharedCurrency,
      status: word(...(Object.keys(TRANSITIONS) as ChargeStatus[])),
      reference: maybeText,
      authorisedMinor: orNull(minor),
      refundedMinor: minor,
      source: sourceRef,
      ccvCheck: orNull(flag),
      customer: orNull(reference('customers')),
      paymentMethod: orNull(reference('paymentMethods')),
      batch: orNull(reference('batches')),
      dateAdded: instant,
      successDate: maybeInstant,
      more: optionalMore(reference),
    }),
    providers: providerShape(instant),
    subscriptions: subscription(reference),
    paymentLinks: paymentLink,
    transfers: transfer(reference),
  };
}
