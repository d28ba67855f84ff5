import { formatInstant } from '../../core/time/time.js';
import * as summaries from '../../http/fields/summaries.js';
import { presentApplePay, resolveAccount } from '../providers/presenter.js';
import { estimateCost } from '../providers/service.js';
import type { World } from '../../world/world.js';
import { type Charge, type FailedAttempt, isUndecided } from '../../records/charge.js';
import type { AppleSessionCommand, AppleSessionResponse, ChargeResponse } from './schema.js';

/** Field by field, so that no other field of the record can get into the response. */
export function presentCharge(world: World, charge: Charge): ChargeResponse {
  const { currency, more } = charge;
  const failed = charge.status === 'FAILED';
  const amount = summaries.presentAmount(charge.amountMinor, currency);
  const cost = failed ? null : estimateCost(world, charge.providerId, charge.source, amount);
  return {
    ChargeId: charge.id,
    ProviderChargeId: failed ? null : world.chance.gatewayId(charge.index),
    ProviderId: charge.providerId,
    Amount: amount,
    Currency: currency,
    Status: charge.status,
    Reference: charge.reference,
    AuthorisationAmount:
      charge.authorisedMinor === null || isUndecided(charge.status)
        ? null
        : summaries.presentAmount(charge.authorisedMinor, currency),
    RefundedAmount:
      charge.refundedMinor === 0 ? null : summaries.presentAmount(charge.refundedMinor, currency),
    Refunds: more.refunds.map((refund) => ({
      Amount: summaries.presentAmount(refund.amountMinor, currency),
      DateAdded: formatInstant(refund.dateAdded),
      Comment: refund.comment,
    })),
    EstimatedCost: cost,
    EstimatedCostCurrency: cost === null ? null : currency,
    CustomerId: charge.customer,
    Customer: summaries.presentCustomerSummary(world, charge.customer),
    Provider: summaries.presentProvider(world, charge.providerId),
    PaymentInformation: {
      Type: charge.source.type,
      PaymentMethodId: charge.paymentMethod,
      Card: summaries.presentCard(charge.source, charge.ccvCheck),
      BankPayment: summaries.presentBankPayment(charge.source),
      PayTo: summaries.presentPayTo(world, charge.source, charge.providerId),
      Email: summaries.findPayerEmail(charge.source),
    },
    DateAdded: world.instantText(charge.dateAdded),
    SuccessDate: charge.successDate === null ? null : world.instantText(charge.successDate),
    VoidDate: summaries.presentInstant(more.voidDate),
    FailedAttempts: more.failedAttempts.map(presentFailedAttempt),
    Initiator: more.initiator,
    Descriptor: more.descriptor,
    PaymentTokenId: more.token,
    BatchId: charge.batch,
    SubscriptionId: more.subscription,
    CheckoutId: more.checkout,
    ...presentAuthentication(world, more.authentication),
    Metadata: more.metadata,
  };
}

/** How long a session of Apple Pay lasts: five minutes, as Apple says. */
const APPLE_SESSION_MS = 5 * 60_000;

export function presentAppleSession(
  world: World,
  { providerId, domainName, displayName }: AppleSessionCommand,
): AppleSessionResponse {
  const known = presentApplePay(resolveAccount(world, providerId));
  const identifiers = world.chance.identifiers('appleSession');
  return {
    EpochTimestamp: world.now,
    ExpiresAt: world.now + APPLE_SESSION_MS,
    MerchantSessionIdentifier: identifiers.at(0),
    Nonce: identifiers.at(1),
    MerchantIdentifier: known.MerchantIdentifier,
    DomainName: domainName ?? known.DomainName,
    DisplayName: displayName ?? known.DisplayName,
    Signature: identifiers.at(2),
  };
}

type PresentedAuthentication = Pick<
  ChargeResponse,
  'ThreeDSServerTransID' | 'ThreeDsVerified' | 'ThreeDsRedirectUrl'
>;

const NOT_AUTHENTICATED: PresentedAuthentication = {
  ThreeDSServerTransID: null,
  ThreeDsVerified: false,
  ThreeDsRedirectUrl: null,
};

function presentAuthentication(world: World, id: string | null): PresentedAuthentication {
  const found = id === null ? undefined : world.authentications.find(id);
  if (found === undefined) return NOT_AUTHENTICATED;
  return {
    ThreeDSServerTransID: found.id,
    ThreeDsVerified: found.status === 'PASSED',
    ThreeDsRedirectUrl: found.status === 'CHALLENGED' ? found.redirectUrl : null,
  };
}

/** The payer as error responses describe them; `email` comes from the request. */
export function presentPayer(
  world: World,
  { source, customer }: Charge,
  email: string | null,
): summaries.Payer {
  const known = customer === null ? undefined : world.customers.find(customer);
  return { source, email: email ?? summaries.findPayerEmail(source) ?? known?.email ?? null };
}

function presentFailedAttempt(attempt: FailedAttempt): ChargeResponse['FailedAttempts'][number] {
  return {
    ProviderId: attempt.providerId,
    DateAttempted: formatInstant(attempt.dateAttempted),
    ErrorMessage: attempt.message,
    GatewayCode: attempt.gatewayCode,
    GatewayMessage: attempt.gatewayMessage,
  };
}
