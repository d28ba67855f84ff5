import { acceptsCcv, parsePan } from '../core/cards/card.js';
import * as field from '../core/store/field.js';

export const pan = field.text(19, (value) => parsePan(value).pan === value, 'the digits of a card number');
export const maybeCcv = field.orNull(
  field.text(4, (value) => acceptsCcv('VISA', value) || acceptsCcv('AMEX', value), 'a Ccv of 3 or 4 digits'),
);

export const vaultEntryFields = () => ({
  pan,
  /** Removed after the first charge that uses the entry, and when it has expired. */
  ccv: maybeCcv,
  created: field.instant,
  /** Null if the entry never expires. */
  expires: field.maybeInstant,
});

/** A stored card: the only record with a full card number. */
export interface VaultEntry extends field.RecordOf<typeof vaultEntryFields> {}

export const VAULT_EXPIRE = 'vault.expire';

/** The job that removes the Ccv of an entry that no charge used in time. */
export const VAULT_CCV_EXPIRE = 'vault.ccvExpire';
