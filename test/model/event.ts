import type {
  Batch,
  Charge,
  Customer,
  Entry,
  Link,
  Method,
  Provider,
  Receiver,
  Source,
  Subscription,
  Token,
  Transaction,
  TransactionStatus,
  Transfer,
} from './state.js';

/** What there is to say of what was accepted, by its kind. */
interface Accepted {
  charged: {
    charge: Omit<Charge, 'status' | 'successAt' | 'voidAt' | 'refunds' | 'refundedAt' | 'attempts' | 'at'>;
    approved: boolean;
    /** Whether it waits for its payer to answer a challenge. */
    waits?: boolean;
  };
  captured: { charge: number; minor: number };
  voided: { charge: number };
  refunded: { charge: number; minor: number };
  declined: { charge: number };
  settled: { charge: number; approved: boolean };
  bankAsked: { charge: number };
  named: { ids: readonly string[] };
  entryMade: { entry: Omit<Entry, 'isGone' | 'expires'>; seconds: number | null };
  entryDeleted: { entry: number };
  ccvSet: { entry: number; ccv: string | null };
  tokenMade: { token: Omit<Token, 'status'> };
  tokenSpent: { token: number };
  authenticationDemanded: { token: string; source: Source };
  transactionBegun: { transaction: Pick<Transaction, 'id' | 'token' | 'source' | 'isRequired'> };
  transactionAsked: { transaction: number; status: TransactionStatus };
  challengeEnded: { transaction: number; ending: NonNullable<Transaction['ending']> };
  transactionUsed: { transaction: number };
  transactionsNamed: { ids: readonly string[] };
  customerMade: { customer: Omit<Customer, 'at' | 'removedAt'> };
  customerChanged: { customer: number; change: Partial<Customer> };
  customerRemoved: { customer: number };
  methodMade: { method: Omit<Method, 'at' | 'removedAt'>; isDefault: boolean };
  methodChanged: { method: number; source: Source };
  methodRemoved: { method: number };
  batchFailed: { batch: number };
  batchMade: { batch: Pick<Batch, 'id' | 'rows'> };
  subscribed: { subscription: Subscription };
  subscriptionMoved: { subscription: number; status: Subscription['status'] };
  transferred: { transfers: readonly Omit<Transfer, 'status' | 'at'>[] };
  linkMade: { link: Omit<Link, 'paid'> };
  linkPaid: { link: number };
  providerMade: { provider: Omit<Provider, 'isGone'> };
  providerNamed: { provider: number; name: string };
  providerRemoved: { provider: number };
  receiverMade: { receiver: Omit<Receiver, 'isGone'> };
  receiverRemoved: { receiver: number };
  counted: { name: string };
  queued: { operation: string; outcomes: readonly string[] };
  queueUsed: { queue: number };
  ruleActed: object;
  played: { scenario: number | null };
  entered: object;
  advanced: { to: number };
}

/** What was accepted in a world, in order. A state is nothing but these, applied one after the other. */
export type Event = {
  [K in keyof Accepted]: { readonly kind: K } & Readonly<Accepted[K]>;
}[keyof Accepted];
