import { addWorkingDays } from '../../core/time/periods.js';
import { DEFAULT_DIALECT, type Dialect } from '../../core/dialect/dialect.js';
import { CODE, refuse, refuseField } from '../../core/errors.js';
import { currencyExponent, parseAmount } from '../../core/money.js';
import { formatCount } from '../../core/text/text.js';
import type { Override } from '../../outcomes/header.js';
import { AWAIT_PAYER, isApproved } from '../../outcomes/outcomes.js';
import type { ProviderAnswer, ProviderCall } from '../../outcomes/provider.js';
import { isCard, type Source } from '../../records/payment-method.js';
import { DEFAULT_CURRENCY } from '../../records/provider.js';
import { featuresOf, openProvider } from '../providers/service.js';
import { requireChargeable, requireUnexpired } from '../tokens/rules.js';
import * as authenticating from '../three-d-secure/charging.js';
import { addDecision, addFailedCalls, type FailedCall } from './attempts.js';
import { askProvider, failOver } from './failover.js';
import { type RequestedTransfer, readTransfer, transferFromCharge } from './transfer.js';
import type { World } from '../../world/world.js';
import {
  AUTHORISATION_EXPIRE,
  type Charge,
  CHARGE_SETTLE,
  type ChargeMore,
  type ChargeStatus,
  NOTHING_MORE,
  orNothingMore,
  SETTLEMENT_DAYS,
} from '../../records/charge.js';

/** The fields of a charge, without its amount and its instrument. */
export interface ChargeDetails extends Omit<
  ChargeMore,
  'refunds' | 'failedAttempts' | 'decisions' | 'token' | 'voidDate' | 'authentication' | 'transfer'
> {
  readonly currency: string | null;
  readonly reference: string | null;
  readonly capture: boolean;
  /** The dialect of the request, which webhooks of the charge use for its status. */
  readonly dialect: Dialect;
  /** The payer's address from the request. A decline repeats it; it is not stored. */
  readonly email: string | null;
  readonly authentication: authenticating.AuthenticationInput | null;
  /** How the provider of a charge without a ProviderId was chosen, such as `routing:lowestCost`. */
  readonly routedBy: string | null;
  /** A part of the amount for somebody else. */
  readonly transfer: RequestedTransfer | null;
}

/** Shared, since most charges are made by the first provider that is asked. */
const NO_CALLS: readonly FailedCall[] = [];

export const PLAIN_DETAILS: ChargeDetails = {
  currency: null,
  reference: null,
  capture: true,
  email: null,
  initiator: null,
  descriptor: null,
  metadata: null,
  webhook: null,
  subscription: null,
  checkout: null,
  dialect: DEFAULT_DIALECT,
  authentication: null,
  routedBy: null,
  transfer: null,
};

export interface Instrument {
  readonly providerId: string;
  readonly source: Source;
  readonly ccv: boolean;
  readonly customer: string | null;
  readonly paymentMethod: string | null;
  readonly token: string | null;
  readonly batch: string | null;
}

/** A stored charge, approved or declined, and the answer of its provider. */
export interface ChargeResult {
  readonly charge: Charge;
  readonly answer: ProviderAnswer;
}

/** Returns an amount in minor units, or refuses it with code 2 or 74. */
export function readAmount(digits: string, currency: string, field = 'Amount'): number {
  const exponent = currencyExponent(currency) ?? 2;
  const minor = parseAmount(digits, exponent);
  if (typeof minor === 'number') return minor;
  if (minor === 'not-positive') {
    return refuseField(CODE.InvalidAmountMustBePositive, field, `must be greater than 0, not ${digits}`);
  }
  const accepted =
    minor === 'decimals'
      ? `have at most ${formatCount(exponent, 'decimal')} in ${currency}`
      : 'be at most 999999999.99';
  return refuseField(CODE.InvalidAmount, field, `must ${accepted}, not ${digits}`);
}

/** Asks the provider and stores the charge, approved or declined. */
export function makeCharge(
  world: World,
  instrument: Instrument,
  amount: string,
  details: ChargeDetails,
  override: Override | null,
): ChargeResult {
  const { providerId, source } = instrument;
  const configured = openProvider(world, providerId);
  const currency = details.currency ?? configured?.currency ?? DEFAULT_CURRENCY;
  const amountMinor = readAmount(amount, currency);
  if (!details.capture && !featuresOf(configured, providerId).authorise) {
    refuse(CODE.FeatureAuthoriseAndCaptureIsNotSupported, 'Leave Capture out, or use another ProviderId.');
  }
  if (isCard(source)) requireUnexpired(world, source.expiry, 'PaymentInformation.ExpiryDate');
  else requireChargeable(source, { amountMinor, currency, capture: details.capture });
  world.requireRoom(world.charges, 'charges');
  const transfer = details.transfer
    ? readTransfer(world, details.transfer, { amountMinor, currency, capture: details.capture })
    : null;

  const found = authenticating.findFinishedAuthentication(world, instrument, details.authentication);
  const call: ProviderCall = {
    operation: 'charge.create',
    providerId,
    configured,
    amountMinor,
    currency,
    trigger: source.trigger,
    override,
  };
  const decided = askProvider(world, instrument, details, call, found);
  const asked = decided.answer.outcome.failsOver
    ? failOver(world, instrument, details, { call, decided }, found)
    : null;
  const charge =
    asked === null
      ? storeCharge(world, instrument, amountMinor, currency, details, decided)
      : storeCharge(
          world,
          { ...instrument, providerId: asked.providerId },
          amountMinor,
          currency,
          details,
          asked.decided,
          asked.earlier,
        );
  if (transfer !== null) transferFromCharge(world, charge, transfer);
  return { charge, answer: (asked?.decided ?? decided).answer };
}

export function storeCharge(
  world: World,
  instrument: Instrument,
  amountMinor: number,
  currency: string,
  details: ChargeDetails,
  decided: authenticating.AuthenticatedAnswer,
  earlier: readonly FailedCall[] = NO_CALLS,
): Charge {
  const { answer } = decided;
  const status = firstStatus(instrument.source, details.capture, decided);
  const good = status !== 'FAILED';
  const made: Charge = {
    id: world.charges.nextId,
    index: world.charges.next,
    providerId: world.texts.share(instrument.providerId, instrument.providerId),
    amountMinor,
    currency: world.texts.share(currency, currency),
    status,
    reference: details.reference,
    authorisedMinor: good && !details.capture ? amountMinor : null,
    refundedMinor: 0,
    source: instrument.source,
    ccvCheck: instrument.ccv ? answer.ccvCheck : null,
    customer: instrument.customer,
    paymentMethod: instrument.paymentMethod,
    batch: instrument.batch,
    dateAdded: world.now,
    successDate: status === 'SUCCESS' ? world.now : null,
    more: buildChargeMore(world, instrument, details, decided, earlier),
  };
  world.charges.add(made);
  if (decided.authentication !== null)
    authenticating.markAuthenticationUsed(world, decided.authentication, made.id);
  if (made.status === 'Authorised') {
    world.jobs.schedule(world.now + world.settings.authorisationTtl, AUTHORISATION_EXPIRE, made.id);
  }
  if (made.status === 'PENDING' && made.source.type === 'BANK_ACCOUNT') {
    world.jobs.schedule(addWorkingDays(world.now, SETTLEMENT_DAYS), CHARGE_SETTLE, made.id);
  }
  world.webhooks.notify('transaction.status.changed', made.id, details.webhook, details.dialect);
  return made;
}

/** The first status of a charge: pending if a bank, a challenge or a wallet's page decides later. */
function firstStatus(
  source: Source,
  capture: boolean,
  { answer, authentication }: authenticating.AuthenticatedAnswer,
): ChargeStatus {
  if (!isApproved(answer.outcome)) return 'FAILED';
  if (answer.outcome === AWAIT_PAYER) return 'PENDING_CHECKOUT';
  if (authentication?.status === 'CHALLENGED') return 'PENDING';
  if (!capture) return 'Authorised';
  return source.type === 'BANK_ACCOUNT' ? 'PENDING' : 'SUCCESS';
}

function buildChargeMore(
  world: World,
  instrument: Instrument,
  details: ChargeDetails,
  { answer, authentication }: authenticating.AuthenticatedAnswer,
  earlier: readonly FailedCall[],
): ChargeMore {
  const { initiator, descriptor, metadata, webhook, subscription, checkout } = details;
  const { refunds, failedAttempts, decisions, voidDate, transfer } = NOTHING_MORE;
  const { token } = instrument;
  // Every field by name, so that the compiler reports a missing one.
  const more = {
    refunds,
    failedAttempts,
    decisions,
    initiator,
    descriptor,
    token,
    voidDate,
    metadata,
    webhook,
    subscription,
    authentication: authentication?.id ?? null,
    checkout,
    transfer,
  };
  const routed = addDecision(world, more, 'charge.create', details.routedBy);
  const tried = addFailedCalls(world, routed, earlier);
  if (isApproved(answer.outcome))
    return orNothingMore(addDecision(world, tried, 'charge.create', answer.trigger));
  return addFailedCalls(world, tried, [{ providerId: instrument.providerId, answer }]);
}
