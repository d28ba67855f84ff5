import type { Dialect } from '../../core/dialect/dialect.js';
import { formatAmount } from '../../core/money.js';
import { findBuiltIn } from '../../outcomes/built-in.js';
import { labelProvider } from '../../outcomes/configured.js';
import { decideAnswer, type ProviderAnswer, type ProviderCall } from '../../outcomes/provider.js';
import type { Charge } from '../../records/charge.js';
import type { Authentication } from '../../records/authentication.js';
import { findCard } from '../../records/payment-method.js';
import { bareProviderId } from '../../records/provider.js';
import type { World } from '../../world/world.js';
import { featuresOf, isKnownProvider } from '../providers/service.js';
import {
  applyAuthentication,
  type AuthenticatedAnswer,
  type AuthenticationInput,
  demandsAuthentication,
} from '../three-d-secure/charging.js';
import type { FailedCall } from './attempts.js';
import { type ChargedMethod, findScriptedOutcome } from './scripted.js';

/** How many fallbacks a charge has at most, also those that cannot take it: our own limit. */
export const FALLBACKS_MAX = 5;

/** The instrument of a charge, as far as providers and scripts need it. */
type ChargedInstrument = ChargedMethod & Pick<Charge, 'batch'> & { readonly token: string | null };

/** The details of a charge, as far as providers and scripts need them. */
interface ChargeTerms extends Pick<Charge, 'reference'>, Pick<Charge['more'], 'subscription'> {
  readonly capture: boolean;
  readonly authentication: AuthenticationInput | null;
  readonly dialect: Dialect;
}

/** Asks a provider to charge. `found`: the authentication of the charge, if it has one. */
export function askProvider(
  world: World,
  instrument: ChargedInstrument,
  { authentication: input, dialect }: ChargeTerms,
  call: ProviderCall,
  found: Authentication | null,
): AuthenticatedAnswer {
  const answer = decideAnswer(call, world.chance);
  if (found === null && !demandsAuthentication(answer)) return { answer, authentication: null };
  return applyAuthentication(world, { instrument, input, dialect, call, answer, found });
}

/** The provider that was asked last, its answer, and the calls of other providers before. */
interface ChargeElsewhere {
  readonly providerId: string;
  readonly decided: AuthenticatedAnswer;
  readonly earlier: readonly FailedCall[];
}

/**
 * Asks the fallbacks of a provider in turn, until one of them decides about a charge. What decided the first call, such as a header,
 * decides no other one: only what names the fallback does, and a magic card that has not decided yet.
 */
export function failOver(
  world: World,
  instrument: ChargedInstrument,
  terms: ChargeTerms,
  first: { readonly call: ProviderCall; readonly decided: AuthenticatedAnswer },
  found: Authentication | null,
): ChargeElsewhere {
  let { call, decided } = first;
  const earlier: FailedCall[] = [];
  const fallbacks = isKnownElsewhere(world, instrument) ? listFallbacks(world, call, terms.capture) : [];
  for (const next of fallbacks) {
    const before = decided.answer;
    if (!before.outcome.failsOver) break;
    earlier.push({ providerId: call.providerId, answer: before });
    const charged = { ...instrument, providerId: next.providerId };
    const override = findOverride(world, charged, terms, call);
    // A magic card decides once.
    const trigger = before.trigger === call.trigger ? null : call.trigger;
    call = { ...call, ...next, trigger, override };
    const asked = askProvider(world, charged, terms, call, decided.authentication ?? found);
    decided = { ...asked, answer: addEarlierAnswer(asked.answer, before, next) };
  }
  return { providerId: call.providerId, decided, earlier };
}

/** A provider's own token, and an agreement with it, mean nothing to another provider. */
function isKnownElsewhere(world: World, { source, paymentMethod }: ChargedInstrument): boolean {
  if (findCard(source) === null && source.type !== 'BANK_ACCOUNT') return false;
  return paymentMethod === null || (world.paymentMethods.find(paymentMethod)?.origin ?? null) === null;
}

type CalledProvider = Pick<ProviderCall, 'providerId' | 'configured'>;

/** The fallbacks that can take a charge. One that cannot is passed over; one that was already listed ends the list. */
function* listFallbacks(
  world: World,
  first: CalledProvider,
  capture: boolean,
): Generator<CalledProvider, void> {
  const seen = new Set([bareProviderId(first.providerId)]);
  let named = first.configured?.fallbackProviderId ?? null;
  while (named !== null && seen.size <= FALLBACKS_MAX && !seen.has(bareProviderId(named))) {
    seen.add(bareProviderId(named));
    const configured = world.providers.findByProviderId(named);
    const providerId: string = configured?.providerId ?? named;
    const isOpen = configured === null ? isKnownProvider(world, named) : configured.dateRemoved === null;
    if (isOpen && (capture || featuresOf(configured, providerId).authorise)) yield { providerId, configured };
    named = configured?.fallbackProviderId ?? null;
  }
}

/** The outcome that a script has for the fallback; null if none. */
function findOverride(
  world: World,
  charged: ChargedInstrument,
  { subscription, reference }: ChargeTerms,
  { amountMinor, currency }: ProviderCall,
): ProviderCall['override'] {
  const ownOperation = subscription === null ? 'charge.create' : 'subscription.charge';
  const amount = amountMinor === null || currency === null ? null : formatAmount(amountMinor, currency);
  const facts = { amount, currency, reference, isFallback: true };
  return findScriptedOutcome(world, charged.batch === null ? ownOperation : 'batch.row', charged, facts);
}

/** The client waits for all providers that were asked. An answer that nothing special decided is that of a fallback. */
function addEarlierAnswer(
  answer: ProviderAnswer,
  before: ProviderAnswer,
  { configured, providerId }: CalledProvider,
): ProviderAnswer {
  const label =
    configured === null ? (findBuiltIn(providerId)?.name ?? providerId) : labelProvider(configured);
  return {
    ...answer,
    trigger: answer.trigger ?? `fallback:${label}`,
    latencyMs: before.latencyMs + answer.latencyMs,
    delayMs: before.delayMs + answer.delayMs,
  };
}
