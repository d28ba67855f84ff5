import type { Dialect } from '../../core/dialect/dialect.js';
import { CODE, refuseField } from '../../core/errors.js';
import type { Override } from '../../outcomes/header.js';
import { APPROVE, requireOutcome } from '../../outcomes/outcomes.js';
import { decideAnswer, type ProviderAnswer, type ProviderCall } from '../../outcomes/provider.js';
import { isCard, type Source } from '../../records/payment-method.js';
import type { World } from '../../world/world.js';
import type { Authentication } from '../../records/authentication.js';
import {
  askIssuer,
  beginAuthentication,
  findNewestAuthentication,
  requireAuthentication,
} from './service.js';

export interface AuthenticationInput {
  /** The transaction that authenticated the card; null: the token's, if any. */
  readonly id: string | null;
  /** Where the payer is sent after a challenge; null: a charge that needs one is declined. */
  readonly notificationUrl: string | null;
  /** The address under which the payer's browser reaches the sandbox. */
  readonly origin: string;
}

interface ChargedSource {
  readonly source: Source;
  readonly token: string | null;
}

/** The finished authentication of a charge, or null. */
export function findFinishedAuthentication(
  world: World,
  charged: ChargedSource,
  input: AuthenticationInput | null,
): Authentication | null {
  const found = findNamedOrNewest(world, charged, input?.id ?? null);
  return found?.status === 'PASSED' || found?.status === 'FAILED' ? found : null;
}

function findNamedOrNewest(
  world: World,
  charged: ChargedSource,
  id: string | null,
): Authentication | undefined {
  if (id !== null) return requireUsableAuthentication(world, id, charged);
  return charged.token === null ? undefined : findNewestAuthentication(world, charged.token);
}

/** The authentication that a charge names. One of another card, or a used one: 400 with code 59. */
function requireUsableAuthentication(
  world: World,
  id: string,
  { source, token }: ChargedSource,
): Authentication {
  const found = requireAuthentication(world, id);
  const refused = (reason: string): never =>
    refuseField(CODE.InvalidThreeDSServerTransID, 'ThreeDSServerTransID', reason);
  if (found.charge !== null) return refused('was already used for another charge');
  const isOfCard = isCard(source) && source.masked === found.masked;
  if (!isOfCard || (found.token !== null && found.token !== token)) return refused('belongs to another card');
  return found;
}

const REQUIRE_3DS = requireOutcome('require_3ds');
const FAILED_3DS = requireOutcome('failed_3ds');

/** Whether a provider's answer says that the charge needs an authentication. */
export function demandsAuthentication({ outcome }: ProviderAnswer): boolean {
  return outcome === REQUIRE_3DS;
}

/** The answer to a charge, and the authentication that it used or waits for. */
export interface AuthenticatedAnswer {
  readonly answer: ProviderAnswer;
  readonly authentication: Authentication | null;
}

/** A charge that has an authentication, or needs one. */
interface ChargeToAuthenticate {
  readonly instrument: ChargedSource;
  readonly input: AuthenticationInput | null;
  readonly dialect: Dialect;
  readonly call: ProviderCall;
  /** The provider's answer without 3-D Secure. */
  readonly answer: ProviderAnswer;
  readonly found: Authentication | null;
}

/** Changes a provider's answer according to the authentication, and starts one if it is missing. */
export function applyAuthentication(world: World, deciding: ChargeToAuthenticate): AuthenticatedAnswer {
  const { instrument, input, dialect, answer, found } = deciding;
  if (found !== null) return answerAuthenticated(world, deciding, found);
  const { source, token } = instrument;
  if (!isCard(source)) return { answer, authentication: null };
  const notificationUrl = input?.notificationUrl ?? null;
  if (input === null || notificationUrl === null) {
    // Continues the token's own preauthentication. A challenge in progress still belongs to the token.
    if (token !== null && findNewestAuthentication(world, token)?.status !== 'CHALLENGED')
      beginAuthentication(world, source, token, true);
    return { answer, authentication: null };
  }
  const { id } = beginAuthentication(world, source, token, true);
  const authentication = askIssuer(world, { id, notificationUrl });
  if (authentication.status === 'UNAVAILABLE') return { answer, authentication: null };
  if (authentication.status !== 'CHALLENGED') return answerAuthenticated(world, deciding, authentication);
  const redirectUrl = challengeUrl(world, input.origin, id);
  return {
    answer: { ...answer, outcome: APPROVE },
    authentication: { ...authentication, redirectUrl, dialect },
  };
}

/** The address of the page on which a payer answers a challenge. It names the world, since payers have no key. */
export function challengeUrl({ keyHash }: World, origin: string, id: string): string {
  return `${origin}/_sandbox/3ds/${keyHash}/${id}`;
}

/** After the authentication the demand is met, and the provider answers. */
function answerAuthenticated(
  world: World,
  { call, answer }: ChargeToAuthenticate,
  authentication: Authentication,
): AuthenticatedAnswer {
  if (authentication.status === 'FAILED')
    return { authentication, answer: { ...answer, outcome: FAILED_3DS, trigger: '3ds:failed' } };
  if (!demandsAuthentication(answer)) return { authentication, answer };
  return { authentication, answer: decideAnswer({ ...call, trigger: null, override: null }, world.chance) };
}

/** Marks an authentication as used by a charge. It cannot be used for another one. */
export function markAuthenticationUsed(world: World, authentication: Authentication, charge: string): void {
  world.authentications.replace({ ...authentication, charge });
}

const FAILED: Override = { outcome: FAILED_3DS, delayMs: 0, trigger: '3ds:failed', isDone: false };

/** The provider's answer to a charge whose challenge has ended. */
export function answerAfterChallenge(
  world: World,
  { status }: Authentication,
  call: Omit<ProviderCall, 'operation' | 'trigger' | 'override'>,
): ProviderAnswer {
  const override = status === 'PASSED' ? null : FAILED;
  return decideAnswer({ ...call, operation: 'charge.create', trigger: null, override }, world.chance);
}
