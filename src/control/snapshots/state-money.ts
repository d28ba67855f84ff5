import { readRow } from '../../resources/batches/csv.js';
import type { Batch } from '../../records/batch.js';
import { type Charge, type ChargeStatus, restOf } from '../../records/charge.js';
import { amountText, currencyExponent, parseAmount } from '../../core/money.js';
import type { Rows } from '../../core/store/store.js';
import type { AllRows } from '../../world/tables.js';
import type { Transfer } from '../../records/transfer.js';

/** Checks of the money in a document. They refuse only what no call can bring about. */

type Reason = string | undefined;

/** The statuses of charges whose money came in. */
const CAPTURED: readonly ChargeStatus[] = ['SUCCESS', 'PARTIAL_REFUND', 'REFUND'];

function groupByCharge(transfers: Rows<Transfer>): ReadonlyMap<string, Transfer[]> {
  const groups = new Map<string, Transfer[]>();
  for (const transfer of transfers) {
    if (transfer === undefined) continue;
    const group = groups.get(transfer.charge);
    if (group === undefined) groups.set(transfer.charge, [transfer]);
    else group.push(transfer);
  }
  return groups;
}

/** Checks that a charge was captured, refunded and transferred within its amounts, and that its status says so. */
export function moneyOfCharges({ transfers }: Pick<AllRows, 'transfers'>): (charge: Charge) => Reason {
  const byCharge = groupByCharge(transfers);
  return (charge) => {
    const { amountMinor, authorisedMinor, refundedMinor, currency, more } = charge;
    const shown = (minor: number): string => amountText(minor, currency);
    if (refundedMinor > amountMinor) return 'has refunded more than its amount';
    const { leftMinor, transferredMinor } = restOf(charge, byCharge.get(charge.id) ?? []);
    if (leftMinor < 0)
      return `has refunded ${shown(refundedMinor)} and transferred ${shown(transferredMinor)}, together more than its amount ${shown(amountMinor)}`;
    if (authorisedMinor !== null && amountMinor > authorisedMinor)
      return `has the amount ${shown(amountMinor)}, more than the authorised ${shown(authorisedMinor)}`;
    const refunds = more.refunds.reduce((sum, refund) => sum + refund.amountMinor, 0);
    if (refunds !== refundedMinor)
      return `has refunded ${shown(refundedMinor)}, but its Refunds add up to ${shown(refunds)}`;
    return reasonAgainstStatus(charge, transferredMinor);
  };
}

function reasonAgainstStatus(charge: Charge, transferredMinor: number): Reason {
  const { status, amountMinor, refundedMinor, successDate } = charge;
  const isCaptured = CAPTURED.includes(status);
  if (isCaptured !== (successDate !== null))
    return `is ${status} with${successDate === null ? 'out' : ''} a SuccessDate`;
  if (!isCaptured && transferredMinor > 0) return `is ${status}, but has transfers`;
  const refunded = refundedMinor === 0 ? 'nothing' : refundedMinor < amountMinor ? 'a part' : 'all';
  const expected = status === 'REFUND' ? 'all' : status === 'PARTIAL_REFUND' ? 'a part' : 'nothing';
  return refunded === expected ? undefined : `is ${status}, but ${refunded} of it is refunded`;
}

type TransferMoney = Pick<Transfer, 'groupReference' | 'charge' | 'currency' | 'amountMinor' | 'totalMinor'>;

/** Checks that the transfers of a group add up to their total, in the currency of their charge. */
export function moneyOfTransfers(state: {
  readonly charges: Rows<Pick<Charge, 'id' | 'currency'>>;
  readonly transfers: Rows<TransferMoney>;
}): (transfer: TransferMoney) => Reason {
  const totals = new Map<string, number>();
  const named = new Set<string>();
  for (const transfer of state.transfers) {
    if (transfer === undefined) continue;
    const { groupReference, amountMinor, charge } = transfer;
    totals.set(groupReference, (totals.get(groupReference) ?? 0) + amountMinor);
    named.add(charge);
  }
  const currencies = new Map<string, string>();
  for (const charge of state.charges)
    if (charge !== undefined && named.has(charge.id)) currencies.set(charge.id, charge.currency);
  return ({ groupReference, totalMinor, currency, charge }) => {
    const expected = currencies.get(charge);
    if (currency !== expected) return `is in ${currency}, but its charge is in ${expected}`;
    const total = totals.get(groupReference) ?? 0;
    if (total === totalMinor) return undefined;
    return `has the total ${amountText(totalMinor, currency)}, but its group adds up to ${amountText(total, currency)}`;
  };
}

/** Checks that each row of a batch has a charge of its own, of the amount in the row. Charges are created in the order of the rows. */
export function moneyOfBatches({ charges }: Pick<AllRows, 'charges'>): (batch: Batch) => Reason {
  const counts = new Map<string, number>();
  for (const charge of charges) {
    const batch = charge?.batch ?? null;
    if (batch !== null) counts.set(batch, (counts.get(batch) ?? 0) + 1);
  }
  return (batch) => {
    const { done, rows, id } = batch;
    let [before, charged] = [0, 0];
    for (let row = 0; row < done; row++) {
      const place = rows.charge[row] ?? 0;
      if (place === 0) continue;
      const shown = `has the charge ${place - 1} in row ${row},`;
      if (place <= before) return `${shown} but that of an earlier row is ${before - 1}`;
      const reason = reasonAgainstRow(batch, row, charges[place - 1]);
      if (reason !== undefined) return `${shown} which ${reason}`;
      before = place;
      charged++;
    }
    const count = counts.get(id) ?? 0;
    return count === charged ? undefined : `has ${charged} charges in its rows, but ${count} in Charges`;
  };
}

function reasonAgainstRow({ id, rows }: Batch, row: number, charge: Charge | undefined): Reason {
  if (charge?.batch !== id) return 'belongs to another batch or to none';
  const { amount, currency } = readRow(rows.text, rows.starts[row] ?? 0, rows.starts[row + 1] ?? 0);
  if (currency !== charge.currency) return `is in ${charge.currency}, not in ${currency}`;
  if (parseAmount(amount, currencyExponent(currency) ?? 2) === charge.amountMinor) return undefined;
  return `is of ${amountText(charge.amountMinor, currency)}, not of ${amount}`;
}
