import type { Table } from '../core/store.js';

export type TransferStatus = 'PENDING' | 'SUCCESS';

/** What may follow what: a transfer arrives, or is on its way. */
export const TRANSFER_TRANSITIONS: Readonly<Record<TransferStatus, readonly TransferStatus[]>> = {
  PENDING: ['SUCCESS'],
  SUCCESS: [],
};

/** A part of a charge that goes on to an account; those of one request are a group. */
export interface Transfer {
  readonly id: string;
  readonly index: number;
  readonly status: TransferStatus;
  readonly groupReference: string;
  readonly reference: string | null;
  readonly providerId: string;
  /** The identifier of the charge that it is a part of. */
  readonly charge: string;
  readonly account: string;
  readonly message: string | null;
  readonly amountMinor: number;
  /** What all transfers of its group take together. */
  readonly totalMinor: number;
  readonly currency: string;
  readonly dateAdded: number;
}

/** How long a transfer is on its way: our assumption. */
export const TRANSFER_PENDING_FOR = 86_400_000;

/** The job of a transfer that arrives. */
export const TRANSFER_ARRIVE = 'transfer.arrive';

/** By what transfers are found beside their identifiers. */
export const TRANSFER_KEYS = {
  reference: ({ reference }: Transfer) => reference,
  group: ({ groupReference }: Transfer) => groupReference,
  charge: ({ charge }: Transfer) => charge,
};

export type TransferTable = Table<Transfer, keyof typeof TRANSFER_KEYS>;
