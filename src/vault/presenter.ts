import { maskPan } from '../core/card.js';
import { formatInstant } from '../core/time.js';
import { presentInstant } from '../http/summaries.js';
import type { World } from '../world.js';
import type { VaultEntry } from './record.js';
import type { VaultEntryResponse, WholeVaultEntryResponse } from './schema.js';

/** What creating and deleting an entry answer: nothing of the card but its mask. */
export function presentEntry(_world: World, entry: VaultEntry): VaultEntryResponse {
  return {
    VaultId: entry.id,
    CreatedDate: formatInstant(entry.created),
    ExpireDate: presentInstant(entry.expires),
    MaskedCardNumber: maskPan(entry.pan),
    HasCvv: entry.ccv !== null,
  };
}

/** What reading an entry answers: the one place where a whole card number goes out. */
export function presentWholeEntry(world: World, entry: VaultEntry): WholeVaultEntryResponse {
  return { ...presentEntry(world, entry), CardNumber: entry.pan, Ccv: entry.ccv };
}
