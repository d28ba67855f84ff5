import type { PayTo, PayToData } from '../payment-methods/model.js';
import { openProvider } from '../provider-accounts/service.js';
import type { Override } from '../providers/header.js';
import { agreementStatus } from '../providers/magic-accounts.js';
import { approved } from '../providers/outcomes.js';
import { answerCall, type ProviderAnswer } from '../providers/provider.js';
import type { World } from '../world.js';
import type { Token } from './model.js';
import { createToken } from './service.js';

/** An agreement of PayTo as its provider takes it up: for the n-th token or payment method. */
export function payToOf(world: World, data: PayToData, owner: 'token' | 'paymentMethod', n: number): PayTo {
  return {
    type: 'PAYTO',
    payToId: world.chance.identifiers(`payTo:${owner}`).at(n),
    ...data,
    status: agreementStatus(data.payId),
    trigger: null,
  };
}

/** Makes a single-use token of an agreement; null where the provider declined. */
export function tokenisePayTo(
  world: World,
  command: { providerId: string; agreement: PayToData },
  override: Override | null,
): { token: Token | null; answer: ProviderAnswer } {
  const { providerId } = command;
  const configured = openProvider(world, providerId);
  world.requireRoom(world.tokens, 'tokens');
  const source = payToOf(world, command.agreement, 'token', world.tokens.next);
  const call = {
    providerId,
    configured,
    amountMinor: null,
    currency: null,
    trigger: source.trigger,
    override,
  };
  const answer = answerCall({ operation: 'card.tokenise', ...call }, world.chance);
  if (!approved(answer.outcome)) return { token: null, answer };
  return { token: createToken(world, { providerId, source, pan: null, ccv: null }), answer };
}
