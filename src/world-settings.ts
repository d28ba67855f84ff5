import type { ClockSettings } from './core/clock.js';
import type { Dialect } from './core/dialect.js';
import type { Reach } from './webhooks/record.js';

/** What a world is made from, in addition to its key: the same settings and requests give the same answers. */
export interface WorldSettings {
  readonly seed: string;
  readonly clock: ClockSettings;
  /** The default dialect of its calls. */
  readonly dialect: Dialect;
  readonly tokenTtl: number;
  readonly authorisationTtl: number;
  /** How long a vault entry keeps a Ccv that no charge uses, in milliseconds; null: until a charge uses it. */
  readonly ccvTtl: number | null;
  /** Refuse a ProviderId that is neither configured nor built in. */
  readonly knownProvidersOnly: boolean;
  /** Milliseconds for each row of a batch; null: the default pace. */
  readonly batchPace: number | null;
  readonly recordsMax: number;
  readonly webhooks: Reach;
  /** The key of webhook signatures; null: they are not signed. */
  readonly webhookSecret: string | null;
  /** The prefix of the service's own headers in webhooks. */
  readonly webhookHeaderPrefix: string;
}
