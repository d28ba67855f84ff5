import type { Context } from 'hono';

import { CODE } from '../../core/errors.js';
import {
  type Env,
  overrideOf,
  checkTestCard,
  warnOfHttpReceiver,
  requireWorld,
} from '../../http/exchange.js';
import { addressOf } from '../../http/mounted.js';
import type { DeclineReason } from '../../http/answers/declines.js';
import { presentOutcome } from '../../http/answers/respond.js';
import { type RefusalCode, route, type Section } from '../../http/route.js';
import { buildReadRow, buildSearchRow } from '../../http/answers/rows.js';
import { chooseProvider } from '../providers/routing.js';
import { requireHeaderProvider } from '../tokens/routes.js';
import * as changes from './changes.js';
import * as instruments from './instruments.js';
import { presentAppleSession, presentPayer, presentCharge } from './presenter.js';
import * as schema from './schema.js';
import { searchCharges } from './search.js';
import type { ChargeDetails, ChargeResult } from './service.js';

const AMOUNT_ERRORS = [CODE.InvalidAmount, CODE.InvalidAmountMustBePositive];
export const CHARGE_ERRORS: readonly RefusalCode[] = [
  ...AMOUNT_ERRORS,
  CODE.InvalidProviderId,
  CODE.FeatureAuthoriseAndCaptureIsNotSupported,
  CODE.CurrencyNotSupported,
  CODE.InvalidThreeDSServerTransID,
];
export const CARD_CHARGE_ERRORS = [...CHARGE_ERRORS, CODE.ExpiredCard, CODE.InvalidPaymentInformation];
/** The codes for a charge that a PayTo agreement does not allow. */
const AGREEMENT_ERRORS = [CODE.AmountExceedsMaxAmountForPayToAgreement, CODE.PayToAgreementIsNotActive];
const METHOD_ERRORS = [
  ...AGREEMENT_ERRORS,
  CODE.InvalidPaymentMethod,
  CODE.InvalidPaymentMethodIdRemoved,
  CODE.InvalidVaultId,
];
const TOKEN_ERRORS = [
  CODE.InvalidOrExpiredToken,
  CODE.ExpiredCard,
  CODE.InvalidTransferAmount,
  CODE.TransferLargerThanOriginalCharge,
];
const CHANGE_ERRORS = [CODE.InvalidChargeId, CODE.InvalidChargeStatus];
const CAPTURE_ERRORS = [
  ...CHANGE_ERRORS,
  ...AMOUNT_ERRORS,
  CODE.InvalidCaptureAmountPassed,
  CODE.FeaturePartialCaptureIsNotSupportedCaptureAmount,
];
const REFUND_ERRORS = [
  ...CHANGE_ERRORS,
  ...AMOUNT_ERRORS,
  CODE.InvalidAmountMaximumAvailableRefund,
  CODE.FeatureUnavailable,
];

const ON_CHARGE = {
  response: schema.ChargeResponse,
  asksProvider: true,
  webhooks: ['transaction.status.changed'],
} as const;
const NAMED_CHARGE = { ...ON_CHARGE, find: changes.requireCharge } as const;
/** The body and the query of a refund, on either path. */
const REFUND_ROW = {
  query: schema.RefundCharge,
  body: schema.RefundCharge,
  bodyOptional: true,
  errors: REFUND_ERRORS,
  buildCommand: (
    _: Context<Env>,
    { body, query }: { body: changes.RefundInput; query: changes.RefundInput },
  ) => mergeRefundInput(body, query),
} as const;
export const NEW_CHARGE = { ...ON_CHARGE, method: 'post', operation: 'charge.create' } as const;

/** A charge of a wallet, which a page may make with a public key. */
const WALLET_CHARGE = {
  ...NEW_CHARGE,
  headers: { ProviderId: 'The provider to charge through.' },
  errors: CHARGE_ERRORS,
  access: 'public',
  buildCommand: (c: Context<Env>, { body }: { readonly body: instruments.WalletCharge }) => ({
    ...body,
    providerId: requireHeaderProvider(c),
  }),
  handle: (c: Context<Env>, { body }: { readonly body: instruments.WalletCharge }) =>
    runCharge(c, body, instruments.chargeWallet),
} as const;

export const CHARGES: Section = {
  tag: 'Charges',
  text: 'Take payments and refund them. A declined charge is stored as FAILED; the error response has its ChargeId.',
  rows: [
    route({
      ...NEW_CHARGE,
      path: '/charge/card',
      id: 'chargeCard',
      summary: 'Charge a card',
      text: 'The amount is captured immediately. With Capture false it is only authorised, and can be captured or voided later.',
      body: schema.ChargeCard,
      errors: CARD_CHARGE_ERRORS,
      handle: (c, { body }) => runCardCharge(c, body),
    }),
    route({
      ...NEW_CHARGE,
      path: '/charge/card/least_cost',
      id: 'chargeCardLeastCost',
      summary: 'Charge a card through the cheapest provider',
      text: 'The charge goes to the configured provider whose CostData is lowest for this card and amount, or as `routing` of the scenario says.',
      body: schema.ChargeLeastCost,
      errors: CARD_CHARGE_ERRORS,
      // Before the rules are tried, because one may be for that provider.
      buildCommand: (c, { body }) => {
        const { capture } = body.details;
        const { providerId, routedBy } = chooseProvider(requireWorld(c), { ...body, capture });
        return { ...body, providerId, details: { ...body.details, routedBy } };
      },
      handle: (c, { body }) => runCardCharge(c, body),
    }),
    route({
      ...NEW_CHARGE,
      path: '/charge/token',
      id: 'chargeToken',
      summary: 'Charge a token',
      text: 'A token can be used once, even if the charge is declined. A charge declined because it needs 3-D Secure (code 113) does not use it up.',
      body: schema.ChargeToken,
      errors: [...CHARGE_ERRORS, ...AGREEMENT_ERRORS, ...TOKEN_ERRORS],
      handle: (c, { body }) => runCharge(c, body, instruments.chargeToken),
    }),
    route({
      ...WALLET_CHARGE,
      path: '/charge/token/apple',
      id: 'chargeApple',
      summary: 'Charge an Apple Pay token',
      text: 'The sandbox cannot decrypt the token. It charges a made-up card of the scheme in PaymentMethod.Network.',
      body: schema.ChargeApple,
    }),
    route({
      ...WALLET_CHARGE,
      path: '/charge/token/google',
      id: 'chargeGoogle',
      summary: 'Charge a Google Pay token',
      text: 'The sandbox cannot decrypt the token. It charges a made-up card of the scheme in PaymentMethodData.Info.CardNetwork.',
      body: schema.ChargeGoogle,
    }),
    route({
      method: 'post',
      path: '/charge/token/apple/validate',
      id: 'validateApple',
      operation: 'info.read',
      status: 200,
      summary: 'Begin a session of Apple Pay',
      text: 'Returns a made-up merchant session. Safari accepts only those that Apple signs, so it serves pages with a stand-in for Apple Pay.',
      body: schema.ValidateApple,
      headers: { ProviderId: 'The provider of Apple Pay.' },
      response: schema.AppleSessionResponse,
      errors: [CODE.InvalidProviderId],
      access: 'public',
      buildCommand: (c, { body }) => ({ ...body, providerId: requireHeaderProvider(c) }),
      handle: (c, { body }) => presentAppleSession(requireWorld(c), body),
    }),
    route({
      ...NEW_CHARGE,
      path: '/charge/network_token',
      id: 'chargeNetworkToken',
      summary: 'Charge a network token',
      text: 'A network token can be charged repeatedly. POST /token/card creates one with CreateNetworkToken; magic tokens such as tok_approve are accepted, too.',
      body: schema.ChargeNetworkToken,
      errors: [...CHARGE_ERRORS, CODE.InvalidTokenId],
      handle: (c, { body }) => runCharge(c, body, instruments.chargeNetworkToken),
    }),
    route({
      ...NEW_CHARGE,
      path: '/charge/customer',
      id: 'chargeCustomer',
      summary: 'Charge a customer’s default payment method',
      text: 'A payment method can be charged through a provider other than its own only while its card is in the vault.',
      body: schema.ChargeCustomer,
      errors: [
        ...CHARGE_ERRORS,
        ...METHOD_ERRORS,
        CODE.InvalidCustomerId,
        CODE.InvalidCustomerIdRemoved,
        CODE.CustomerHasNoDefaultPaymentMethodId,
        CODE.ExpiredCard,
      ],
      handle: (c, { body }) => runCharge(c, body, instruments.chargeCustomer),
    }),
    route({
      ...NEW_CHARGE,
      path: '/charge/payment_method',
      id: 'chargePaymentMethod',
      summary: 'Charge a stored payment method',
      text: 'The charge goes through the provider of the payment method. If the vault still holds the Ccv, it is used and then deleted.',
      body: schema.ChargePaymentMethod,
      errors: [...CHARGE_ERRORS, ...METHOD_ERRORS, CODE.InvalidPaymentMethodId, CODE.ExpiredCard],
      handle: (c, { body }) => runCharge(c, body, instruments.chargePaymentMethod),
    }),
    route({
      ...NEW_CHARGE,
      path: '/charge/bank_account',
      id: 'chargeBankAccount',
      summary: 'Charge a bank account',
      text: 'The charge is PENDING until the bank settles it two working days later.',
      body: schema.ChargeBankAccount,
      errors: CHARGE_ERRORS,
      handle: (c, { body }) => runCharge(c, body, instruments.chargeBankAccount),
    }),
    buildSearchRow({
      path: '/charge',
      id: 'searchCharges',
      operation: 'charge.search',
      summary: 'Search charges',
      text: 'Returns the charges that match every filter, newest first by default. Count is the total number of matches.',
      query: schema.SearchCharges,
      list: 'Charges',
      item: schema.ChargeResponse,
      search: searchCharges,
      present: presentCharge,
    }),
    buildReadRow({
      path: '/charge/{id}',
      id: 'getCharge',
      operation: 'charge.read',
      summary: 'Read a charge',
      text: 'Returns the current state of a charge, including a declined one.',
      response: schema.ChargeResponse,
      errors: [CODE.InvalidChargeId],
      find: changes.requireCharge,
      present: presentCharge,
    }),
    captureRow('/charge/{id}', 'captureCharge', 'Capture an authorised charge'),
    captureRow('/charge/{id}/capture', 'captureChargeToo', 'Capture an authorised charge (alternative path)'),
    route({
      ...NAMED_CHARGE,
      method: 'delete',
      path: '/charge/{id}/void',
      id: 'voidCharge',
      operation: 'charge.void',
      summary: 'Void an authorised charge',
      text: 'The charge becomes AUTHORISE_CANCELLED and can no longer be captured.',
      errors: CHANGE_ERRORS,
      handle: (c, { params }) =>
        presentChange(c, changes.voidCharge(requireWorld(c), params.id, overrideOf(c)), 'void'),
    }),
    route({
      ...NAMED_CHARGE,
      method: 'delete',
      path: '/charge/{id}',
      id: 'undoCharge',
      // Whether undoing is a void or a refund depends on the charge.
      operations: ['charge.void', 'charge.refund'],
      operation: (c, { params, body }) =>
        changes.chooseUndoing(requireWorld(c), params.id, body) === 'void' ? 'charge.void' : 'charge.refund',
      summary: 'Void or refund a charge, depending on its status',
      text: 'A captured charge is refunded. An authorised charge is voided; Amount and Comment are then not accepted.',
      ...REFUND_ROW,
      handle: (c, { params, body }) => {
        const world = requireWorld(c);
        const undoing = changes.chooseUndoing(world, params.id, body);
        return presentChange(c, changes.undoCharge(world, params.id, body, overrideOf(c)), undoing);
      },
    }),
    route({
      ...NAMED_CHARGE,
      method: 'delete',
      path: '/refund/{id}',
      id: 'refundCharge',
      operation: 'charge.refund',
      summary: 'Refund a charge, in full or in part',
      text: 'Send Amount and Comment in the query or in the body. Without Amount, everything that earlier refunds and transfers left is refunded.',
      ...REFUND_ROW,
      handle: (c, { params, body }) => {
        const result = changes.refundCharge(
          requireWorld(c),
          params.id,
          body.amount,
          body.comment,
          overrideOf(c),
        );
        return presentChange(c, result, 'refund');
      },
    }),
  ],
};

function captureRow(path: '/charge/{id}' | '/charge/{id}/capture', id: string, summary: string) {
  return route({
    ...NAMED_CHARGE,
    method: 'post',
    path,
    id,
    status: 200,
    operation: 'charge.capture',
    summary,
    text: 'You can capture less than was authorised; the rest is released.',
    body: schema.CaptureCharge,
    errors: CAPTURE_ERRORS,
    handle: (c, { params, body }) =>
      presentChange(
        c,
        changes.captureCharge(requireWorld(c), params.id, body.amount, overrideOf(c)),
        'capture',
      ),
  });
}

type PresentedCharge = schema.ChargeResponse | Promise<never>;

/** The requested refund. The query takes precedence over the body. */
function mergeRefundInput(body: changes.RefundInput, query: changes.RefundInput): changes.RefundInput {
  return { amount: query.amount ?? body.amount, comment: query.comment ?? body.comment };
}

function runCardCharge(c: Context<Env>, command: instruments.CardCharge): PresentedCharge {
  checkTestCard(c, command.card.pan);
  return runCharge(c, command, instruments.chargeCard);
}

/** Creates a charge. A declined one is stored too, and the error has its ChargeId. */
export function runCharge<C extends { readonly amount: string; readonly details: ChargeDetails }>(
  c: Context<Env>,
  command: C,
  charging: instruments.ChargeFunction<C>,
): PresentedCharge {
  const { details } = command;
  warnOfHttpReceiver(c, details.webhook);
  const result = charging(requireWorld(c), addRequestDetails(c, command), overrideOf(c));
  c.get('exchange').created = result.charge.id;
  return presentChargeResult(c, result, describeDecline, details.email);
}

/** Adds what only the request knows to a command. Most commands need nothing, and are not copied. */
function addRequestDetails<C extends { readonly details: ChargeDetails }>(c: Context<Env>, command: C): C {
  const { details } = command;
  const { dialect } = c.get('exchange');
  if (details.authentication === null && dialect === details.dialect) return command;
  const authentication = details.authentication && {
    ...details.authentication,
    origin: addressOf(c),
  };
  return { ...command, details: { ...details, dialect, authentication } };
}

const DECLINED = 'The provider declined the charge';

function describeDecline(because: DeclineReason, chargeId: string): string {
  const reason = because(DECLINED);
  return `${reason}; ${reason === DECLINED ? 'it' : 'the charge'} is stored as ${chargeId} with Status FAILED.`;
}

function presentChange(c: Context<Env>, result: ChargeResult, what: string): PresentedCharge {
  const detail = (because: DeclineReason): string =>
    `${because(`The provider declined the ${what}`)}; the charge is unchanged.`;
  return presentChargeResult(c, result, detail, null);
}

function presentChargeResult(
  c: Context<Env>,
  { charge, answer }: ChargeResult,
  detail: (because: DeclineReason, chargeId: string) => string,
  email: string | null,
): PresentedCharge {
  const world = requireWorld(c);
  const { id: chargeId } = charge;
  return presentOutcome(
    c,
    answer,
    () => presentCharge(world, charge),
    (because) => ({
      detail: detail(because, chargeId),
      payer: presentPayer(world, charge, email),
      chargeId,
    }),
  );
}
