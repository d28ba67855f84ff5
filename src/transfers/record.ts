import { OwnerIndex, Table, TextIndex } from '../core/store.js';

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
  /** The number of the charge that it is a part of. */
  readonly charge: number;
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

export class TransferStore extends Table<Transfer> {
  readonly byReference = new TextIndex();
  readonly byGroup = new TextIndex();
  readonly byCharge = new OwnerIndex();

  override add(transfer: Transfer): number {
    if (transfer.reference !== null) this.byReference.add(transfer.reference, transfer.index);
    this.byGroup.add(transfer.groupReference, transfer.index);
    this.byCharge.add(transfer.charge, transfer.index);
    return super.add(transfer);
  }
}
