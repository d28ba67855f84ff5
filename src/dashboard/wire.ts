/** What the page reads of the sandbox's answers. */

export type Counts = Readonly<Record<string, number>>;

/** A job that is due, and what it is about. */
export interface Job {
  readonly At: string;
  readonly Kind: string;
  readonly Ref: string | null;
}

/** The world as the stream tells of it. */
export interface Seen {
  readonly World: string;
  readonly Seed: string;
  readonly Dialect: string;
  readonly Scenario: string | null;
  readonly Now: string;
  readonly Mode: 'real' | 'manual' | 'scaled';
  readonly Rate: number;
  readonly Next: Job | null;
  readonly Counts: Counts;
  readonly QueuedOutcomes: number;
  readonly OldestEntryId: number;
}

/** A delivery as the exchange shows it that caused it. */
export interface Caused {
  readonly DeliveryId: string;
  readonly EventType: string;
  readonly Url: string;
  readonly Attempt: number;
  readonly Status: string;
  readonly ResponseStatus: number | null;
}

/** What would be sent to have an exchange again. */
export interface Again {
  readonly Method: string;
  readonly Path: string;
  readonly Query: string;
  readonly Headers: Readonly<Record<string, string>>;
  readonly Body: unknown;
}

export interface Exchange {
  readonly EntryId: number;
  readonly At: string;
  readonly Method: string;
  readonly Path: string;
  readonly Query: string;
  readonly Operation: string | null;
  readonly RequestId: string;
  readonly RequestHeaders: Readonly<Record<string, string>>;
  readonly RequestBody: unknown;
  /** 0 where no answer was given. */
  readonly Status: number;
  readonly ResponseBody: unknown;
  readonly Trigger: string | null;
  readonly Fault: string | null;
  readonly Rule: string | null;
  readonly Precedence: string | null;
  readonly Warning: string | null;
  readonly DurationMs: number;
  readonly Truncated: boolean;
  readonly Deliveries: readonly Caused[];
  /** Only where it was asked for by itself; null where its body was cut. */
  readonly Again?: Again | null;
}

export interface Delivery extends Caused {
  readonly MessageId: string;
  readonly Ref: string;
  readonly At: string;
  readonly NextAttemptAt: string | null;
  readonly Note: string | null;
  readonly Policy: string | null;
  readonly EntryId: number | null;
  readonly Body: unknown;
}

export type Members = Readonly<Record<string, unknown>>;

export interface RecordPage {
  readonly Limit: number;
  readonly Skip: number;
  readonly Count: number;
  readonly Records: readonly Members[];
}

export interface TimelineItem {
  readonly At: string;
  readonly What: 'added' | 'changed' | 'failed' | 'ended' | 'due' | 'call' | 'webhook';
  readonly Text: string;
  readonly EntryId: number | null;
  readonly DeliveryId: string | null;
}

export interface Triggers {
  readonly Precedence: readonly string[];
  readonly Outcomes: readonly {
    readonly Outcome: string;
    readonly Code: number | null;
    readonly GatewayCode: string | null;
    readonly GatewayMessage: string | null;
    readonly IsRetryable: boolean;
    readonly HttpStatus: number;
  }[];
  readonly Cards: readonly {
    readonly CardNumber: string;
    readonly Scheme: string;
    readonly Effect: string;
  }[];
  readonly Accounts: readonly { readonly AccountNumber: string; readonly Effect: string }[];
  readonly PayIds: readonly { readonly PayId: string; readonly Effect: string }[];
  readonly Tokens: readonly { readonly Token: string; readonly Effect: string }[];
  readonly Providers: readonly {
    readonly ProviderId: string;
    readonly Name: string | null;
    readonly Behaviour: string;
  }[];
}

/** A member of an object that came as JSON; undefined where it is no object or has none. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Members)[name]
    : undefined;
}

/** A member as text; empty where there is none. */
export function textOf(value: unknown, ...path: readonly string[]): string {
  let found = value;
  for (const name of path) found = memberOf(found, name);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}
