import { CODE, refuse } from '../core/errors.js';
import { recordsIn } from '../core/search.js';
import { sameProvider } from '../outcomes/built-in.js';
import type { Override } from '../outcomes/header.js';
import { MAGIC_TOKEN_PAN, readMagicToken } from '../outcomes/magic.js';
import { MAGIC_EXPIRY } from '../tokens/service.js';
import type { World } from '../world.js';
import type { Card, Metadata, ProviderToken } from './record.js';
import { commitIfApproved, type MethodResult, prepare, type PreparedMethod } from './service.js';

/** A source that a provider has already, by the name that it has there. */
export interface ProviderTokenCommand {
  readonly providerId: string;
  readonly origin: ProviderToken;
}

/** Asks a provider for a source that it has already; a single-use token that was used: 400 with code 51. */
export function prepareProviderToken(
  world: World,
  command: ProviderTokenCommand,
  override: Override | null,
): PreparedMethod {
  const { providerId, origin } = command;
  const card = cardBehind(world, origin.token);
  // A magic token is as good as new each time.
  if (origin.singleUse && card.trigger === null && isSpent(world, command)) {
    refuse(CODE.InvalidOrExpiredToken, 'The ProviderToken was used before; it works once at its provider.');
  }
  return { ...prepare(world, providerId, card, null, override), origin };
}

function isSpent({ paymentMethods }: World, { providerId, origin }: ProviderTokenCommand): boolean {
  const methods = [...recordsIn(paymentMethods.by('providerToken', origin.token))];
  return methods.some((one) => one.origin?.singleUse === true && sameProvider(one.providerId, providerId));
}

/** Only the provider knows the card, so it is made up; a magic token brings its outcome along. */
function cardBehind(world: World, token: string): Card {
  const magic = readMagicToken(token);
  if (magic?.kind === 'refused') {
    return refuse(CODE.InvalidOrExpiredToken, `The ProviderToken ${token} is ${magic.reason}.`);
  }
  // Tokens of real providers begin with tok_, too: one that names no outcome is as good as any.
  const trigger = magic?.kind === 'token' ? magic.token.trigger : null;
  return world.cards.describe(MAGIC_TOKEN_PAN, MAGIC_EXPIRY, null, trigger);
}

/** Creates a payment method that belongs to no customer from what its provider has already. */
export function createFromProviderToken(
  world: World,
  command: ProviderTokenCommand & { readonly metadata: Metadata | null },
  override: Override | null,
): MethodResult {
  return commitIfApproved(world, prepareProviderToken(world, command, override), command.metadata);
}
