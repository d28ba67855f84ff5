import type { Override } from '../outcomes/header.js';
import { payToOf } from '../tokens/pay-to.js';
import type { World } from '../world.js';
import type { Metadata, PayToData } from './record.js';
import { commitIfApproved, type MethodResult, prepare, type PreparedMethod } from './service.js';

/** Puts an agreement of PayTo to its provider, which begins it. */
export function preparePayTo(
  world: World,
  command: { providerId: string; agreement: PayToData },
  override: Override | null,
): PreparedMethod {
  const source = payToOf(world, command.agreement, 'paymentMethod', world.paymentMethods.next);
  return prepare(world, command.providerId, source, null, override);
}

/** Creates a payment method that belongs to no customer from an agreement. */
export function createFromPayTo(
  world: World,
  command: { providerId: string; agreement: PayToData; metadata: Metadata | null },
  override: Override | null,
): MethodResult {
  return commitIfApproved(world, preparePayTo(world, command, override), command.metadata);
}
