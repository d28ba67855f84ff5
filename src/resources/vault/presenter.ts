import { maskPan } from '../../core/cards/card.js';
import { formatInstant } from '../../core/time/time.js';
import { presentInstant } from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import type { VaultEntry } from '../../records/vault-entry.js';
import type { VaultEntryResponse, WholeVaultEntryResponse } from './schema.js';

/** The response when an entry is created or deleted: the card is masked. */
export function presentVaultEntry(_world: World, entry: VaultEntry): VaultEntryResponse {
  return {
    VaultId: entry.id,
    CreatedDate: formatInstant(entry.created),
    ExpireDate: presentInstant(entry.expires),
    MaskedCardNumber: maskPan(entry.pan),
    HasCvv: entry.ccv !== null,
  };
}

/** The response when an entry is read: the only one with a full card number. */
export function presentWholeVaultEntry(world: World, entry: VaultEntry): WholeVaultEntryResponse {
  return { ...presentVaultEntry(world, entry), CardNumber: entry.pan, Ccv: entry.ccv };
}
