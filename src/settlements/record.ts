import type { Charge } from '../charges/record.js';

/** Money that the merchant receives for a charge or returns for a refund. It is not stored, but computed from the charges. */
export interface Settlement {
  readonly charge: Charge;
  /** The index of the refund; null: the charge itself. */
  readonly refund: number | null;
  readonly providerId: string;
  /** Negative for a refund. */
  readonly amountMinor: number;
  readonly currency: string;
  /** When the charge or refund succeeded. */
  readonly created: number;
  /** The start of the day on which it settles. */
  readonly date: number;
}

/** After how many days, by UTC, a charge or refund settles: our assumption. */
export const SETTLES_AFTER_DAYS = 1;

/** How many settlements a response lists at most, the latest ones: our own limit. */
export const SETTLEMENTS_MAX = 1000;
