import type { State, Told } from './state.js';

/** Who is told of what was accepted: each receiver that lives then and wants the topic, the oldest first. */

const TOPICS: Readonly<Record<Told['table'], string>> = {
  charges: 'Transaction',
  batches: 'Batch',
  subscriptions: 'Subscription',
  customers: 'Customer',
  methods: 'PaymentMethod',
};

export function tell(state: State, type: string, table: Told['table'], n: number): void {
  for (const { url, topics, isGone } of state.receivers)
    if (!isGone && topics.includes(TOPICS[table])) state.told.push({ type, table, n, url });
}

export const tellCharge = (state: State, n: number): void =>
  tell(state, 'transaction.status.changed', 'charges', n);

export const tellBatch = (state: State, n: number): void => tell(state, 'batch.status.changed', 'batches', n);

export const tellSubscription = (state: State, n: number): void =>
  tell(state, 'subscription.status.changed', 'subscriptions', n);
