import type { ClockSettings } from './core/clock.js';
import type { Dialect } from './core/dialect.js';
import type { Reach } from './webhooks/record.js';

/** What a world is made from, beside its key: the same settings and requests give the same answers. */
export interface WorldSettings {
  readonly seed: string;
  readonly clock: ClockSettings;
  /** What its calls speak unless they ask for another by themselves. */
  readonly dialect: Dialect;
  readonly tokenTtl: number;
  readonly authorisationTtl: number;
  /** How long a vault entry keeps a Ccv that no charge uses, in milliseconds; null: until a charge uses it. */
  readonly ccvTtl: number | null;
  /** Whether a ProviderId that nobody configured and that is not built in is refused. */
  readonly knownProvidersOnly: boolean;
  /** Milliseconds for each row of a batch; null: the default pace. */
  readonly batchPace: number | null;
  /** How many records of one kind a world holds at most. */
  readonly recordsMax: number;
  /** To which receivers webhooks go. */
  readonly webhooks: Reach;
  /** The text that keys the signatures of webhooks; null: they are not signed. */
  readonly webhookSecret: string | null;
  /** What the names of their headers begin with. */
  readonly webhookHeaderPrefix: string;
}
