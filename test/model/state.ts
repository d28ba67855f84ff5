import { START } from './spec.js';
import type { Unit } from './arithmetic.js';

/** What the model believes of one world: all of it follows from the events that were accepted there. */

export type ChargeStatus =
  | 'PENDING'
  | 'FAILED'
  | 'SUCCESS'
  | 'PARTIAL_REFUND'
  | 'REFUND'
  | 'Authorised'
  | 'AUTHORISE_CANCELLED';

/** What is charged: a card by its number, or an account. */
export interface Source {
  readonly type: 'CARD' | 'BANK_ACCOUNT' | 'PAYTO';
  readonly number: string;
  /** MM/YY; null: it is no card. */
  readonly expiry: string | null;
  /** The card, account or token whose row in the table of triggers it follows. */
  readonly trigger: string;
  /** What the payer of an agreement agreed to: the most in major units, once it is active. */
  readonly agreed?: { readonly isActive: boolean; readonly maximum: number };
}

export interface Charge {
  /** Null: time made it, and no answer has named it yet. */
  id: string | null;
  readonly provider: string;
  readonly currency: string;
  readonly source: Source;
  readonly reference: string | null;
  readonly authorised: number | null;
  readonly ccvCheck: boolean | null;
  readonly customer: number | null;
  readonly method: number | null;
  readonly batch: number | null;
  readonly subscription: number | null;
  readonly at: number;
  status: ChargeStatus;
  minor: number;
  refunds: number[];
  refundedAt: number[];
  attempts: number;
  successAt: number | null;
  voidAt: number | null;
}

export interface Customer {
  readonly id: string;
  readonly at: number;
  first: string | null;
  last: string | null;
  email: string | null;
  reference: string | null;
  removedAt: number | null;
  defaultMethod: number | null;
}

export interface Method {
  readonly id: string;
  readonly provider: string;
  readonly customer: number | null;
  readonly vault: number | null;
  readonly at: number;
  source: Source;
  /** What its provider calls it, where that can be stored once. */
  readonly once: string | null;
  removedAt: number | null;
}

export interface Entry {
  readonly id: string;
  readonly pan: string;
  readonly expires: number | null;
  ccv: string | null;
  isGone: boolean;
}

export interface Token {
  readonly id: string;
  readonly provider: string;
  readonly source: Source;
  readonly ccv: string | null;
  readonly vault: number | null;
  status: 'ACTIVE' | 'USED' | 'EXPIRED';
}

export type TransactionStatus = 'CREATED' | 'CHALLENGED' | 'PASSED' | 'FAILED' | 'UNAVAILABLE';

/** A transaction of 3-D Secure, begun by a page or by a charge that was declined for want of it. */
export interface Transaction {
  /** Null: a declined charge began it, and no answer has named it yet. */
  id: string | null;
  /** The text of its token; null: a charge had the card itself. */
  readonly token: string | null;
  readonly source: Source;
  /** Whether a charge was declined for want of it. */
  isRequired: boolean;
  status: TransactionStatus;
  ending: 'approve' | 'fail' | 'abandon' | 'timeOut' | null;
  /** The charge that it was used for. */
  charge: number | null;
}

export interface Row {
  readonly method: number | null;
  readonly text: string;
  readonly amount: string;
  readonly currency: string;
  readonly reference: string;
}

export interface Batch {
  readonly id: string;
  readonly rows: readonly Row[];
  status: 'RECEIVED' | 'CREATED' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILED';
  started: number;
  /** For each row done: the charge of a success, or whether a failed one is worth another try. */
  done: ({ charge: number } | { retryable: boolean })[];
}

export interface Subscription {
  readonly id: string;
  readonly method: number;
  readonly minor: number;
  readonly currency: string;
  readonly unit: Unit;
  readonly frequency: number;
  readonly count: number | null;
  readonly retry: { maximum: number; unit: 'Hour' | 'Day'; frequency: number } | null;
  readonly anchor: number;
  status: 'Active' | 'Suspended' | 'Cancelled' | 'Complete';
  turn: number;
  retries: number;
  lastDue: number | null;
  charged: number;
}

export interface Transfer {
  readonly id: string;
  readonly charge: number;
  readonly at: number;
  readonly group: string;
  readonly reference: string | null;
  readonly minor: number;
  readonly total: number;
  status: 'PENDING' | 'SUCCESS';
}

export interface Link {
  readonly id: string;
  /** The amount as its maker wrote it; null: the payer says it. */
  readonly text: string | null;
  readonly minor: number | null;
  readonly currency: string;
  readonly limit: number | null;
  readonly takesCards: boolean;
  readonly invoice: string | null;
  paid: number;
}

/** A provider that was configured. */
export interface Provider {
  readonly id: string;
  name: string;
  readonly hasCosts: boolean;
  isGone: boolean;
}

/** Who is told of events. */
export interface Receiver {
  readonly id: string;
  readonly url: string;
  readonly topics: readonly string[];
  isGone: boolean;
}

/** What a receiver was told of. */
export interface Told {
  readonly type: string;
  readonly table: 'charges' | 'batches' | 'subscriptions' | 'customers' | 'methods';
  readonly n: number;
  readonly url: string;
}

export type JobKind =
  | 'token'
  | 'vault'
  | 'authorisation'
  | 'settle'
  | 'batch.create'
  | 'batch.start'
  | 'batch.row'
  | 'batch.finish'
  | 'subscription'
  | 'transfer'
  | 'challenge';

export interface Job {
  readonly due: number;
  readonly turn: number;
  readonly kind: JobKind;
  readonly ref: number;
}

export interface State {
  now: number;
  charges: Charge[];
  customers: Customer[];
  methods: Method[];
  entries: Entry[];
  tokens: Token[];
  transactions: Transaction[];
  batches: Batch[];
  subscriptions: Subscription[];
  transfers: Transfer[];
  links: Link[];
  providers: Provider[];
  receivers: Receiver[];
  told: Told[];
  jobs: Job[];
  nextTurn: number;
  /** How often triggers and the flaky provider were asked. */
  counts: Record<string, number>;
  queues: { operation: string; outcomes: string[] }[];
  /** The scenario that is played, by its place in the list of those that tests know; null: none. */
  scenario: number | null;
  /** How often its rule acted. */
  acted: number;
}

export function emptyState(): State {
  return {
    now: START,
    charges: [],
    customers: [],
    methods: [],
    entries: [],
    tokens: [],
    transactions: [],
    batches: [],
    subscriptions: [],
    transfers: [],
    links: [],
    providers: [],
    receivers: [],
    told: [],
    jobs: [],
    nextTurn: 0,
    counts: {},
    queues: [],
    scenario: null,
    acted: 0,
  };
}

/** A record that must be there: the model itself put its number where it was found. */
export function at<R>(records: readonly R[], n: number): R {
  const found = records[n];
  if (found === undefined) throw new Error(`The model has no record number ${n}`);
  return found;
}

/** The number of the newest transaction of a token that no charge has used; -1: there is none. */
export const newestOf = ({ transactions }: State, token: string): number =>
  transactions.findLastIndex((one) => one.token === token && one.charge === null);

/** What is left of a captured charge: each refund and each transfer takes of it. */
export function leftOf({ charges, transfers }: State, n: number): number {
  const charge = at(charges, n);
  const sent = transfers.filter((one) => one.charge === n);
  return charge.minor - refundedOf(charge) - sent.reduce((sum, { minor }) => sum + minor, 0);
}

export const refundedOf = ({ refunds }: Charge): number => refunds.reduce((sum, minor) => sum + minor, 0);
