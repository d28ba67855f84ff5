import { ApiError, CODE } from '../../core/errors.js';
import { DECLINED_STATUS, type Outcome, RETRY_AFTER_SECONDS } from '../../outcomes/outcomes.js';
import type { ProviderAnswer } from '../../outcomes/provider.js';
import { isCard } from '../../records/payment-method.js';
import type { Payer } from '../fields/summaries.js';

export function buildDecline(
  answer: ProviderAnswer,
  detail: string,
  payer: Payer,
  chargeId?: string,
): ApiError {
  const { outcome } = answer;
  return new ApiError({
    code: outcome.code ?? CODE.UnknownError,
    detail,
    details: buildGatewayDetails(outcome, payer),
    httpStatus: DECLINED_STATUS,
    retryable: outcome.retryable,
    gatewayCode: outcome.gatewayCode,
    gatewayMessage: outcome.gatewayMessage,
    ...(chargeId === undefined ? {} : { chargeId }),
    ...(outcome.name === 'retry_later' ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {}),
  });
}

/** Gives the reason of a refusal: the text for a decline, unless the provider gave no answer. */
export type DeclineReason = (declined: string) => string;

/** The outcomes that are no decline, since the provider did not decide. */
const NO_ANSWER: ReadonlyMap<string, string> = new Map([
  ['gateway_timeout', 'The provider did not answer in time'],
  ['provider_unavailable', 'The provider is not available'],
]);

export function explainDecline({ name }: Outcome): DeclineReason {
  return (text) => NO_ANSWER.get(name) ?? text;
}

/** The gateway's response and the payer, with the names and order of the service's public sample. */
function buildGatewayDetails(
  { gatewayCode, gatewayMessage }: Outcome,
  { source, email }: Payer,
): Record<string, string | null> {
  const answer = JSON.stringify({ code: gatewayCode, message: gatewayMessage });
  return {
    ...(gatewayCode === null ? {} : { [gatewayCode]: answer }),
    Email: email,
    PaymentType: source.type,
    ...(isCard(source)
      ? { Cardholder: source.cardholder, ExpiryDate: source.expiry, CardType: source.scheme }
      : {}),
  };
}
