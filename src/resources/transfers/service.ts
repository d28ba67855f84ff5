import { requireCharge } from '../charges/changes.js';
import { addTransfer, readTransferAmount } from '../charges/transfer.js';
import { type Charge, remainingAmounts } from '../../records/charge.js';
import { CODE, refuse, refuseField, refuseUnknownId } from '../../core/errors.js';
import { formatAmount } from '../../core/money.js';
import { type SearchFilter, type SearchResult, searchTable } from '../../core/store/search.js';
import { isSameProvider } from '../../outcomes/built-in.js';
import type { World } from '../../world/world.js';
import { type Transfer, TRANSFER_TRANSITIONS, type TransferStatus } from '../../records/transfer.js';

export interface TransferCommand {
  readonly groupReference: string;
  readonly providerId: string;
  readonly chargeId: string;
  readonly transfers: readonly TransferInput[];
}

/** A requested transfer. Its amount is in the digits that were sent. */
interface TransferInput extends Pick<Transfer, 'account' | 'currency' | 'message' | 'reference'> {
  readonly amount: string;
}

/** Transfers parts of a captured charge to accounts, all of them or none. Their jobs complete them. */
export function createTransfers(world: World, command: TransferCommand): readonly Transfer[] {
  const { transfers, groupReference, providerId } = command;
  if (transfers.length === 0) {
    refuseField(CODE.NoTransferInformationProvided, 'Transfers', 'must have at least one transfer');
  }
  const amounts = transfers.map(({ amount, currency }, i) =>
    readTransferAmount(amount, currency, `Transfers.${i}.Amount`),
  );
  const charge = requireCharge(world, command.chargeId);
  requireCaptured(charge);
  requireNewReferences(world, command);
  const totalMinor = requireCoveredTotal(world, charge, transfers, amounts);
  world.requireRoom(world.transfers, 'transfers', transfers.length);
  return transfers.map(({ account, message, reference, currency }, i) =>
    addTransfer(world, {
      groupReference,
      reference,
      providerId,
      charge: charge.id,
      account,
      message,
      amountMinor: amounts[i] ?? 0,
      totalMinor,
      currency,
    }),
  );
}

/** Returns a transfer. Unknown: 404 with code 88. */
export function requireTransfer(world: World, id: string): Transfer {
  return world.transfers.find(id) ?? refuseUnknownId(CODE.InvalidTransferId, id, 'transfer', 'TransferId');
}

/** The job that completes a transfer. */
export function completeTransfer(world: World, id: string): void {
  const found = world.transfers.find(id);
  const [status] = found ? TRANSFER_TRANSITIONS[found.status] : [];
  if (found && status) world.transfers.replace({ ...found, status });
}

/** Refuses a charge that was not captured, because it has no money to transfer. */
function requireCaptured({ id, status }: Charge): void {
  if (status === 'SUCCESS' || status === 'PARTIAL_REFUND') return;
  const detail = `The charge ${id} is ${status}. To transfer from it, its status must be SUCCESS or PARTIAL_REFUND.`;
  refuse(CODE.InvalidChargeStatus, detail);
}

/** Refuses references that are already used, in the world or in the same request. */
function requireNewReferences(world: World, { groupReference, transfers }: TransferCommand): void {
  if (world.transfers.by('group', groupReference).length > 0) {
    refuseField(CODE.DuplicateGroupReference, 'GroupReference', 'was already used');
  }
  const references = new Set<string>();
  for (const [i, { reference }] of transfers.entries()) {
    if (reference === null) continue;
    if (references.has(reference) || world.transfers.by('reference', reference).length > 0) {
      refuseField(CODE.DuplicateTransferReference, `Transfers.${i}.Reference`, 'was already used');
    }
    references.add(reference);
  }
}

/** The total of transfers. Refuses more than is left of the charge after refunds and earlier transfers. */
function requireCoveredTotal(
  world: World,
  charge: Charge,
  transfers: readonly TransferInput[],
  amounts: readonly number[],
): number {
  const { currency } = charge;
  const foreign = transfers.findIndex((transfer) => transfer.currency !== currency);
  if (foreign >= 0) {
    const reason = `must be ${currency}, the currency of the charge`;
    refuseField(CODE.CurrencyNotSupported, `Transfers.${foreign}.Currency`, reason);
  }
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const { leftMinor } = remainingAmounts(charge, world.transfers.by('charge', charge.id));
  if (total > leftMinor) {
    const shown = (minor: number): string => formatAmount(minor, currency);
    const reason = `must add up to at most ${shown(leftMinor)} (what is left of the charge), not ${shown(total)}`;
    refuseField(CODE.TransferLargerThanOriginalCharge, 'Transfers', reason);
  }
  return total;
}

const CONDITIONS = {
  reference: (wanted: string) => (transfer: Transfer) => transfer.reference === wanted,
  providerId: (wanted: string) => (transfer: Transfer) => isSameProvider(transfer.providerId, wanted),
  status: (wanted: TransferStatus) => (transfer: Transfer) => transfer.status === wanted,
};

export type TransferFilter = SearchFilter<typeof CONDITIONS>;

export function searchTransfers({ transfers }: World, filter: TransferFilter): SearchResult<Transfer> {
  return searchTable(transfers, filter, {
    conditions: CONDITIONS,
    indexes: { reference: (wanted) => transfers.by('reference', wanted) },
  });
}
