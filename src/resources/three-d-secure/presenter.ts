import { encodeBase64 } from '../../core/text/base64.js';
import { formatInstant } from '../../core/time/time.js';
import { presentInstant } from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import { challengeUrl } from './charging.js';
import type { Authentication, AuthenticationStatus, ChallengeEnding } from '../../records/authentication.js';
import type {
  AuthResponse,
  ChallengeResponse,
  PostauthResponse,
  PreauthResponse,
  TransactionResponse,
} from './schema.js';

const VERSION_FIRST = '2.1.0';
const VERSION_LAST = '2.2.0';

export function presentPreauth(world: World, { id, index }: Authentication, origin: string): PreauthResponse {
  return {
    acsStartProtocolVersion: VERSION_FIRST,
    acsEndProtocolVersion: VERSION_LAST,
    dsStartProtocolVersion: VERSION_FIRST,
    dsEndProtocolVersion: VERSION_LAST,
    threeDSRequestorTransID: world.chance.identifiers('threeDSRequestor').at(index),
    threeDSServerTransID: id,
    threeDSAuthURL: `${origin}/3ds/auth`,
    threeDSMethodURL: null,
    threeDSMonitorURL: null,
    threeDSMethodAvailable: false,
    threeDsServerCallbackUrl: challengeUrl(world, origin, id),
  };
}

export function presentAuth(world: World, found: Authentication, origin: string): AuthResponse {
  const isChallenge = found.status === 'CHALLENGED' || found.ending !== null;
  return {
    acsURL: found.status === 'CHALLENGED' ? challengeUrl(world, origin, found.id) : null,
    acsTransID: acsTransId(world, found),
    acsChallengeMandated: isChallenge ? 'Y' : 'N',
    authenticationType: isChallenge ? DYNAMIC : null,
    authenticationValue: authenticationValue(world, found),
    eci: toEci(found),
    dsTransID: world.chance.identifiers('directoryServer').at(found.index),
    messageVersion: VERSION_LAST,
    transStatus: TRANS_STATUS[found.status],
    transStatusReason: REASON[found.status],
  };
}

export function presentPostauth(world: World, found: Authentication): PostauthResponse {
  return {
    transStatus: TRANS_STATUS[found.status],
    eci: toEci(found),
    authenticationValue: authenticationValue(world, found),
    challengeCancel: found.ending === null ? null : CANCEL[found.ending],
    interactionCounter: found.ending === 'approve' || found.ending === 'fail' ? '01' : null,
  };
}

/** A transaction for the control API. */
export function presentTransaction(found: Authentication): TransactionResponse {
  return {
    ThreeDSServerTransID: found.id,
    Status: found.status,
    Ending: found.ending,
    CardNumber: found.masked,
    CardType: found.scheme,
    TokenId: found.token,
    ChargeId: found.charge,
    RedirectUrl: found.status === 'CHALLENGED' ? found.redirectUrl : null,
    NotificationUrl: found.notificationUrl,
    DateAdded: formatInstant(found.dateAdded),
    DateEnded: presentInstant(found.dateEnded),
  };
}

/** The data of a challenge page, and what it sends to the shop: the result in the terms of EMV 3-D Secure. */
export function presentChallenge(world: World, found: Authentication): ChallengeResponse {
  const result = {
    messageType: 'CRes',
    messageVersion: VERSION_LAST,
    threeDSServerTransID: found.id,
    acsTransID: acsTransId(world, found),
    challengeCompletionInd: 'Y',
    transStatus: TRANS_STATUS[found.status],
  };
  const cres = encodeBase64(new TextEncoder().encode(JSON.stringify(result)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  return {
    Status: found.status,
    NotificationUrl: found.notificationUrl,
    Fields: { cres, threeDSServerTransID: found.id },
  };
}

/** A challenge with a one-time password or the like, in the words of EMV 3-D Secure. */
const DYNAMIC = '02';

/** C means that a transaction is not finished. EMV 3-D Secure has no status for one that the issuer was not asked about yet. */
const TRANS_STATUS: Readonly<Record<AuthenticationStatus, AuthResponse['transStatus']>> = {
  CREATED: 'C',
  CHALLENGED: 'C',
  PASSED: 'Y',
  FAILED: 'N',
  UNAVAILABLE: 'U',
};

/** Card authentication failed; ACS technical issue. */
const REASON: Readonly<Record<AuthenticationStatus, string | null>> = {
  CREATED: null,
  CHALLENGED: null,
  PASSED: null,
  FAILED: '01',
  UNAVAILABLE: '22',
};

const CANCEL: Readonly<Record<ChallengeEnding, string | null>> = {
  approve: null,
  fail: null,
  abandon: '01',
  timeOut: '04',
};

/** The transaction's identifier on the issuer's server. */
function acsTransId(world: World, { index }: Authentication): string {
  return world.chance.identifiers('accessControlServer').at(index);
}

/** Proof of the authentication for the scheme: 20 bytes. */
function authenticationValue(world: World, { status, index }: Authentication): string | null {
  if (status !== 'PASSED') return null;
  const text = world.chance.identifiers('authenticationValue').at(index).slice(0, 20);
  return encodeBase64(new TextEncoder().encode(text));
}

/** The electronic commerce indicator: who bears the risk. Mastercard has its own values. */
function toEci({ scheme, status }: Authentication): string | null {
  const isMastercard = scheme === 'MASTERCARD';
  if (status === 'PASSED') return isMastercard ? '02' : '05';
  if (status === 'UNAVAILABLE' || status === 'FAILED') return isMastercard ? '00' : '07';
  return null;
}
