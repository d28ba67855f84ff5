import type { ClockSettings } from './core/clock.js';
import type { Dialect } from './core/dialect.js';
import type { Reach } from './webhooks/record.js';

/** The settings of a world. With the same key, settings and requests, it gives the same answers. */
export interface WorldSettings {
  readonly seed: string;
  readonly clock: ClockSettings;
  /** The default dialect of its calls. */
  readonly dialect: Dialect;
  readonly tokenTtl: number;
  readonly authorisationTtl: number;
  /** How long a vault entry keeps a Ccv that no charge uses, in milliseconds; null for no limit. */
  readonly ccvTtl: number | null;
  /** Refuse a ProviderId that is neither configured nor built in. */
  readonly knownProvidersOnly: boolean;
  /** Milliseconds for each row of a batch; null for the default pace. */
  readonly batchPace: number | null;
  readonly recordsMax: number;
  readonly webhooks: Reach;
  /** The key of webhook signatures; null for none. */
  readonly webhookSecret: string | null;
  /** The prefix of the service's own headers in webhooks. */
  readonly webhookHeaderPrefix: string;
}
