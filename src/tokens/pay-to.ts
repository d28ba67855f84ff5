import type { Metadata, PayTo, PayToData } from '../payment-methods/record.js';
import { openProvider } from '../providers/service.js';
import type { Override } from '../outcomes/header.js';
import { agreementStatus } from '../outcomes/magic-accounts.js';
import { approved } from '../outcomes/outcomes.js';
import { answerCall } from '../outcomes/provider.js';
import type { World } from '../world.js';
import { createToken, type TokenResult } from './service.js';

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
  command: { providerId: string; agreement: PayToData; ip: string | null; metadata: Metadata | null },
  override: Override | null,
): TokenResult {
  const { providerId, ip, metadata } = command;
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
  const content = { providerId, source, pan: null, ccv: null, vault: null, ip, metadata };
  return { token: createToken(world, content), answer };
}
