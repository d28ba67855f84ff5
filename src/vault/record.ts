/** A stored card: the only place where a whole card number is kept. */
export interface VaultEntry {
  readonly id: string;
  readonly index: number;
  readonly pan: string;
  /** Null when none was given, and from the first charge that uses the entry on. */
  readonly ccv: string | null;
  readonly created: number;
  /** The instant from which on the entry is gone; null: kept until it is deleted. */
  readonly expires: number | null;
}

/** The job that removes an entry at its expiry. */
export const VAULT_EXPIRE = 'vault.expire';
