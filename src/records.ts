import {
  BATCH_CREATE,
  BATCH_FINISH,
  BATCH_ROWS,
  BATCH_START,
  type Batch,
  batchFields,
} from './batches/record.js';
import {
  AUTHORISATION_EXPIRE,
  type Charge,
  CHARGE_KEYS,
  CHARGE_SETTLE,
  chargeFields,
  type ChargeTable,
} from './charges/record.js';
import type { Chance } from './core/chance.js';
import type { Codec } from './core/codec.js';
import { CODE, refuse } from './core/errors.js';
import { Identifiers, type Words } from './core/random.js';
import { type IdEntry, RecordIds } from './core/record-ids.js';
import { type Rows, type Stored, Table } from './core/store.js';
import { type Customer, CUSTOMER_KEYS, customerFields, type CustomerTable } from './customers/record.js';
import { linkFields, type PaymentLink, PaymentLinkStore } from './payment-links/record.js';
import {
  methodFields,
  PAYMENT_METHOD_KEYS,
  type PaymentMethod,
  type PaymentMethodTable,
  type SourceLinks,
} from './payment-methods/record.js';
import { type ConfiguredProvider, providerFields, ProviderStore } from './providers/record.js';
import { type Subscription, SUBSCRIPTION_CHARGE, subscriptionFields } from './subscriptions/record.js';
import { type Token, TOKEN_EXPIRE, tokenFields } from './tokens/record.js';
import {
  type Transfer,
  TRANSFER_ARRIVE,
  TRANSFER_KEYS,
  transferFields,
  type TransferTable,
} from './transfers/record.js';
import { entryFields, VAULT_EXPIRE, type VaultEntry } from './vault/record.js';
import {
  WEBHOOK_SUBSCRIPTION_KEYS,
  type WebhookSubscription,
  webhookSubscriptionFields,
  type WebhookSubscriptionTable,
} from './webhook-subscriptions/record.js';
import { type Delivery, deliveryFields, DeliveryStore, WEBHOOK_DELIVER } from './webhooks/record.js';

/** The kinds of records that a world holds, by the names of their tables. */
export interface RecordTypes {
  charges: Charge;
  customers: Customer;
  paymentMethods: PaymentMethod;
  vault: VaultEntry;
  tokens: Token;
  batches: Batch;
  providers: ConfiguredProvider;
  webhookSubscriptions: WebhookSubscription;
  deliveries: Delivery;
  subscriptions: Subscription;
  paymentLinks: PaymentLink;
  transfers: Transfer;
}

export type TableName = keyof RecordTypes;

/** What the sandbox knows of a kind of records. */
interface Kind<R> {
  /** What one record is called in answers. */
  readonly kind: string;
  /** What its identifiers are computed from, where that is not `kind`. */
  readonly ids?: string;
  /** What the table is called in answers and documents. */
  readonly counted: string;
  /** Whether a removed record is gone for good; of the others it stays, and says so. */
  readonly forgets?: true;
  /** The fields of a record in a document; the rows of a batch stand beside them. */
  readonly fields: (links: SourceLinks) => {
    readonly [K in Exclude<keyof R, 'id' | 'index' | 'rows'>]: Codec<R[K]>;
  };
}

/** The kinds in the order in which they are listed everywhere. */
export const KINDS: { readonly [T in TableName]: Kind<RecordTypes[T]> } = {
  charges: { kind: 'charge', counted: 'Charges', fields: chargeFields },
  customers: { kind: 'customer', counted: 'Customers', fields: customerFields },
  paymentMethods: { kind: 'paymentMethod', counted: 'PaymentMethods', fields: methodFields },
  vault: { kind: 'vaultEntry', ids: 'vault', counted: 'VaultEntries', forgets: true, fields: entryFields },
  tokens: { kind: 'token', counted: 'Tokens', fields: tokenFields },
  batches: { kind: 'batch', counted: 'Batches', fields: batchFields },
  providers: { kind: 'provider', counted: 'Providers', forgets: true, fields: providerFields },
  webhookSubscriptions: {
    kind: 'webhookSubscription',
    counted: 'WebhookSubscriptions',
    fields: webhookSubscriptionFields,
  },
  deliveries: { kind: 'delivery', counted: 'Deliveries', forgets: true, fields: deliveryFields },
  subscriptions: { kind: 'subscription', counted: 'Subscriptions', fields: subscriptionFields },
  paymentLinks: { kind: 'paymentLink', counted: 'PaymentLinks', fields: linkFields },
  transfers: { kind: 'transfer', counted: 'Transfers', fields: transferFields },
};

export const TABLES = Object.keys(KINDS) as readonly TableName[];

/** Records that are loaded between two turns of the event loop: a few milliseconds' worth. */
const LOAD_TURN = 1000;

/** Which table's records the jobs of a kind are about; the entries of a scenario's timeline are no records. */
export const TABLE_OF_JOB: Readonly<Record<string, TableName>> = {
  [AUTHORISATION_EXPIRE]: 'charges',
  [CHARGE_SETTLE]: 'charges',
  [TOKEN_EXPIRE]: 'tokens',
  [VAULT_EXPIRE]: 'vault',
  [BATCH_CREATE]: 'batches',
  [BATCH_START]: 'batches',
  [BATCH_ROWS]: 'batches',
  [BATCH_FINISH]: 'batches',
  [WEBHOOK_DELIVER]: 'deliveries',
  [SUBSCRIPTION_CHARGE]: 'subscriptions',
  [TRANSFER_ARRIVE]: 'transfers',
};

/** What the identifiers of a table are computed from. */
function identifiersIn(table: TableName, base: Words): Identifiers {
  const { kind, ids = kind } = KINDS[table];
  return new Identifiers(base, ids);
}

/** The records of every kind. */
export type AllRows = { readonly [T in TableName]: Rows<RecordTypes[T]> };

/** The identifiers that somebody chose, by table; a table without any is left out. */
export type AllGivenIds = { readonly [T in TableName]?: readonly IdEntry[] };

/** The identifier of the n-th record of a table, in worlds that are made from a base and chosen identifiers. */
export function identifierIn(table: TableName, base: Words, given: AllGivenIds): (n: number) => string {
  const ids = new RecordIds(identifiersIn(table, base), given[table] ?? []);
  return (n) => ids.at(n);
}

/** All records of a world: one table a kind. */
export class Records {
  readonly charges: ChargeTable;
  readonly customers: CustomerTable;
  readonly paymentMethods: PaymentMethodTable;
  readonly vault: Table<VaultEntry>;
  readonly tokens: Table<Token>;
  readonly batches: Table<Batch>;
  readonly providers: ProviderStore;
  readonly webhookSubscriptions: WebhookSubscriptionTable;
  readonly deliveries: DeliveryStore;
  readonly subscriptions: Table<Subscription>;
  readonly paymentLinks: PaymentLinkStore;
  readonly transfers: TransferTable;

  /** Each table takes at most `max` records; that of deliveries has a bound of its own. */
  constructor(chance: Chance, max: number) {
    const ids = (name: TableName): Identifiers => identifiersIn(name, chance.base);
    this.charges = new Table(ids('charges'), max, CHARGE_KEYS);
    this.customers = new Table(ids('customers'), max, CUSTOMER_KEYS);
    this.paymentMethods = new Table(ids('paymentMethods'), max, PAYMENT_METHOD_KEYS);
    this.vault = new Table(ids('vault'), max, {});
    this.tokens = new Table(ids('tokens'), max, {});
    this.batches = new Table(ids('batches'), max, {});
    this.providers = new ProviderStore(ids('providers'), max, {});
    this.webhookSubscriptions = new Table(ids('webhookSubscriptions'), max, WEBHOOK_SUBSCRIPTION_KEYS);
    this.deliveries = new DeliveryStore(ids('deliveries'));
    this.subscriptions = new Table(ids('subscriptions'), max, {});
    this.paymentLinks = new PaymentLinkStore(ids('paymentLinks'), max, {});
    this.transfers = new Table(ids('transfers'), max, TRANSFER_KEYS);
  }

  /** All records as they are now. */
  rows(): AllRows {
    return Object.fromEntries(TABLES.map((name) => [name, this[name].rows()])) as unknown as AllRows;
  }

  /** The identifiers that somebody chose. */
  givenIds(): AllGivenIds {
    const given = TABLES.map((name) => [name, this[name].givenIds()] as const);
    return Object.fromEntries(given.filter(([, ids]) => ids.length > 0));
  }

  /** Gives records of fresh tables chosen identifiers. */
  giveIds(given: AllGivenIds): void {
    for (const name of TABLES) this[name].giveIds(given[name] ?? []);
  }

  /** Fills fresh tables, a turn of the event loop's worth at each step. */
  *loading(rows: AllRows): Generator<void, void> {
    for (const name of TABLES) {
      const table: { load(rows: Rows<unknown>, end?: number): void } = this[name];
      for (let end = LOAD_TURN; end < rows[name].length; end += LOAD_TURN) {
        table.load(rows[name], end);
        yield;
      }
      table.load(rows[name]);
    }
  }

  /** Refuses when a table has no room for more records. */
  requireRoom(table: Pick<Table<Stored>, 'hasRoom' | 'max'>, what: string, count = 1): void {
    if (table.hasRoom(count)) return;
    refuse(CODE.RetryLater, `This world is full: it holds at most ${table.max} ${what}. Reset it to go on.`);
  }
}
