import { readMagicToken } from '../../outcomes/magic-tokens.js';
import { CODE, refuse, refuseField, refuseUnknownId } from '../../core/errors.js';
import { type SearchFilter, type SearchResult, searchTable } from '../../core/store/search.js';
import { type AuthenticationResult } from '../../outcomes/magic.js';
import { findBehaviour } from '../../outcomes/behaviour.js';
import { type Card, isCard, type Source } from '../../records/payment-method.js';
import { toCard } from '../tokens/rules.js';
import { MAGIC_EXPIRY } from '../tokens/magic.js';
import { openToken } from '../tokens/service.js';
import type { World } from '../../world/world.js';
import {
  type Authentication,
  type AuthenticationStatus,
  CHALLENGE_EXPIRE,
  CHALLENGE_TTL,
  type ChallengeEnding,
} from '../../records/authentication.js';

/** Returns an authentication. Unknown: 400 with code 59. */
export function requireAuthentication(world: World, id: string): Authentication {
  return (
    world.authentications.find(id) ??
    refuseUnknownId(CODE.InvalidThreeDSServerTransID, id, 'authentication', 'threeDSServerTransID')
  );
}

/** Starts the authentication of a card by its number. */
export function beginForCard(world: World, { pan }: { readonly pan: string }): Authentication {
  return beginAuthentication(
    world,
    toCard(world, { pan, expiry: MAGIC_EXPIRY, ccv: null, cardholder: null }),
    null,
  );
}

/** Starts the authentication of a token's card, without using up the token. */
export function beginForToken(world: World, token: string): Authentication {
  const { source } = openToken(world, token);
  return beginAuthentication(world, requireTokenCard(source), token);
}

/** Starts an authentication. It is required if a charge of the token was declined for lack of one. */
export function beginAuthentication(
  world: World,
  card: Card,
  token: string | null,
  isRequired = false,
): Authentication {
  const before = token === null ? undefined : findNewestAuthentication(world, token);
  if (before?.status === 'CREATED') return isRequired ? markRequired(world, before) : before;
  world.requireRoom(world.authentications, 'authentications');
  const begun: Authentication = {
    id: world.authentications.nextId,
    index: world.authentications.next,
    masked: card.masked,
    scheme: card.scheme,
    trigger: card.trigger,
    token,
    isRequired: isRequired || before?.isRequired === true,
    status: 'CREATED',
    ending: null,
    notificationUrl: null,
    redirectUrl: null,
    charge: null,
    dialect: null,
    dateAdded: world.now,
    dateChallenged: null,
    dateEnded: null,
  };
  world.authentications.add(begun);
  return begun;
}

/** An authentication that was started before a charge was declined for lack of it. */
function markRequired(world: World, before: Authentication): Authentication {
  const required = { ...before, isRequired: true };
  world.authentications.replace(required);
  return required;
}

/** The newest authentication of a token that has not been used for a charge. */
export function findNewestAuthentication(world: World, token: string): Authentication | undefined {
  const found = world.authentications.by('token', token);
  return found.at(found.length - 1);
}

export interface AuthenticateCommand {
  readonly id: string;
  readonly notificationUrl: string | null;
}

/** Asks the issuer, which decides at once or demands a challenge. A repeated call returns the same result. */
export function askIssuer(world: World, { id, notificationUrl }: AuthenticateCommand): Authentication {
  const found = requireAuthentication(world, id);
  if (found.status !== 'CREATED') return found;
  const status = STATUS_BY[issuerResult(found)];
  const isChallenge = status === 'CHALLENGED';
  const [dateChallenged, dateEnded] = isChallenge ? [world.now, null] : [null, world.now];
  const updated = { ...found, status, notificationUrl, dateChallenged, dateEnded };
  world.authentications.replace(updated);
  if (isChallenge) world.jobs.schedule(world.now + CHALLENGE_TTL, CHALLENGE_EXPIRE, id);
  return updated;
}

const STATUS_BY: Readonly<Record<AuthenticationResult, AuthenticationStatus>> = {
  frictionless: 'PASSED',
  challenge: 'CHALLENGED',
  failed: 'FAILED',
  unavailable: 'UNAVAILABLE',
};

/** For an ordinary card the issuer approves at once, unless a charge was or would be declined for lack of an authentication. */
function issuerResult({ trigger, isRequired }: Authentication): AuthenticationResult {
  const published = trigger === null ? undefined : findBehaviour(trigger);
  const demands = published?.outcomes['charge.create']?.some(({ name }) => name === 'require_3ds') === true;
  return published?.authentication ?? (isRequired || demands ? 'challenge' : 'frictionless');
}

/** Asks the issuer of a token's card, by default for the token's newest transaction. */
export function askTokenIssuer(
  world: World,
  token: string,
  { id, notificationUrl }: { readonly id: string | null; readonly notificationUrl: string | null },
): Authentication {
  const found = id === null ? findNewestAuthentication(world, token) : requireAuthentication(world, id);
  if (found?.token !== token) {
    const reason = 'does not belong to this token; start one with POST /3ds/preauth/token/{id}';
    return refuseField(CODE.InvalidThreeDSServerTransID, 'threeDSServerTransID', reason);
  }
  return askIssuer(world, { id: found.id, notificationUrl });
}

/** Requires a token that an authentication of a token can name. Unknown: 400 with code 59. */
export function requireTokenToAuthenticate(world: World, id: string): unknown {
  const found = readMagicToken(id) ?? world.tokens.find(id);
  return found ?? refuseUnknownId(CODE.InvalidThreeDSServerTransID, id, 'token', 'TokenId');
}

/** Ends a challenge. If it has ended or never started: 409 with code 59. */
export function finishChallenge(world: World, id: string, ending: ChallengeEnding): Authentication {
  const found = requireAuthentication(world, id);
  if (found.status !== 'CHALLENGED') {
    const detail = `The authentication is ${found.status}; only a CHALLENGED one can be ended.`;
    refuse(CODE.InvalidThreeDSServerTransID, detail, { httpStatus: 409 });
  }
  const status = ending === 'approve' ? 'PASSED' : 'FAILED';
  const ended: Authentication = { ...found, status, ending, dateEnded: world.now };
  world.authentications.replace(ended);
  world.jobs.cancel(CHALLENGE_EXPIRE, id);
  return ended;
}

const CONDITIONS = {
  status: (wanted: AuthenticationStatus) => (authentication: Authentication) =>
    authentication.status === wanted,
  tokenId: (wanted: string) => (authentication: Authentication) => authentication.token === wanted,
  chargeId: (wanted: string) => (authentication: Authentication) => authentication.charge === wanted,
};

export function searchAuthentications(
  world: World,
  filter: SearchFilter<typeof CONDITIONS>,
): SearchResult<Authentication> {
  return searchTable(world.authentications, filter, { conditions: CONDITIONS });
}

function requireTokenCard(source: Source): Card {
  if (isCard(source)) return source;
  const detail = `The token has the type ${source.type}; 3-D Secure is only for cards.`;
  return refuse(CODE.InvalidPaymentType, detail);
}
