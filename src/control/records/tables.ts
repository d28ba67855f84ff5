import type { TableName } from '../../records.js';

interface TableRow {
  /** What one record is called in answers. */
  readonly kind: string;
  /** What the table is called in answers and documents. */
  readonly counted: string;
  /** The members that hold the numbers of other records, and in which table those are. */
  readonly references: Readonly<Record<string, TableName>>;
  /** Whether a removed record is gone for good; of the others it stays, and says so. */
  readonly forgets?: true;
}

/** What the control plane knows of each table. */
export const TABLE_ROWS: Readonly<Record<TableName, TableRow>> = {
  charges: {
    kind: 'charge',
    counted: 'Charges',
    references: { customer: 'customers', paymentMethod: 'paymentMethods', batch: 'batches' },
  },
  customers: { kind: 'customer', counted: 'Customers', references: { defaultMethod: 'paymentMethods' } },
  paymentMethods: {
    kind: 'paymentMethod',
    counted: 'PaymentMethods',
    references: { customer: 'customers', vault: 'vault' },
  },
  vault: { kind: 'vaultEntry', counted: 'VaultEntries', references: {}, forgets: true },
  tokens: { kind: 'token', counted: 'Tokens', references: { vault: 'vault' } },
  batches: { kind: 'batch', counted: 'Batches', references: {} },
  providers: { kind: 'provider', counted: 'Providers', references: {}, forgets: true },
  webhookSubscriptions: { kind: 'webhookSubscription', counted: 'WebhookSubscriptions', references: {} },
  deliveries: { kind: 'delivery', counted: 'Deliveries', references: {}, forgets: true },
  subscriptions: {
    kind: 'subscription',
    counted: 'Subscriptions',
    references: { paymentMethod: 'paymentMethods' },
  },
  paymentLinks: { kind: 'paymentLink', counted: 'PaymentLinks', references: {} },
  transfers: { kind: 'transfer', counted: 'Transfers', references: { charge: 'charges' } },
};
