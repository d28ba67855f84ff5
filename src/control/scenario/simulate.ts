import * as z from 'zod';

import { quoteText } from '../../core/text/text.js';
import { presentBatchStatus } from '../../resources/batches/presenter.js';
import { BatchStatusResponse } from '../../resources/batches/schema.js';
import { failBatch, requireBatch } from '../../resources/batches/service.js';
import { requireCharge } from '../../resources/charges/changes.js';
import { endChallenge, expireAuthorisation, settleCharge } from '../../resources/charges/later.js';
import {
  AUTHORISATION_EXPIRE,
  type ChargeEvent,
  nextStatus,
  statusesAllowing,
} from '../../records/charge.js';
import { presentCharge } from '../../resources/charges/presenter.js';
import { ChargeResponse } from '../../resources/charges/schema.js';
import type { CheckoutEnding } from '../../records/checkout.js';
import { presentCheckout } from '../../resources/checkouts/presenter.js';
import { CheckoutResponse } from '../../resources/checkouts/schema.js';
import { endCheckout } from '../../resources/checkouts/service.js';
import { CODE, refuse } from '../../core/errors.js';
import { didYouMean } from '../../core/text/nearest.js';
import { formatInstant } from '../../core/time/time.js';
import { ValidationError } from '../../core/validation-error.js';
import { presentMethod } from '../../resources/payment-methods/presenter.js';
import { PaymentMethodResponse } from '../../resources/payment-methods/schema.js';
import { requireMethod } from '../../resources/payment-methods/service.js';
import { presentToken } from '../../resources/tokens/presenter.js';
import { isCard } from '../../records/payment-method.js';
import { type Token, TOKEN_EXPIRE } from '../../records/token.js';
import { presentTokenised } from '../../resources/tokens/routes.js';
import { TokenWithExpiryResponse } from '../../resources/tokens/schema.js';
import { requireKnownToken, type TokeniseCommand } from '../../resources/tokens/service.js';
import { presentVaultEntry } from '../../resources/vault/presenter.js';
import { VaultEntryResponse } from '../../resources/vault/schema.js';
import { deleteVaultEntry } from '../../resources/vault/service.js';
import { paymentInformationField } from '../../http/fields/card-fields.js';
import { requireWorld } from '../../http/exchange.js';
import { convertField, requestSchema } from '../../http/fields/field.js';
import { requiredProviderId, requiredText } from '../../http/fields/fields.js';
import { route } from '../../http/route.js';
import { presentTransaction } from '../../resources/three-d-secure/presenter.js';
import type { ChallengeEnding } from '../../records/authentication.js';
import { TransactionResponse } from '../../resources/three-d-secure/schema.js';
import type { World } from '../../world/world.js';

const SimulatedResponse = z.lazy(() =>
  z.union([
    ChargeResponse,
    PaymentMethodResponse,
    VaultEntryResponse,
    BatchStatusResponse,
    TokenWithExpiryResponse,
    TransactionResponse,
    CheckoutResponse,
  ]),
);

type SimulateAction = (world: World, ref: string) => z.output<typeof SimulatedResponse>;

const ACTIONS = {
  'batch.fail': (world, ref) => presentBatchStatus(world, failBatch(world, requireBatch(world, ref).id)),
  // The entry is deleted by now. Like any deleted entry it is shown without its number.
  'vault.expire': (world, ref) =>
    presentVaultEntry(world, { ...deleteVaultEntry(world, ref), expires: world.now }),
  'authorisation.expire': expireCharge,
  'charge.settle': settleEarly,
  'payto.activate': activatePayTo,
  'token.expire': expireTokenEarly,
  'challenge.approve': buildChallengeAction('approve'),
  'challenge.fail': buildChallengeAction('fail'),
  'challenge.abandon': buildChallengeAction('abandon'),
  'challenge.timeOut': buildChallengeAction('timeOut'),
  'checkout.approve': buildCheckoutAction('APPROVED'),
  'checkout.decline': buildCheckoutAction('DECLINED'),
  'checkout.expire': buildCheckoutAction('EXPIRED'),
} as const satisfies Readonly<Record<string, SimulateAction>>;
export const ACTION_NAMES = Object.keys(ACTIONS);
export type ActionName = keyof typeof ACTIONS;

const simulateAction = convertField(z.string(), (value): SimulateAction | ValidationError => {
  const known = Object.hasOwn(ACTIONS, value) ? ACTIONS[value as ActionName] : undefined;
  if (known !== undefined) return known;
  const accepted = `one of ${ACTION_NAMES.join(', ')}${didYouMean(value, ACTION_NAMES)}`;
  return new ValidationError(`is ${quoteText(value)}; it must be ${accepted}`);
}).meta({ sample: '"vault.expire"', enum: ACTION_NAMES, description: 'The action.' });

export const Simulate = z.lazy(() =>
  z.object({
    Action: simulateAction,
    Ref: requiredText('"0123456789abcdef0123456789abcdef"').describe(
      'The identifier of the record that the action applies to.',
    ),
  }),
);

export const SIMULATE_ROW = route({
  method: 'post',
  path: '/_sandbox/simulate',
  id: 'simulate',
  summary: 'Trigger an event immediately',
  text: 'Ref is the identifier of the record that the action applies to.',
  body: Simulate,
  response: SimulatedResponse,
  errors: [
    [CODE.InvalidBatch, 404],
    [CODE.InvalidBatch, 409],
    CODE.InvalidVaultId,
    CODE.InvalidChargeId,
    CODE.InvalidChargeStatus,
    CODE.InvalidPaymentMethodId,
    CODE.InvalidPaymentMethodIdRemoved,
    CODE.InvalidPaymentType,
    [CODE.InvalidPaymentMethod, 409],
    CODE.InvalidTokenId,
    [CODE.InvalidOrExpiredToken, 409],
    CODE.NoTransactionFound,
    CODE.InvalidThreeDSServerTransID,
    [CODE.InvalidThreeDSServerTransID, 409],
  ],
  handle: (c, { body }) => body.Action(requireWorld(c), body.Ref),
});

function buildChallengeAction(ending: ChallengeEnding): SimulateAction {
  return (world, ref) => presentTransaction(endChallenge(world, ref, ending));
}

/** The identifier may be that of the charge. No check-out that has ended shows the address of its page. */
function buildCheckoutAction(ending: CheckoutEnding): SimulateAction {
  return (world, ref) => {
    const id = world.charges.find(ref)?.more.checkout ?? ref;
    return presentCheckout(world, endCheckout(world, id, ending), '');
  };
}

function expireCharge(world: World, ref: string): ChargeResponse {
  const id = requireChargeEvent(world, ref, 'expire');
  expireAuthorisation(world, id);
  world.jobs.cancel(AUTHORISATION_EXPIRE, id);
  return presentCharge(world, requireCharge(world, ref));
}

/** Settles a charge early, with the outcome that it would have had anyway. */
function settleEarly(world: World, ref: string): ChargeResponse {
  settleCharge(world, requireChargeEvent(world, ref, 'settle'));
  return presentCharge(world, requireCharge(world, ref));
}

/** The identifier of a charge that allows an event; otherwise 409 with code 54. */
function requireChargeEvent(world: World, ref: string, event: ChargeEvent): string {
  const { id, status, source } = requireCharge(world, ref);
  if (event === 'settle' && isCard(source) && status === 'PENDING') {
    const detail = `The charge ${ref} is waiting for a 3-D Secure challenge, not for a bank. End the challenge with challenge.approve.`;
    refuse(CODE.InvalidChargeStatus, detail);
  }
  if (nextStatus(status, event) !== undefined) return id;
  const allowed = statusesAllowing(event).join(' or ');
  return refuse(CODE.InvalidChargeStatus, `The charge ${ref} is ${status}; ${event} requires ${allowed}.`);
}

function activatePayTo(world: World, ref: string): PaymentMethodResponse {
  const method = requireMethod(world, ref);
  const { source } = method;
  if (source.type !== 'PAYTO') {
    const detail = `The payment method has the type ${source.type}; only PAYTO can be activated.`;
    return refuse(CODE.InvalidPaymentType, detail);
  }
  if (source.status !== 'PENDING') {
    const detail = `The agreement is already ${source.status}; only a PENDING one can be activated.`;
    refuse(CODE.InvalidPaymentMethod, detail, { httpStatus: 409 });
  }
  const active = { ...method, source: { ...source, status: 'ACTIVE' as const } };
  world.paymentMethods.replace(active);
  world.webhooks.notify('paymentMethod.updated', method.id, null);
  return presentMethod(world, active);
}

function expireTokenEarly(world: World, ref: string): TokenWithExpiryResponse {
  const token = requireKnownToken(world, ref);
  if (token.secret === null) {
    const why = token.dateUsed === null ? 'has already expired' : 'was already used';
    refuse(CODE.InvalidOrExpiredToken, `The token ${why}; only an unused token can expire.`, {
      httpStatus: 409,
    });
  }
  const ended = { ...token, secret: null, expires: world.now };
  world.tokens.replace(ended);
  world.jobs.cancel(TOKEN_EXPIRE, token.id);
  return presentWithExpiry(world, ended);
}

const CreateToken = requestSchema(
  () => ({ ProviderId: requiredProviderId(), PaymentInformation: paymentInformationField() }),
  ({ ProviderId, PaymentInformation }): TokeniseCommand => ({
    providerId: ProviderId,
    card: PaymentInformation,
    vault: { wanted: false, expiry: { seconds: null, instant: null } },
    ip: null,
    metadata: null,
    wantsNetworkToken: false,
    clickToPay: null,
  }),
);

export const TOKEN_ROW = route({
  method: 'post',
  path: '/_sandbox/tokens',
  id: 'createSandboxToken',
  operation: 'token.create',
  summary: 'Create a token as a page would',
  text: 'Like POST /token/card, with the secret key: for tests without a browser.',
  body: CreateToken,
  response: TokenWithExpiryResponse,
  errors: [CODE.ExpiredCard, CODE.InvalidPaymentInformation],
  asksProvider: true,
  handle: (c, { body }) => presentTokenised(c, body, presentWithExpiry),
});

/** A token as pages receive it, with its expiry, which the service does not show. */
function presentWithExpiry(world: World, token: Token): TokenWithExpiryResponse {
  return { ...presentToken(world, token), ExpiresAt: formatInstant(token.expires) };
}
