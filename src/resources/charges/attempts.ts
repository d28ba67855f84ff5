import { CODE, requireErrorRow } from '../../core/errors.js';
import type { ProviderOperation } from '../../outcomes/magic.js';
import type { ProviderAnswer } from '../../outcomes/provider.js';
import { type ChargeMore, DECISIONS_MAX, type FailedAttempt } from '../../records/charge.js';
import type { World } from '../../world/world.js';

/** The calls of providers, as a charge stores them. */

/** A call of a provider that did not take the charge. */
export interface FailedCall {
  readonly providerId: string;
  readonly answer: ProviderAnswer;
}

/** Notes calls of providers that did not take a charge, and what decided them. */
export function addFailedCalls(world: World, more: ChargeMore, calls: readonly FailedCall[]): ChargeMore {
  return calls.reduce((before, { providerId, answer }) => {
    const failedAttempts = [...before.failedAttempts, buildFailedAttempt(world, providerId, answer)];
    return addDecision(world, { ...before, failedAttempts }, 'charge.create', answer.trigger);
  }, more);
}

/** Notes what decided the answer to an operation on a charge, unless nothing special did. */
export function addDecision(
  world: World,
  more: ChargeMore,
  operation: ProviderOperation,
  trigger: string | null,
): ChargeMore {
  if (trigger === null) return more;
  const decision = { at: world.now, operation, trigger: world.texts.share(trigger, trigger) };
  return { ...more, decisions: [...more.decisions, decision].slice(-DECISIONS_MAX) };
}

export function buildFailedAttempt(
  world: World,
  providerId: string,
  { outcome }: Pick<ProviderAnswer, 'outcome'>,
): FailedAttempt {
  const { code, gatewayCode, gatewayMessage } = outcome;
  return {
    providerId,
    dateAttempted: world.now,
    message: requireErrorRow(code ?? CODE.UnknownError).message,
    gatewayCode,
    gatewayMessage,
  };
}
