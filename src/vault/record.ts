import { ccvFault, panFault } from '../core/card.js';
import * as field from '../core/field.js';

export const pan = field.text(
  19,
  (value) => panFault(value) === undefined && /^\d+$/.test(value),
  'the digits of a card number',
);
export const maybeCcv = field.orNull(
  field.text(4, (value) => !ccvFault(value, 'VISA') || !ccvFault(value, 'AMEX'), 'a Ccv of 3 or 4 digits'),
);

export const entryFields = () => ({
  pan,
  /** Null when none was given, from the first charge that uses the entry on, and when its own time is over. */
  ccv: maybeCcv,
  created: field.instant,
  /** The instant from which on the entry is gone; null: kept until it is deleted. */
  expires: field.maybeInstant,
});

/** A stored card: the only place where a whole card number is kept. */
export interface VaultEntry extends field.RecordOf<typeof entryFields> {}

/** The job that removes an entry at its expiry. */
export const VAULT_EXPIRE = 'vault.expire';

/** The job that removes the Ccv of an entry that no charge used in time. */
export const VAULT_CCV_EXPIRE = 'vault.ccvExpire';
