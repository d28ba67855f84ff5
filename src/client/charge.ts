import type { ChargeStatus } from './asked.js';

/** A charge as the service answers it, in its own spelling. Instants are ISO 8601 texts, amounts major units. */
export interface Charge {
  readonly ChargeId: string;
  readonly ProviderChargeId: string | null;
  readonly ProviderId: string;
  readonly Amount: number;
  readonly Currency: string;
  readonly Status: ChargeStatus;
  readonly Reference: string | null;
  readonly AuthorisationAmount: number | null;
  readonly RefundedAmount: number | null;
  readonly Refunds: readonly {
    readonly Amount: number;
    readonly DateAdded: string;
    readonly Comment: string | null;
  }[];
  readonly CustomerId: string | null;
  readonly Customer: Readonly<Record<string, unknown>> | null;
  readonly Provider: { readonly ProviderId: string; readonly Type: string; readonly Name: string };
  readonly PaymentInformation: {
    readonly Type: string;
    readonly PaymentMethodId: string | null;
    readonly Card: ChargedCard | null;
    readonly BankPayment: Readonly<Record<string, unknown>> | null;
    readonly PayTo: Readonly<Record<string, unknown>> | null;
    readonly Email: string | null;
  };
  readonly DateAdded: string;
  readonly SuccessDate: string | null;
  readonly VoidDate: string | null;
  readonly FailedAttempts: readonly FailedAttempt[];
  readonly Initiator: string | null;
  readonly Descriptor: string | null;
  readonly PaymentTokenId: string | null;
  readonly BatchId: string | null;
  readonly SubscriptionId: string | null;
  readonly Metadata: Readonly<Record<string, unknown>> | null;
}

/** A card with its number masked. */
export interface ChargedCard {
  readonly CardNumber: string;
  readonly ExpiryDate: string;
  readonly Cardholder: string | null;
  readonly Type: string;
  readonly CardType: string;
  readonly CardIin: string;
  readonly CcvCheck: boolean | null;
}

/** An attempt that a provider declined. */
export interface FailedAttempt {
  readonly ProviderId: string;
  readonly DateAttempted: string;
  readonly ErrorMessage: string;
  readonly GatewayCode: string | null;
  readonly GatewayMessage: string | null;
}
