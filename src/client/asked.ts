import type { ActionName } from '../control/scenario/simulate.js';
import type { NamedOutcome as OutcomeName } from '../outcomes/outcomes.js';
import type { PlainFault } from '../scenarios/fault.js';
import type { Operation } from '../scenarios/operations.js';
import type { EventType } from '../webhook-subscriptions/record.js';
import type { ChargeStatus } from './answers.js';

/** What a program asks of a world. Instants are ISO 8601 texts or dates. */

// The build writes the words of tables out in full.

export type { Operation };

/** A length of time, such as `250ms`, `30s`, `15m`, `2h`, `7d` or `PT2H`. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}` | `P${string}`;

/** An instant, such as `2030-01-01T00:00:00Z`. */
export type Instant = string | Date;

/** The outcomes with a name of their own. */
export type NamedOutcome = OutcomeName;

/** What a provider answers: one of these, or the name of a 9xx code, which `triggers()` lists. */
export type Outcome = NamedOutcome | (string & {});

/** What goes wrong on the way of an answer. */
export type Fault = PlainFault;

/** Before the operation, so that nothing happens, or after it was committed. */
export type Phase = 'before' | 'after';

/** How long an answer waits, in real time: always as long, or drawn from the seed. */
export type Delay =
  | Duration
  | { readonly min: Duration; readonly max: Duration }
  | { readonly median: Duration; readonly sigma: number };

/** What one call is answered: an outcome by its name, a fault, a delay, or an outcome or fault with a delay. */
export type QueuedOutcome =
  | Outcome
  | { readonly outcome: Outcome; readonly delay?: Delay; readonly phase?: Phase }
  | { readonly fault: Fault; readonly delay?: Delay; readonly phase?: Phase }
  | { readonly fault: 'status'; readonly status: number; readonly delay?: Delay; readonly phase?: Phase }
  | { readonly delay: Delay; readonly phase?: Phase };

/** Which calls of its operation a queue is for; `*` stands for any characters. */
export interface QueueMatch {
  readonly reference?: string;
  readonly providerId?: string;
  readonly cardNumber?: string;
  /** In major units, such as `15.5`: a number or a decimal text. */
  readonly amount?: number | string;
}

/** Which calls are meant; what is left out fits all. */
export interface EntryFilter {
  readonly operation?: Operation;
  readonly method?: string;
  /** `*` stands for any characters. */
  readonly path?: string;
  /** 0: no answer was given. */
  readonly status?: number;
  /** What decided, as `x-sandbox-trigger` says it. */
  readonly trigger?: string;
  readonly reference?: string;
  /** From this instant of the world's clock on. */
  readonly since?: Instant;
}

/** Which calls are meant, also by fields that the request's body has among others, named as on the wire. */
export interface EntryMatch extends EntryFilter {
  readonly body?: Readonly<Record<string, unknown>>;
}

/** How many are waited for, and how long in real time. */
export interface Patience {
  /** 1 unless given. */
  readonly count?: number;
  /** 5 s unless given, at most 60 s. */
  readonly timeout?: Duration;
}

/** The events that webhooks are sent for. */
export type WebhookEvent = EventType;

/** Which deliveries of an event are waited for. */
export interface DeliveryMatch extends Patience {
  readonly path?: string;
  /** The status that the receiver answered; delivered ones unless given. */
  readonly status?: number;
  readonly reference?: string;
  readonly since?: Instant;
  /** Fields that the delivered body has among others, named as on the wire. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** How far the clock is moved: by a time, or to an instant; never back. */
export type Advance =
  | Duration
  | { readonly by: Duration; readonly to?: never }
  | { readonly to: Instant; readonly by?: never };

/** How the clock shall go on, and where it shall stand before that. */
export type ClockChange =
  | { readonly mode: 'real' | 'manual'; readonly now?: Instant }
  | { readonly mode: 'scaled'; readonly rate?: number; readonly now?: Instant };

export interface ResetWish {
  /** The seed of the fresh world; that of the old one unless given. */
  readonly seed?: string;
  /** A scenario of the library, by its name. */
  readonly scenario?: string;
}

/** What can be made to happen at once. */
export type SimulatedAction = ActionName;

/** Which charges are meant; what is left out fits all. */
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

/** A card whose single-use token is wanted, named as on the wire. */
export interface TokenWish {
  /** The built-in provider that approves unless given. */
  readonly providerId?: string;
  readonly paymentInformation: {
    readonly CardNumber: string;
    readonly ExpiryDate: string;
    readonly Ccv?: string;
    readonly Cardholder?: string;
  };
}
