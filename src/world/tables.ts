import * as batches from '../records/batch.js';
import * as charges from '../records/charge.js';
import * as checkouts from '../records/checkout.js';
import type { Chance } from '../core/ids/chance.js';
import type { Codec } from '../core/store/codec.js';
import { refuseFull } from '../core/errors.js';
import { Identifiers, type SeedWords } from '../core/ids/random.js';
import { type IdEntry, RecordIds } from '../core/ids/record-ids.js';
import { type Rows, type StoredRecord, Table } from '../core/store/store.js';
import * as customers from '../records/customer.js';
import * as paymentLinks from '../records/payment-link.js';
import * as paymentMethods from '../records/payment-method.js';
import * as providers from '../records/provider.js';
import * as subscriptions from '../records/subscription.js';
import * as threeDSecure from '../records/authentication.js';
import * as tokens from '../records/token.js';
import * as transfers from '../records/transfer.js';
import * as vault from '../records/vault-entry.js';
import * as webhookSubscriptions from '../records/webhook-subscription.js';
import * as deliveries from '../webhooks/delivery.js';

export interface RecordTypes {
  charges: charges.Charge;
  customers: customers.Customer;
  paymentMethods: paymentMethods.PaymentMethod;
  vault: vault.VaultEntry;
  tokens: tokens.Token;
  batches: batches.Batch;
  providers: providers.ConfiguredProvider;
  webhookSubscriptions: webhookSubscriptions.WebhookSubscription;
  deliveries: deliveries.Delivery;
  subscriptions: subscriptions.Subscription;
  paymentLinks: paymentLinks.PaymentLink;
  transfers: transfers.Transfer;
  authentications: threeDSecure.Authentication;
  checkouts: checkouts.Checkout;
}

export type TableName = keyof RecordTypes;

interface RecordKind<R> {
  /** The name of one record in answers. */
  readonly kind: string;
  /** The word from which its identifiers are computed, if it is not `kind`. */
  readonly ids?: string;
  /** The name of the table in answers and documents. */
  readonly counted: string;
  /** Removed records are deleted. Those of other kinds stay, with the date of removal. */
  readonly forgets?: true;
  /** The fields of a record in a document, without the rows of a batch. */
  readonly fields: (links: paymentMethods.SourceLinks) => {
    readonly [K in Exclude<keyof R, 'id' | 'index' | 'rows'>]: Codec<R[K]>;
  };
}

/** Answers, documents and pages list the kinds in this order. */
export const KINDS: { readonly [T in TableName]: RecordKind<RecordTypes[T]> } = {
  charges: { kind: 'charge', counted: 'Charges', fields: charges.chargeFields },
  customers: { kind: 'customer', counted: 'Customers', fields: customers.customerFields },
  paymentMethods: { kind: 'paymentMethod', counted: 'PaymentMethods', fields: paymentMethods.methodFields },
  vault: {
    kind: 'vaultEntry',
    ids: 'vault',
    counted: 'VaultEntries',
    forgets: true,
    fields: vault.vaultEntryFields,
  },
  tokens: { kind: 'token', counted: 'Tokens', fields: tokens.tokenFields },
  batches: { kind: 'batch', counted: 'Batches', fields: batches.batchFields },
  providers: { kind: 'provider', counted: 'Providers', forgets: true, fields: providers.providerFields },
  webhookSubscriptions: {
    kind: 'webhookSubscription',
    counted: 'WebhookSubscriptions',
    fields: webhookSubscriptions.webhookSubscriptionFields,
  },
  deliveries: { kind: 'delivery', counted: 'Deliveries', forgets: true, fields: deliveries.deliveryFields },
  subscriptions: { kind: 'subscription', counted: 'Subscriptions', fields: subscriptions.subscriptionFields },
  paymentLinks: { kind: 'paymentLink', counted: 'PaymentLinks', fields: paymentLinks.linkFields },
  transfers: { kind: 'transfer', counted: 'Transfers', fields: transfers.transferFields },
  authentications: {
    kind: 'authentication',
    counted: 'Authentications',
    fields: threeDSecure.authenticationFields,
  },
  checkouts: { kind: 'checkout', counted: 'Checkouts', fields: checkouts.checkoutFields },
};

export const TABLES = Object.keys(KINDS) as readonly TableName[];

/** How many records are loaded in one turn of the event loop: a few milliseconds of work. */
const LOAD_TURN = 1000;

/** By the kind of a job, the table of the record that it is about. The timeline of a scenario has no records. */
export const TABLE_OF_JOB: Readonly<Record<string, TableName>> = {
  [charges.AUTHORISATION_EXPIRE]: 'charges',
  [charges.CHARGE_SETTLE]: 'charges',
  [tokens.TOKEN_EXPIRE]: 'tokens',
  [vault.VAULT_EXPIRE]: 'vault',
  [vault.VAULT_CCV_EXPIRE]: 'vault',
  [batches.BATCH_JOB.create]: 'batches',
  [batches.BATCH_JOB.start]: 'batches',
  [batches.BATCH_JOB.rows]: 'batches',
  [batches.BATCH_JOB.finish]: 'batches',
  [deliveries.WEBHOOK_DELIVER]: 'deliveries',
  [subscriptions.SUBSCRIPTION_CHARGE]: 'subscriptions',
  [transfers.TRANSFER_ARRIVE]: 'transfers',
  [threeDSecure.CHALLENGE_EXPIRE]: 'authentications',
  [checkouts.CHECKOUT_EXPIRE]: 'checkouts',
};

function buildIdentifiers(table: TableName, base: SeedWords): Identifiers {
  const { kind, ids = kind } = KINDS[table];
  return new Identifiers(base, ids);
}

export type AllRows = { readonly [T in TableName]: Rows<RecordTypes[T]> };

/** The chosen identifiers of each table that has any. */
export type AllGivenIds = { readonly [T in TableName]?: readonly IdEntry[] };

/** The identifier of the n-th record of a table, for a seed and chosen identifiers. */
export function buildIdLookup(table: TableName, base: SeedWords, given: AllGivenIds): (n: number) => string {
  const ids = new RecordIds(buildIdentifiers(table, base), given[table] ?? []);
  return (n) => ids.at(n);
}

export class Records {
  readonly charges: charges.ChargeTable;
  readonly customers: customers.CustomerTable;
  readonly paymentMethods: paymentMethods.PaymentMethodTable;
  readonly vault: Table<vault.VaultEntry>;
  readonly tokens: tokens.TokenTable;
  readonly batches: Table<batches.Batch>;
  readonly providers: providers.ProviderStore;
  readonly webhookSubscriptions: webhookSubscriptions.WebhookSubscriptionTable;
  readonly deliveries: deliveries.DeliveryStore;
  readonly subscriptions: Table<subscriptions.Subscription>;
  readonly paymentLinks: paymentLinks.PaymentLinkStore;
  readonly transfers: transfers.TransferTable;
  readonly authentications: threeDSecure.AuthenticationTable;
  readonly checkouts: checkouts.CheckoutTable;

  /** `max` limits each table except deliveries, which have their own limit. */
  constructor(chance: Chance, max: number) {
    const ids = (name: TableName): Identifiers => buildIdentifiers(name, chance.base);
    this.charges = new Table(ids('charges'), max, charges.CHARGE_KEYS);
    this.customers = new Table(ids('customers'), max, customers.CUSTOMER_KEYS);
    this.paymentMethods = new Table(ids('paymentMethods'), max, paymentMethods.PAYMENT_METHOD_KEYS);
    this.vault = new Table(ids('vault'), max, {});
    this.tokens = new Table(ids('tokens'), max, tokens.TOKEN_KEYS);
    this.batches = new Table(ids('batches'), max, {});
    this.providers = new providers.ProviderStore(ids('providers'), max, {});
    this.webhookSubscriptions = new Table(
      ids('webhookSubscriptions'),
      max,
      webhookSubscriptions.WEBHOOK_SUBSCRIPTION_KEYS,
    );
    this.deliveries = new deliveries.DeliveryStore(ids('deliveries'));
    this.subscriptions = new Table(ids('subscriptions'), max, {});
    this.paymentLinks = new paymentLinks.PaymentLinkStore(ids('paymentLinks'), max, {});
    this.transfers = new Table(ids('transfers'), max, transfers.TRANSFER_KEYS);
    this.authentications = new Table(ids('authentications'), max, threeDSecure.AUTHENTICATION_KEYS);
    this.checkouts = new Table(ids('checkouts'), max, checkouts.CHECKOUT_KEYS);
  }

  get recordCount(): number {
    let sum = 0;
    for (const name of TABLES) sum += this[name].size;
    return sum;
  }

  rows(): AllRows {
    return Object.fromEntries(TABLES.map((name) => [name, this[name].rows()])) as unknown as AllRows;
  }

  givenIds(): AllGivenIds {
    const given = TABLES.map((name) => [name, this[name].givenIds()] as const);
    return Object.fromEntries(given.filter(([, ids]) => ids.length > 0));
  }

  giveIds(given: AllGivenIds): void {
    for (const name of TABLES) this[name].giveIds(given[name] ?? []);
  }

  /** Fills new tables, in steps that each fit into a turn of the event loop. */
  *loadInSteps(rows: AllRows): Generator<void, void> {
    for (const name of TABLES) {
      const table: { load(rows: Rows<unknown>, end?: number): void } = this[name];
      for (let end = LOAD_TURN; end < rows[name].length; end += LOAD_TURN) {
        table.load(rows[name], end);
        yield;
      }
      table.load(rows[name]);
    }
  }

  /** Throws if a table has no room for more records. */
  requireRoom(table: Pick<Table<StoredRecord>, 'hasRoom' | 'max'>, noun: string, count = 1): void {
    if (table.hasRoom(count)) return;
    const detail = `This world is full: it holds at most ${table.max} ${noun}. Reset it to continue.`;
    refuseFull(detail);
  }
}
