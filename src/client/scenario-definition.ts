import type { Delay, Duration, Fault, Operation, Outcome, Phase, WebhookEvent } from './words.js';

/** A scenario, with the same fields as a scenario file. docs/reference/scenario-file.md describes them. */
export interface ScenarioDefinition {
  readonly name: string;
  readonly description?: string;
  /** Seed, clock, start time and dialect take effect when a world is created or reset. */
  readonly seed?: string | number;
  readonly clock?: 'real' | 'manual' | `x${number}`;
  readonly startTime?: string;
  readonly dialect?: 'auto' | 'documented' | 'sdk';
  /** The secret keys whose worlds use the scenario. Default: all. */
  readonly keys?: string | readonly string[];
  readonly providers?: readonly ScenarioProvider[];
  /** The records that worlds start with. */
  readonly seedData?: SeedData;
  readonly rules?: readonly ScenarioRule[];
  readonly timeline?: readonly TimelineEntry[];
  /** How long the vault stores a Ccv that no charge uses. */
  readonly ccvTtl?: Duration;
  /** Refuse a ProviderId that is neither built in nor configured. */
  readonly knownProvidersOnly?: boolean;
  /** How calls without ProviderId find their provider. Default: `lowestCost`. `weight` is for `success`: the share of approvals, 0 to 1. */
  readonly routing?: { readonly mode: 'off' | 'lowestCost' | 'success'; readonly weight?: number };
  readonly batches?: {
    /** The time for each row. */
    readonly pace?: 'immediate' | Duration;
    /** The fraction of the rows, 0 to 1, or the row, after which a batch fails. */
    readonly failAt?: number | { readonly row: number };
    /** The fraction of the rows, 0 to 1, or the row, after which a batch stops and never continues. */
    readonly stuckAt?: number | { readonly row: number };
  };
  readonly webhooks?: { readonly secret?: string; readonly policies?: readonly WebhookPolicy[] };
}

/** The text of a scenario file, in YAML. */
export interface ScenarioText {
  readonly yaml: string;
}

type OneOrMany<T> = T | readonly T[];
type States = Readonly<Record<string, string | number | boolean | null>>;

/** Selects a time, and some of the calls that match all other conditions. Counting starts at 1. */
interface Turns {
  /** On the clock of the world since the scenario came into use. `from` is included, `until` is not. */
  readonly from?: Duration;
  readonly until?: Duration;
  readonly nth?: OneOrMany<number>;
  readonly every?: number;
  /** How many calls to skip before counting starts. */
  readonly after?: number;
  /** Counts for each customer or reference separately. */
  readonly each?: 'customer' | 'reference';
}

export interface ScenarioRule {
  readonly name?: string;
  /** All conditions must match. In texts, `*` matches any characters. */
  readonly when?: Turns & {
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
  /** The maximum number of times that the rule matches. */
  readonly times?: number;
}

/** The effect of a rule: `outcome`, `fault`, `respond` or `nothing`, optionally with a delay, an advance of the clock, changes of state. */
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
  /** Moves the clock of the world forward before the operation. */
  readonly advance?: Duration;
  readonly state?: States;
}

export interface TimelineEntry {
  /** The time since the start of the scenario, such as `+1h`. */
  readonly at: `+${Duration}`;
  readonly do:
    | { readonly providerDown: string }
    | { readonly providerUp: string }
    | { readonly setState: States };
}

export interface WebhookPolicy {
  readonly name?: string;
  readonly when?: Turns & {
    readonly event?: OneOrMany<WebhookEvent | `${string}*`>;
    readonly url?: OneOrMany<string>;
    readonly status?: OneOrMany<string>;
    readonly reference?: OneOrMany<string>;
    readonly state?: States;
  };
  readonly then: {
    /** Sends it before the answer of the call that causes it, which waits for the receiver, at most 2 seconds. Not with `delay`. */
    readonly first?: true;
    readonly duplicate?: number;
    readonly delay?: Duration;
    /** `swap` and `drop` cannot be combined with other effects. */
    readonly swap?: true;
    readonly drop?: true;
    /** `once`: in the first attempt only. */
    readonly badSignature?: true | 'once';
    /** Claims the status SUCCESS, with a wrong signature. Not with `badSignature`. */
    readonly forged?: true;
    readonly staleTimestamp?: Duration;
  };
  readonly times?: number;
}

/** A provider that a scenario defines. docs/reference/scenario-file.md lists all fields. */
export interface ScenarioProvider {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Records with identifiers that you choose. docs/reference/scenario-file.md lists the fields of each. */
export interface SeedData {
  /** Invented customers, which depend on the seed, such as `200 customers`. */
  readonly fake?: string;
  readonly [records: string]: string | readonly Readonly<Record<string, unknown>>[] | undefined;
}
