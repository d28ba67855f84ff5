import { DEFAULT_PROVIDER_ID } from '../outcomes/built-in.js';

export interface PlayInput {
  /** The identifier in the path. */
  readonly id?: string;
  /** With its question mark. */
  readonly query?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many items lists in the answer keep. */
  readonly keep?: number;
}

export type PlayAnswer = Readonly<Record<string, string>>;
/** Sends the call of an operation; its first answer becomes the operation's example. */
export type PlayCall = (operation: string, sent?: PlayInput) => Promise<PlayAnswer>;

export const PaymentInformation = { CardNumber: '4111111111111111', ExpiryDate: '10/30', Ccv: '123' };
export const CARD = { ProviderId: DEFAULT_PROVIDER_ID, PaymentInformation };
