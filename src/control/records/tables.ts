import type { TableName } from '../../records.js';

interface TableRow {
  /** What one record is called in answers. */
  readonly kind: string;
  /** What the table is called in answers and documents. */
  readonly counted: string;
  /** Whether a removed record is gone for good; of the others it stays, and says so. */
  readonly forgets?: true;
}

/** What the control plane knows of each table. */
export const TABLE_ROWS: Readonly<Record<TableName, TableRow>> = {
  charges: {
    kind: 'charge',
    counted: 'Charges',
  },
  customers: { kind: 'customer', counted: 'Customers' },
  paymentMethods: {
    kind: 'paymentMethod',
    counted: 'PaymentMethods',
  },
  vault: { kind: 'vaultEntry', counted: 'VaultEntries', forgets: true },
  tokens: { kind: 'token', counted: 'Tokens' },
  batches: { kind: 'batch', counted: 'Batches' },
  providers: { kind: 'provider', counted: 'Providers', forgets: true },
  webhookSubscriptions: { kind: 'webhookSubscription', counted: 'WebhookSubscriptions' },
  deliveries: { kind: 'delivery', counted: 'Deliveries', forgets: true },
  subscriptions: {
    kind: 'subscription',
    counted: 'Subscriptions',
  },
  paymentLinks: { kind: 'paymentLink', counted: 'PaymentLinks' },
  transfers: { kind: 'transfer', counted: 'Transfers' },
};
