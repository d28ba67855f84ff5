import { CODE } from '../core/errors.js';
import { worldOf } from '../http/exchange.js';
import { type AnyRow, route } from '../http/route.js';
import { presentTransfer } from './presenter.js';
import { CreateTransfers, SearchTransfers, TransferList, TransferPage, TransferResponse } from './schema.js';
import { searchTransfers } from './search.js';
import { createTransfers, requireTransfer } from './service.js';

export const TRANSFER_ROWS: readonly AnyRow[] = [
  route({
    method: 'post',
    path: '/transfer',
    id: 'createTransfers',
    operation: 'transfer.create',
    summary: 'Pay parts of a charge out',
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
      return createTransfers(worldOf(c), body).map(presentTransfer);
    },
  }),
  route({
    method: 'get',
    path: '/transfer',
    id: 'searchTransfers',
    operation: 'transfer.search',
    summary: 'Search transfers',
    query: SearchTransfers,
    response: TransferPage,
    handle: (c, { query }) => {
      const { found, count } = searchTransfers(worldOf(c), query);
      const { limit, skip } = query.page;
      const shown = found.map(presentTransfer);
      return { Limit: limit, Skip: skip, Count: count, Transfers: shown };
    },
  }),
  route({
    method: 'get',
    path: '/transfer/{id}',
    id: 'getTransfer',
    operation: 'transfer.read',
    summary: 'Read a transfer',
    response: TransferResponse,
    errors: [CODE.InvalidTransferId],
    handle: (c, { params }) => presentTransfer(requireTransfer(worldOf(c), params.id)),
  }),
];
