import { formatAmount } from '../../core/money.js';
import { findBuiltIn } from '../../outcomes/built-in.js';
import { labelProvider } from '../../outcomes/configured.js';
import type { ProviderAnswer, ProviderCall } from '../../outcomes/provider.js';
import { findCard } from '../../records/payment-method.js';
import { bareProviderId, type ConfiguredProvider } from '../../records/provider.js';
import type { Operation } from '../../scenarios/script/model.js';
import type { World } from '../../world/world.js';
import { featuresOf, isKnownProvider } from '../providers/service.js';
import type { AuthenticatedAnswer } from '../three-d-secure/charging.js';
import { type ChargedMethod, findScriptedOutcome } from './scripted.js';

/** How many fallbacks a charge has at most, also those that cannot take it: our own limit. */
export const FALLBACKS_MAX = 5;

/** A call of a provider that did not take the charge. */
export interface FailedCall {
  readonly providerId: string;
  readonly answer: ProviderAnswer;
}

/** The last call of a provider for a charge, which decided it, and the calls of other providers before. */
export interface AskedProvider {
  readonly call: ProviderCall;
  readonly decided: AuthenticatedAnswer;
  readonly earlier: readonly FailedCall[];
}

interface MovableCharge {
  readonly method: ChargedMethod;
  readonly capture: boolean;
  readonly operation: Operation;
  readonly reference: string | null;
}

/**
 * Asks the fallbacks of a provider in turn, until one of them decides about a charge. What decided the first call for sure, such as a
 * header, decides no other one: only what names the fallback does, and a magic card that has not decided yet.
 */
export function failOver(
  world: World,
  charge: MovableCharge,
  first: Omit<AskedProvider, 'earlier'>,
  ask: (call: ProviderCall, before: AuthenticatedAnswer) => AuthenticatedAnswer,
): AskedProvider {
  let asked: AskedProvider = { ...first, earlier: [] };
  if (!isKnownElsewhere(world, charge.method)) return asked;
  for (const next of listFallbacks(world, first.call, charge.capture)) {
    const { call, decided, earlier } = asked;
    if (!decided.answer.outcome.failsOver) break;
    const nextCall = {
      ...moveCall(call, decided.answer, next),
      override: findOverride(world, charge, call, next),
    };
    const answered = ask(nextCall, decided);
    asked = {
      call: nextCall,
      decided: { ...answered, answer: addFirstAnswer(answered.answer, decided.answer, next) },
      earlier: [...earlier, { providerId: call.providerId, answer: decided.answer }],
    };
  }
  return asked;
}

/** A provider's own token, and an agreement with it, mean nothing to another provider. */
function isKnownElsewhere(world: World, { source, paymentMethod }: ChargedMethod): boolean {
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
    const configured: ConfiguredProvider | null = world.providers.findByProviderId(named);
    const providerId = configured?.providerId ?? named;
    const isOpen = configured === null ? isKnownProvider(world, named) : configured.dateRemoved === null;
    if (isOpen && (capture || featuresOf(configured, providerId).authorise)) yield { providerId, configured };
    named = configured?.fallbackProviderId ?? null;
  }
}

/** A magic card decides once. */
function moveCall(call: ProviderCall, { trigger }: ProviderAnswer, next: CalledProvider): ProviderCall {
  return { ...call, ...next, trigger: trigger === call.trigger ? null : call.trigger };
}

function findOverride(
  world: World,
  { method, operation, reference }: MovableCharge,
  { amountMinor, currency }: ProviderCall,
  { providerId }: CalledProvider,
): ProviderCall['override'] {
  const amount = amountMinor === null || currency === null ? null : formatAmount(amountMinor, currency);
  const facts = { amount, currency, reference, isFallback: true };
  return findScriptedOutcome(world, operation, { ...method, providerId }, facts);
}

/** The client waits for all providers that were asked. An answer that nothing special decided is that of a fallback. */
function addFirstAnswer(
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
