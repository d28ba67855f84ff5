import type { ActionName } from '../control/scenario/simulate.js';
import type { ChargeStatus } from './answers.js';
import type { Duration, Fault, Instant, Operation, Outcome, Phase } from './words.js';

/** The arguments of calls to a world. Instants are ISO 8601 texts or Dates. */

// The build writes out the types that come from tables.

/** Selects the calls that use a queue. `*` matches any characters. */
export interface QueueMatch {
  readonly reference?: string;
  readonly providerId?: string;
  readonly cardNumber?: string;
  /** In major units, as a number or a decimal text, such as `15.5`. */
  readonly amount?: number | string;
}

/** Which calls wait, and how long. */
export interface HoldOptions {
  readonly match?: QueueMatch;
  /** How many calls. Default: 1. */
  readonly count?: number;
  /** How long each call waits in real time, at most 1 h. Then it is decided as usual. Default: 60 s. */
  readonly timeout?: Duration;
}

/** The decision about a call that waits: an outcome or a fault. Without either, it is decided as usual. */
export interface CallDecision {
  readonly outcome?: Outcome;
  readonly fault?: Fault;
  /** When the fault happens. `after` without a fault performs the call, sends its webhooks, and makes its answer wait again. */
  readonly phase?: Phase;
}

/** Selects calls of the journal. Fields that are left out match all. */
export interface EntryFilter {
  readonly operation?: Operation;
  readonly method?: string;
  /** `*` matches any characters. */
  readonly path?: string;
  /** The HTTP status; 0 means no answer. */
  readonly status?: number;
  /** The trigger of the outcome, as in `x-sandbox-trigger`. */
  readonly trigger?: string;
  readonly reference?: string;
  /** Only calls at or after this instant, by the world's clock. */
  readonly since?: Instant;
  /** Only calls that a restored snapshot has undone, or only the others. Default: the others; both in a list. */
  readonly undone?: boolean;
}

/** Selects calls to list. */
export interface EntrySearch extends EntryFilter {
  /** A text that the path, the status, a body or the trigger contains, in any letter case. */
  readonly search?: string;
}

/** Selects calls of the journal, also by their bodies. */
export interface EntryMatch extends EntryFilter {
  /** Fields that the request's body must contain, named as on the wire. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** How many calls or webhooks to wait for, and how long. */
export interface WaitOptions {
  /** Default: 1. */
  readonly count?: number;
  /** In real time, at most 60 s. Default: 5 s. */
  readonly timeout?: Duration;
}

/** Selects the deliveries of an event to wait for. */
export interface DeliveryMatch extends WaitOptions {
  readonly path?: string;
  /** The HTTP status of the receiver's answer. Default: webhooks that were delivered. */
  readonly status?: number;
  readonly reference?: string;
  readonly since?: Instant;
  /** Fields that the delivered body must contain, named as on the wire. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** How far to move the clock: by a duration, or to an instant. The clock never moves back. */
export type Advance =
  | Duration
  | { readonly by: Duration; readonly to?: never }
  | { readonly to: Instant; readonly by?: never };

/** A mode of the clock, and optionally the instant to start from. */
export type ClockChange =
  | { readonly mode: 'real' | 'manual'; readonly now?: Instant }
  | { readonly mode: 'scaled'; readonly rate?: number; readonly now?: Instant };

/** The settings that a sandbox has for all worlds, and that a reset can set for one. */
export interface WorldOptions {
  /** The format of requests and answers: as specified, or as client libraries send and read it. Default: `auto`, `sdk` for libraries that name themselves. */
  readonly dialect?: 'auto' | 'documented' | 'sdk';
  /** The lifetime of a single-use token, in milliseconds. Default: 15 minutes. */
  readonly tokenTtl?: number;
  /** The lifetime of an authorisation that is not captured, in milliseconds. Default: 7 days. */
  readonly authorisationTtl?: number;
  /** How long a payer has to approve a check-out, in milliseconds. Default: 30 minutes. */
  readonly checkoutTtl?: number;
  /** How long a vault entry stores a Ccv that no charge uses, in milliseconds. Default: without limit. */
  readonly ccvTtl?: number | null;
  /** Refuse a ProviderId that is neither built in nor configured, with code 39. */
  readonly knownProvidersOnly?: boolean;
  /** Milliseconds per row of a batch. Default: 100, and less in batches of more than 300 rows. */
  readonly batchPace?: number | null;
  /** Delays every answer of the service, in real milliseconds, at most 60,000. Default: 0. */
  readonly delay?: number;
  /** Refuse unknown fields and filters instead of warning. */
  readonly strict?: boolean;
  /** Refuse card numbers that are not published test cards. */
  readonly testCardsOnly?: boolean;
  /** Which receivers may get webhooks. Default: `private`, those on loopback and private addresses. */
  readonly webhooks?: 'private' | 'public' | 'off';
  /** The key that signs webhooks, such as the one from the service's dashboard. Default: webhooks are not signed. */
  readonly webhookSecret?: string | null;
  /** The prefix of the webhook headers `Version` and `Signature`. Default: `X-Payfurl-`. */
  readonly webhookHeaderPrefix?: string;
}

/** The new world. All but its scenario stay through later resets without a name. */
export interface ResetOptions {
  /** The seed of the new world. Default: the seed of the old one. */
  readonly seed?: string;
  /**
   * Worlds with the same seed and name have the same identifiers and random choices. Default: the key. A reset with a name starts from
   * the seed, clock and settings of the sandbox, whatever earlier resets gave.
   */
  readonly name?: string;
  /** The name of a scenario of the library. */
  readonly scenario?: string;
  /** How its time passes, and where it starts. */
  readonly clock?: ClockChange | 'real' | 'manual';
  /** Settings in place of those of the sandbox. `webhooks` and `testCardsOnly` can only become stricter. */
  readonly settings?: WorldOptions;
}

/** Actions that `simulate` performs. */
export type SimulatedAction = ActionName;

/** Selects charges. Fields that are left out match all. */
export interface ChargeFilter {
  readonly reference?: string;
  readonly status?: ChargeStatus;
  readonly customerId?: string;
  readonly paymentMethodId?: string;
  readonly batchId?: string;
  readonly subscriptionId?: string;
  readonly currency?: string;
  readonly providerId?: string;
}

/** An order as a shop knows it. Amounts are in major units, as numbers or decimal texts. */
export interface Order {
  /** The reference of its charges. Orders without one are compared in total. */
  readonly reference?: string | null;
  readonly amount: number | string;
  /** Default: the currency of the charges with its reference if they have only one, otherwise AUD. */
  readonly currency?: string | null;
  /** Whether the shop believes that it is paid; null if it does not know. */
  readonly paid: boolean | null;
  /** How much of a paid order the shop believes it refunded. Default: 0. If the shop does not know, `paid` is null. */
  readonly refunded?: number | string;
}

/** The card and provider of a single-use token. */
export interface TokenRequest {
  /** Default: the built-in provider that approves. */
  readonly providerId?: string;
  /** The card, with field names as on the wire. */
  readonly paymentInformation: {
    readonly CardNumber: string;
    readonly ExpiryDate: string;
    readonly Ccv?: string;
    readonly Cardholder?: string;
  };
}
