import { CODE } from '../../core/errors.js';
import { requireWorld } from '../../http/exchange.js';
import { type AnyRow, route } from '../../http/route.js';
import { buildReadRow, buildSearchRow } from '../../http/answers/rows.js';
import { presentTransfer } from './presenter.js';
import { CreateTransfers, SearchTransfers, TransferList, TransferResponse } from './schema.js';
import { createTransfers, requireTransfer, searchTransfers } from './service.js';

export const TRANSFER_ROWS: readonly AnyRow[] = [
  route({
    method: 'post',
    path: '/transfer',
    id: 'createTransfers',
    operation: 'transfer.create',
    summary: 'Transfer parts of a charge',
    text: 'Either all transfers are created or none. They are PENDING for one day. Together they cannot exceed what refunds and earlier transfers left of the charge, and they cannot be refunded.',
    body: CreateTransfers,
    response: TransferList,
    errors: [
      CODE.InvalidTransferAmount,
      CODE.InvalidChargeId,
      CODE.InvalidCharge,
      CODE.InvalidChargeStatus,
      CODE.NoTransferInformationProvided,
      CODE.TransferLargerThanOriginalCharge,
      CODE.DuplicateGroupReference,
      CODE.DuplicateTransferReference,
      CODE.CurrencyNotSupported,
    ],
    handle: (c, { body }) => {
      return createTransfers(requireWorld(c), body).map(presentTransfer);
    },
  }),
  buildSearchRow({
    path: '/transfer',
    id: 'searchTransfers',
    operation: 'transfer.search',
    summary: 'Search transfers',
    text: 'Returns the records that match every filter, newest first.',
    query: SearchTransfers,
    list: 'Transfers',
    item: TransferResponse,
    search: searchTransfers,
    present: (_, transfer) => presentTransfer(transfer),
  }),
  buildReadRow({
    path: '/transfer/{id}',
    id: 'getTransfer',
    operation: 'transfer.read',
    summary: 'Read a transfer',
    text: 'A transfer is PENDING at first, and SUCCESS one day later.',
    response: TransferResponse,
    errors: [CODE.InvalidTransferId],
    find: requireTransfer,
    present: (_, transfer) => presentTransfer(transfer),
  }),
];
