import { CODE, errorRow, refuse } from '../core/errors.js';
import { currencyExponent, formatAmount, parseAmount } from '../core/money.js';
import type { Card, Metadata } from '../payment-methods/model.js';
import { requireUnexpired } from '../payment-methods/service.js';
import { providerFeatures } from '../providers/built-in.js';
import type { Override } from '../providers/header.js';
import { approved } from '../providers/outcomes.js';
import { answerCall, type ProviderAnswer, type ProviderOperation } from '../providers/provider.js';
import type { World } from '../world.js';
import {
  AUTHORISATION_EXPIRE,
  type Charge,
  type ChargeEvent,
  type ChargeMore,
  type FailedAttempt,
  nextStatus,
  NOTHING_MORE,
  statusesAllowing,
  type Webhook,
} from './model.js';

/** The currency of a provider that nobody configured. */
export const DEFAULT_CURRENCY = 'AUD';

/** What a charge says beside its amount and its instrument. */
export interface ChargeDetails {
  readonly currency: string | null;
  readonly reference: string | null;
  readonly capture: boolean;
  readonly initiator: 'CUSTOMER' | 'MERCHANT' | null;
  readonly descriptor: string | null;
  readonly metadata: Metadata | null;
  readonly webhook: Webhook | null;
}

/** Details of a charge that says nothing. */
export const PLAIN_DETAILS: ChargeDetails = {
  currency: null,
  reference: null,
  capture: true,
  initiator: null,
  descriptor: null,
  metadata: null,
  webhook: null,
};

/** What is charged, whichever way the caller named it. */
export interface Instrument {
  readonly providerId: string;
  readonly card: Card;
  readonly ccv: boolean;
  readonly customer: number | null;
  readonly paymentMethod: number | null;
  readonly token: string | null;
  readonly batch: number | null;
}

/** A stored charge and what its provider answered; declined charges are stored too. */
export interface ChargeResult {
  readonly charge: Charge;
  readonly answer: ProviderAnswer;
}

/** An amount in minor units, or the refusal with code 2 or 74. */
export function readAmount(digits: string, currency: string): number {
  const exponent = currencyExponent(currency) ?? 2;
  const minor = parseAmount(digits, exponent);
  if (typeof minor === 'number') return minor;
  if (minor === 'not-positive') {
    return refuse(CODE.InvalidAmountMustBePositive, `Amount is ${digits}, it must be greater than 0.`, {
      details: { Amount: 'must be greater than 0' },
    });
  }
  const reason =
    minor === 'decimals' ? `${currency} takes at most ${exponent} decimals` : 'at most 999999999.99 is taken';
  return refuse(CODE.InvalidAmount, `Amount is ${digits}, ${reason}.`, { details: { Amount: reason } });
}

/** Charges an instrument: asks its provider and stores what came of it, approved or declined. */
export function charge(
  world: World,
  instrument: Instrument,
  amount: string,
  details: ChargeDetails,
  override: Override | null,
): ChargeResult {
  const { providerId, card } = instrument;
  const currency = details.currency ?? DEFAULT_CURRENCY;
  const amountMinor = readAmount(amount, currency);
  if (!details.capture && !providerFeatures(providerId).authorise) {
    refuse(CODE.FeatureAuthoriseAndCaptureIsNotSupported, 'Leave Capture out, or use another ProviderId.');
  }
  requireUnexpired(world, card.expiry, 'PaymentInformation.ExpiryDate');
  world.requireRoom(world.charges, 'charges');

  const answer = answerCall(
    { operation: 'charge.create', providerId, amountMinor, currency, trigger: card.trigger, override },
    world,
  );
  const made = makeCharge(world, instrument, amountMinor, currency, details, answer);
  world.charges.add(made);
  if (made.status === 'AUTHORISED') {
    world.jobs.schedule(world.now + world.settings.authorisationTtl, AUTHORISATION_EXPIRE, made.index);
  }
  return { charge: made, answer };
}

function makeCharge(
  world: World,
  instrument: Instrument,
  amountMinor: number,
  currency: string,
  details: ChargeDetails,
  answer: ProviderAnswer,
): Charge {
  const good = approved(answer.outcome);
  return {
    index: world.charges.next,
    providerId: instrument.providerId,
    amountMinor,
    currency,
    status: good ? (details.capture ? 'SUCCESS' : 'AUTHORISED') : 'FAILED',
    reference: details.reference,
    authorisedMinor: good && !details.capture ? amountMinor : null,
    refundedMinor: 0,
    card: instrument.card,
    ccvCheck: instrument.ccv ? answer.ccvCheck : null,
    customer: instrument.customer,
    paymentMethod: instrument.paymentMethod,
    batch: instrument.batch,
    dateAdded: world.now,
    successDate: good && details.capture ? world.now : null,
    more: moreOf(world, instrument, details, answer),
  };
}

function moreOf(world: World, instrument: Instrument, details: ChargeDetails, answer: ProviderAnswer): ChargeMore {
  const { initiator, descriptor, metadata, webhook } = details;
  const failed = !approved(answer.outcome);
  const plain = initiator === null && descriptor === null && metadata === null && webhook === null;
  if (plain && !failed && instrument.token === null) return NOTHING_MORE;
  return {
    ...NOTHING_MORE,
    initiator,
    descriptor,
    metadata,
    webhook,
    token: instrument.token,
    failedAttempts: failed ? [failureOf(world, instrument.providerId, answer)] : [],
  };
}

function failureOf(world: World, providerId: string, answer: ProviderAnswer): FailedAttempt {
  const { code, gatewayCode, gatewayMessage } = answer.outcome;
  return {
    providerId,
    dateAttempted: world.now,
    message: errorRow(code ?? CODE.UnknownError).message,
    gatewayCode,
    gatewayMessage,
  };
}

/** The charge of an identifier; unknown: 404 with code 84. */
export function requireCharge(world: World, id: string): Charge {
  const found = world.charges.find(id);
  if (found) return found;
  const shown = id.slice(0, 40);
  return refuse(CODE.InvalidChargeId, `There is no charge ${shown} in this world. Each x-secretkey has charges of its own.`);
}

/** Captures an authorisation, in whole or less; the rest is released. */
export function captureCharge(world: World, id: string, amount: string, override: Override | null): ChargeResult {
  const found = requireCharge(world, id);
  const status = requireTransition(world, found, 'capture');
  const amountMinor = readAmount(amount, found.currency);
  const authorised = found.authorisedMinor ?? found.amountMinor;
  const shown = (minor: number): string => formatAmount(minor, currencyExponent(found.currency) ?? 2);
  if (amountMinor > authorised) {
    const details = { Amount: `at most ${shown(authorised)} was authorised` };
    refuse(CODE.InvalidCaptureAmountPassed, `Amount is ${shown(amountMinor)}, ${details.Amount}.`, { details });
  }
  if (amountMinor < authorised && !providerFeatures(found.providerId).partialCapture) {
    const details = { Amount: `this provider captures ${shown(authorised)} or nothing` };
    refuse(CODE.FeaturePartialCaptureIsNotSupportedCaptureAmount, `${details.Amount}.`, { details });
  }
  return change(world, found, 'charge.capture', amountMinor, override, () => ({
    status,
    amountMinor,
    successDate: world.now,
  }));
}

/** Voids an authorisation. */
export function voidCharge(world: World, id: string, override: Override | null): ChargeResult {
  const found = requireCharge(world, id);
  const status = requireTransition(world, found, 'void');
  return change(world, found, 'charge.void', found.amountMinor, override, () => ({
    status,
    more: { ...found.more, voidDate: world.now },
  }));
}

/** Refunds what is left of a captured charge, or a part of it. */
export function refundCharge(
  world: World,
  id: string,
  amount: string | null,
  comment: string | null,
  override: Override | null,
): ChargeResult {
  const found = requireCharge(world, id);
  requireTransition(world, found, 'refund');
  const left = found.amountMinor - found.refundedMinor;
  const amountMinor = amount === null ? left : readAmount(amount, found.currency);
  if (amountMinor > left) {
    const shown = formatAmount(left, currencyExponent(found.currency) ?? 2);
    const details = { Amount: `at most ${shown} is left to refund` };
    refuse(CODE.InvalidAmountMaximumAvailableRefund, `Amount is ${amount ?? shown}, ${details.Amount}.`, { details });
  }
  const status = requireTransition(world, found, amountMinor === left ? 'refund' : 'refundPart');
  return change(world, found, 'charge.refund', amountMinor, override, () => ({
    status,
    refundedMinor: found.refundedMinor + amountMinor,
    more: {
      ...found.more,
      refunds: [...found.more.refunds, { amountMinor, dateAdded: world.now, comment }],
    },
  }));
}

/** The status after an event, or a 409 that names the status and what it would have to be. */
function requireTransition(world: World, found: Charge, event: ChargeEvent): Charge['status'] {
  const status = nextStatus(found.status, event);
  if (status !== undefined) return status;
  const allowed = statusesAllowing(event).join(' or ');
  const what = event === 'refundPart' ? 'refund' : event;
  return refuse(
    CODE.InvalidChargeStatus,
    `The charge ${world.charges.idOf(found.index)} is ${found.status}; ${what} needs ${allowed}.`,
  );
}

/** Asks the provider for a change of a charge; a declined change leaves the status and notes the attempt. */
function change(
  world: World,
  found: Charge,
  operation: ProviderOperation,
  amountMinor: number,
  override: Override | null,
  changed: () => Partial<Charge>,
): ChargeResult {
  const { providerId, currency, card } = found;
  const answer = answerCall({ operation, providerId, amountMinor, currency, trigger: card.trigger, override }, world);
  const after: Charge = approved(answer.outcome)
    ? { ...found, ...changed() }
    : {
        ...found,
        more: {
          ...found.more,
          failedAttempts: [...found.more.failedAttempts, failureOf(world, providerId, answer)],
        },
      };
  world.charges.replace(found.index, after);
  if (after.status !== 'AUTHORISED') world.jobs.cancel(AUTHORISATION_EXPIRE, found.index);
  return { charge: after, answer };
}

/** The job of an authorisation that nobody captured in time. */
export function expireAuthorisation(world: World, index: number): void {
  const found = world.charges.at(index);
  const status = found && nextStatus(found.status, 'expire');
  if (!found || !status) return;
  world.charges.replace(index, { ...found, status, more: { ...found.more, voidDate: world.now } });
}
