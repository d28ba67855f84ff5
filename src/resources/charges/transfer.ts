import { CODE, refuseField } from '../../core/errors.js';
import { currencyExponent, formatAmount, parseAmount } from '../../core/money.js';
import { formatCount } from '../../core/text/text.js';
import type { Charge, PlannedTransfer } from '../../records/charge.js';
import { type Transfer, TRANSFER_ARRIVE, TRANSFER_PENDING_FOR } from '../../records/transfer.js';
import type { World } from '../../world/world.js';

/** A transfer in a request. Its amount is in the digits that were sent. */
export interface RequestedTransfer {
  readonly account: string;
  readonly amount: string;
}

/** Refuses the transfer of a charge that it could not be made from. It has the charge's currency. */
export function readTransfer(
  world: World,
  { account, amount }: RequestedTransfer,
  {
    amountMinor,
    currency,
    capture,
  }: Pick<Charge, 'amountMinor' | 'currency'> & { readonly capture: boolean },
): PlannedTransfer {
  if (!capture) refuseField(CODE.ValidationError, 'Transfer', 'cannot be combined with Capture false');
  const minor = readTransferAmount(amount, currency, 'Transfer.Amount');
  if (minor > amountMinor) {
    const reason = `must be at most ${formatAmount(amountMinor, currency)}, the Amount of the charge, not ${amount}`;
    refuseField(CODE.TransferLargerThanOriginalCharge, 'Transfer.Amount', reason);
  }
  world.requireRoom(world.transfers, 'transfers');
  return { account, amountMinor: minor };
}

export function readTransferAmount(amount: string, currency: string, field: string): number {
  const exponent = currencyExponent(currency) ?? 2;
  const minor = parseAmount(amount, exponent);
  if (typeof minor === 'number') return minor;
  const reason = `must be greater than 0 and at most 999999999.99, with at most ${formatCount(exponent, 'decimal')} in ${currency}, not ${amount}`;
  return refuseField(CODE.InvalidTransferAmount, field, reason);
}

/** Makes the transfer of a charge, once it has money. A charge that waits for its payer keeps it until then. */
export function transferFromCharge(world: World, charge: Charge, transfer: PlannedTransfer): void {
  const { id, providerId, currency, status, more } = charge;
  const isWaiting = status === 'PENDING';
  if (isWaiting || more.transfer !== null)
    world.charges.replace({ ...charge, more: { ...more, transfer: isWaiting ? transfer : null } });
  // While the charge waited, the room may have been used up.
  if (status !== 'SUCCESS' || !world.transfers.hasRoom()) return;
  addTransfer(world, {
    ...transfer,
    groupReference: id,
    reference: null,
    message: null,
    providerId,
    charge: id,
    totalMinor: transfer.amountMinor,
    currency,
  });
}

/** Stores a transfer, which its job completes. */
export function addTransfer(
  world: World,
  content: Omit<Transfer, 'id' | 'index' | 'status' | 'dateAdded'>,
): Transfer {
  const made: Transfer = {
    ...content,
    id: world.transfers.nextId,
    index: world.transfers.next,
    status: 'PENDING',
    dateAdded: world.now,
  };
  world.transfers.add(made);
  world.jobs.schedule(world.now + TRANSFER_PENDING_FOR, TRANSFER_ARRIVE, made.id);
  return made;
}
