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
  Transfer,
} from './state.js';

/** What was accepted in a world, in order. A state is nothing but these, applied one after the other. */
export type Event =
  | {
      readonly kind: 'charged';
      readonly charge: Omit<
        Charge,
        'status' | 'successAt' | 'voidAt' | 'refunds' | 'refundedAt' | 'attempts' | 'at'
      >;
      readonly approved: boolean;
    }
  | { readonly kind: 'captured'; readonly charge: number; readonly minor: number }
  | { readonly kind: 'voided'; readonly charge: number }
  | { readonly kind: 'refunded'; readonly charge: number; readonly minor: number }
  | { readonly kind: 'declined'; readonly charge: number }
  | { readonly kind: 'settled'; readonly charge: number; readonly approved: boolean }
  | { readonly kind: 'named'; readonly ids: readonly string[] }
  | {
      readonly kind: 'entryMade';
      readonly entry: Omit<Entry, 'isGone' | 'expires'>;
      readonly seconds: number | null;
    }
  | { readonly kind: 'entryDeleted'; readonly entry: number }
  | { readonly kind: 'ccvSet'; readonly entry: number; readonly ccv: string | null }
  | { readonly kind: 'tokenMade'; readonly token: Omit<Token, 'status'> }
  | { readonly kind: 'tokenSpent'; readonly token: number }
  | { readonly kind: 'customerMade'; readonly customer: Omit<Customer, 'at' | 'removedAt'> }
  | { readonly kind: 'customerChanged'; readonly customer: number; readonly change: Partial<Customer> }
  | { readonly kind: 'customerRemoved'; readonly customer: number }
  | {
      readonly kind: 'methodMade';
      readonly method: Omit<Method, 'at' | 'removedAt'>;
      readonly isDefault: boolean;
    }
  | { readonly kind: 'methodChanged'; readonly method: number; readonly source: Source }
  | { readonly kind: 'methodRemoved'; readonly method: number }
  | { readonly kind: 'batchMade'; readonly batch: Pick<Batch, 'id' | 'rows'> }
  | { readonly kind: 'subscribed'; readonly subscription: Subscription }
  | {
      readonly kind: 'subscriptionMoved';
      readonly subscription: number;
      readonly status: Subscription['status'];
    }
  | { readonly kind: 'transferred'; readonly transfers: readonly Omit<Transfer, 'status'>[] }
  | { readonly kind: 'linkMade'; readonly link: Omit<Link, 'paid'> }
  | { readonly kind: 'linkPaid'; readonly link: number }
  | { readonly kind: 'providerMade'; readonly provider: Omit<Provider, 'isGone'> }
  | { readonly kind: 'providerNamed'; readonly provider: number; readonly name: string }
  | { readonly kind: 'providerRemoved'; readonly provider: number }
  | { readonly kind: 'receiverMade'; readonly receiver: Omit<Receiver, 'isGone'> }
  | { readonly kind: 'receiverRemoved'; readonly receiver: number }
  | { readonly kind: 'counted'; readonly name: string }
  | { readonly kind: 'queued'; readonly operation: string; readonly outcomes: readonly string[] }
  | { readonly kind: 'queueUsed'; readonly queue: number }
  | { readonly kind: 'ruleActed' }
  | { readonly kind: 'played'; readonly scenario: number | null }
  | { readonly kind: 'entered' }
  | { readonly kind: 'advanced'; readonly to: number };
