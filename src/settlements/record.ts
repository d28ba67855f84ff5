import type { Charge } from '../charges/record.js';

/** Money that reaches the merchant for a charge, or goes back for a refund. Nothing of it is stored: it follows from the charges. */
export interface Settlement {
  readonly charge: Charge;
  /** Which refund of the charge it is for; null: for the charge itself. */
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

/** On which day after its own, by UTC, a charge or refund settles: our assumption. */
export const SETTLES_AFTER_DAYS = 1;

/** How many settlements one answer lists at most, the latest: our own limit. */
export const SETTLEMENTS_MAX = 1000;
