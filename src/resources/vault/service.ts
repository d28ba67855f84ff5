import { CODE, refuse, refuseField, refuseUnknownId } from '../../core/errors.js';
import { isUuid } from '../../core/text/text.js';
import { INSTANT_MAX_MS } from '../../core/time/time.js';
import type { World } from '../../world/world.js';
import { VAULT_CCV_EXPIRE, VAULT_EXPIRE, type VaultEntry } from '../../records/vault-entry.js';

/** When an entry expires: after seconds, at an instant, or never. */
export interface VaultExpiry {
  readonly seconds: number | null;
  readonly instant: number | null;
}

export interface VaultRequest {
  readonly wanted: boolean;
  readonly expiry: VaultExpiry;
}

/** The two fields of an expiry and their error codes have other names in calls that create a record together with the vault entry. */
const ALONE = {
  prefix: '',
  both: CODE.CannotProvideBothExpireDateAndExpireSeconds,
  invalid: CODE.InvalidExpireDateOrExpireSeconds,
};
const COMBINED = {
  prefix: 'Vault',
  both: CODE.CannotProvideBothVaultExpireDateAndVaultExpireSeconds,
  invalid: CODE.InvalidVaultExpiryDate,
};

/** Returns when a new entry expires; null if never. Refuses an instant in the past, and both fields at once. */
export function readExpiry(
  world: World,
  { seconds, instant }: VaultExpiry,
  { prefix, both, invalid }: { prefix: string; both: number; invalid: number } = COMBINED,
): number | null {
  if (seconds !== null && instant !== null) {
    const detail = `Send ${prefix}ExpireSeconds or ${prefix}ExpireDate, or neither to keep the card until it is deleted.`;
    refuse(both, detail);
  }
  const end = seconds === null ? instant : world.now + seconds * 1000;
  if (end !== null && end <= world.now)
    refuseField(invalid, `${prefix}ExpireDate`, 'must be in the future by the world’s clock');
  if (end !== null && end > INSTANT_MAX_MS)
    refuseField(invalid, `${prefix}ExpireSeconds`, 'must expire before the year 10000');
  return end;
}

/** Stores a card until an instant; null: forever. */
export function storeCard(world: World, pan: string, ccv: string | null, expires: number | null): VaultEntry {
  const { next: index, nextId: id } = world.vault;
  const entry: VaultEntry = { id, index, pan, ccv, created: world.now, expires };
  world.vault.add(entry);
  scheduleExpiry(world, entry);
  if (ccv !== null) limitCcv(world, id);
  return entry;
}

function scheduleExpiry(world: World, { id, expires }: VaultEntry): void {
  if (expires !== null) world.jobs.schedule(expires, VAULT_EXPIRE, id);
}

/** Schedules the removal of an entry's Ccv, if the sandbox limits how long it is kept. */
function limitCcv(world: World, id: string): void {
  const { script, settings } = world;
  const ttl = settings.own.ccvTtl ?? script.scenario?.ccvTtl ?? settings.ccvTtl;
  if (ttl !== null) world.jobs.schedule(world.now + ttl, VAULT_CCV_EXPIRE, id);
}

export function createVaultEntry(
  world: World,
  command: { pan: string; ccv: string | null; expiry: VaultExpiry },
): VaultEntry {
  const expires = readExpiry(world, command.expiry, ALONE);
  world.requireRoom(world.vault, 'vault entries');
  return storeCard(world, command.pan, command.ccv, expires);
}

/** Returns a vault entry. Deleted, expired or unknown: 404 with code 62. */
export function requireVaultEntry(world: World, id: string): VaultEntry {
  const hint = isUuid(id) ? ' It may have expired or been deleted.' : '';
  return world.vault.find(id) ?? refuseUnknownId(CODE.InvalidVaultId, id, 'vault entry', 'VaultId', { hint });
}

export function deleteVaultEntry(world: World, id: string): VaultEntry {
  const entry = requireVaultEntry(world, id);
  removeVaultEntry(world, entry.id);
  return entry;
}

/** Removes an entry, at its expiry or on demand. */
export function removeVaultEntry(world: World, id: string): void {
  const entry = world.vault.find(id);
  if (entry !== undefined) world.vault.remove(entry);
  world.jobs.cancel(VAULT_EXPIRE, id);
  world.jobs.cancel(VAULT_CCV_EXPIRE, id);
}

/** Removes the Ccv after the first charge that used the entry. */
export function dropCcv(world: World, entry: VaultEntry): void {
  if (entry.ccv === null) return;
  world.vault.replace({ ...entry, ccv: null });
  world.jobs.cancel(VAULT_CCV_EXPIRE, entry.id);
}

/** Removes the Ccv of an entry that no charge used in time. */
export function expireCcv(world: World, id: string): void {
  const entry = world.vault.find(id);
  if (entry !== undefined) dropCcv(world, entry);
}

/** The new Ccv of an entry, for its next charge, and when it now expires; null keeps one. */
export interface EntryChange {
  readonly ccv: string | null;
  readonly expires: number | null;
}

export function updateEntry(world: World, entry: VaultEntry, { ccv, expires }: EntryChange): void {
  if (ccv === null && expires === null) return;
  const changed = { ...entry, ccv: ccv ?? entry.ccv, expires: expires ?? entry.expires };
  world.vault.replace(changed);
  if (ccv !== null) limitCcv(world, entry.id);
  scheduleExpiry(world, changed);
}
