import { formatInstant } from '../../core/time/time.js';
import { presentAmount } from '../../http/fields/summaries.js';
import type { Transfer } from '../../records/transfer.js';
import type { TransferResponse } from './schema.js';

export function presentTransfer(transfer: Transfer): TransferResponse {
  const { currency } = transfer;
  return {
    TransferId: transfer.id,
    Status: transfer.status,
    Reference: transfer.reference,
    GroupReference: transfer.groupReference,
    DateAdded: formatInstant(transfer.dateAdded),
    TotalAmount: presentAmount(transfer.totalMinor, currency),
    ProviderId: transfer.providerId,
    Amount: presentAmount(transfer.amountMinor, currency),
    Currency: currency,
    Account: transfer.account,
    ChargeId: transfer.charge,
  };
}
