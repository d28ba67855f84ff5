import type { Delay, Duration, Fault, Operation, Outcome, Phase, WebhookEvent } from './asked.js';

/** A scenario as it stands in a file, whose fields docs/reference/scenario-file.md explains. */
export interface ScenarioDefinition {
  readonly name: string;
  readonly description?: string;
  /** These act when a world is made or reset. */
  readonly seed?: string | number;
  readonly clock?: 'real' | 'manual' | `x${number}`;
  readonly startTime?: string;
  readonly dialect?: 'documented' | 'sdk';
  /** The secret keys that it is for; all unless given. */
  readonly keys?: string | readonly string[];
  readonly providers?: readonly ScenarioProvider[];
  /** What worlds begin with. */
  readonly seedData?: SeedData;
  readonly rules?: readonly ScenarioRule[];
  readonly timeline?: readonly TimelineEntry[];
  /** How long the vault keeps a Ccv that no charge uses. */
  readonly ccvTtl?: Duration;
  /** Refuses a ProviderId that is neither built in nor configured. */
  readonly knownProvidersOnly?: boolean;
  readonly batches?: {
    /** For each row. */
    readonly pace?: 'immediate' | Duration;
    /** The share of the rows, 0 to 1, after which a batch fails or stops for good. */
    readonly failAt?: number;
    readonly stuckAt?: number;
  };
  readonly webhooks?: { readonly secret?: string; readonly policies?: readonly WebhookPolicy[] };
}

type OneOrMany<T> = T | readonly T[];
type States = Readonly<Record<string, string | number | boolean | null>>;

/** Which of the calls that match all the rest, counted from 1. */
interface Counting {
  readonly nth?: OneOrMany<number>;
  readonly every?: number;
  /** How many are left alone before counting begins. */
  readonly after?: number;
}

export interface ScenarioRule {
  readonly name?: string;
  /** Every condition has to hold; texts are patterns, in which `*` stands for any characters. */
  readonly when?: Counting & {
    readonly operation?: OneOrMany<Operation | `${string}*`>;
    readonly provider?: OneOrMany<string>;
    readonly card?: OneOrMany<string | number>;
    /** In major units. */
    readonly amount?:
      | OneOrMany<number | string>
      | {
          readonly gt?: number | string;
          readonly gte?: number | string;
          readonly lt?: number | string;
          readonly lte?: number | string;
        };
    readonly currency?: OneOrMany<string>;
    readonly reference?: OneOrMany<string>;
    readonly customer?: OneOrMany<string>;
    readonly header?: Readonly<Record<string, OneOrMany<string>>>;
    readonly state?: States;
  };
  readonly then: ScenarioEffect;
  /** How often it acts at most. */
  readonly times?: number;
}

/** What a rule does: one of outcome, fault, respond and nothing, together with a delay and states. */
export interface ScenarioEffect {
  readonly outcome?: Outcome;
  readonly fault?: Fault | { readonly quota: number; readonly window: Duration };
  readonly respond?: {
    readonly status: number;
    readonly body?: unknown;
    /** In seconds. */
    readonly retryAfter?: number;
  };
  readonly nothing?: true;
  readonly delay?: Delay;
  readonly phase?: Phase;
  readonly state?: States;
}

export interface TimelineEntry {
  /** Since the scenario began, such as `+1h`. */
  readonly at: `+${Duration}`;
  readonly do:
    | { readonly providerDown: string }
    | { readonly providerUp: string }
    | { readonly setState: States };
}

export interface WebhookPolicy {
  readonly name?: string;
  readonly when?: Counting & {
    readonly event?: OneOrMany<WebhookEvent | `${string}*`>;
    readonly url?: OneOrMany<string>;
    readonly status?: OneOrMany<string>;
    readonly reference?: OneOrMany<string>;
    readonly state?: States;
  };
  readonly then: {
    readonly duplicate?: number;
    readonly delay?: Duration;
    readonly swap?: true;
    readonly drop?: true;
    readonly badSignature?: true;
    readonly staleTimestamp?: Duration;
  };
  readonly times?: number;
}

/** A provider that a scenario brings along; docs/reference/scenario-file.md has all fields. */
export interface ScenarioProvider {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Records with identifiers of the author's choice; docs/reference/scenario-file.md has the fields of each. */
export interface SeedData {
  /** People made up from the seed, such as `200 customers`. */
  readonly fake?: string;
  readonly [records: string]: string | readonly Readonly<Record<string, unknown>>[] | undefined;
}
