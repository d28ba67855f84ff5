import type { Charge } from './charge.js';

/**
 * Money that the merchant receives for a charge, or gives away by a refund or a transfer. The settlements of a charge add up to what is
 * left of it. They are not stored, but computed.
 */
export interface Settlement {
  readonly charge: Charge;
  /** What it is for: `charge`, the index of a refund, or the identifier of a transfer. */
  readonly part: string;
  readonly providerId: string;
  /** Negative for a refund or a transfer. */
  readonly amountMinor: number;
  readonly currency: string;
  /** When the charge or refund succeeded, or the transfer was requested. */
  readonly created: number;
  /** The start of the day on which it settles. */
  readonly date: number;
}

/** After how many days, by UTC, a charge, refund or transfer settles: our assumption. */
export const SETTLES_AFTER_DAYS = 1;

/** How many settlements a response lists at most, the latest ones: our own limit. */
export const SETTLEMENTS_MAX = 1000;
