import { DAY_MS } from '../core/time/time.js';
import type { Table } from '../core/store/store.js';
import * as field from '../core/store/field.js';

export type TransferStatus = 'PENDING' | 'SUCCESS';

export const TRANSFER_TRANSITIONS: Readonly<Record<TransferStatus, readonly TransferStatus[]>> = {
  PENDING: ['SUCCESS'],
  SUCCESS: [],
};

export const transferFields = (links: field.Links) => ({
  status: field.tableKey(TRANSFER_TRANSITIONS),
  groupReference: field.anyText,
  reference: field.maybeText,
  providerId: field.anyProviderId,
  charge: links.to('charges'),
  account: field.anyText,
  message: field.maybeText,
  amountMinor: field.minor,
  totalMinor: field.minor,
  currency: field.currency,
  dateAdded: field.instant,
});

/** A part of a charge that is transferred to an account. The transfers of one request are a group. */
export interface Transfer extends field.RecordOf<typeof transferFields> {}

/** How long a transfer is PENDING: our assumption. */
export const TRANSFER_PENDING_FOR = DAY_MS;

export const TRANSFER_ARRIVE = 'transfer.arrive';

export const TRANSFER_KEYS = {
  reference: ({ reference }: Transfer) => reference,
  group: ({ groupReference }: Transfer) => groupReference,
  charge: ({ charge }: Transfer) => charge,
};

export type TransferTable = Table<Transfer, keyof typeof TRANSFER_KEYS>;
