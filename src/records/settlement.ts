import type { Charge } from './charge.js';

/** Money that the merchant receives for a charge, or gives away by a refund or a transfer. It is computed, not stored. */
export interface Settlement {
  readonly charge: Charge;
  /** `charge`, the index of a refund, or the identifier of a transfer. */
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

/** A charge, refund or transfer settles after so many days (UTC): our assumption. */
export const SETTLES_AFTER_DAYS = 1;

/** A response lists only the latest ones: our own limit. */
export const SETTLEMENTS_MAX = 1000;
