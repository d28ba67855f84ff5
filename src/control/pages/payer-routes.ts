import * as z from 'zod';

import { CODE } from '../../core/errors.js';
import { requireWorld } from '../../http/exchange.js';
import { optionalWord } from '../../http/fields/fields.js';
import { type AnyRow, type RefusalCode, route } from '../../http/route.js';
import { presentDecision } from '../../resources/checkouts/presenter.js';
import { DecisionResponse } from '../../resources/checkouts/schema.js';
import { endCheckout, requireCheckout } from '../../resources/checkouts/service.js';
import { endChallenge } from '../../resources/charges/later.js';
import { presentChallenge } from '../../resources/three-d-secure/presenter.js';
import { ChallengeResponse } from '../../resources/three-d-secure/schema.js';
import { requireAuthentication } from '../../resources/three-d-secure/service.js';
import { challengePage } from './challenge-page.js';
import { walletPage } from './wallet-page.js';
import { CHALLENGE_POLICY, respondPage } from './html.js';

export const HTML = 'text/html';

/** A link needs no key, but a key that is sent must be valid. */
const KEY_REFUSALS: readonly RefusalCode[] = [
  CODE.InvalidAuthentication,
  [CODE.ValidationError, 409],
  CODE.RetryLater,
];
/** The refusals of pages whose address names a world: `/_sandbox/pay/{world}/{id}`. */
export const WORLD_REFUSALS: readonly RefusalCode[] = [...KEY_REFUSALS, [CODE.ValidationError, 404]];

const AnswerChallenge = z.lazy(() =>
  z.object({
    Answer: optionalWord('approve', 'fail', 'abandon').describe('What the payer does. Default: nothing.'),
  }),
);

const DecideCheckout = z.lazy(() =>
  z.object({
    Answer: optionalWord('approve', 'decline').describe('What the payer does. Default: nothing.'),
  }),
);

/** The pages of banks and wallets, on which a payer answers. They need no key. */
export const PAYER_PAGES: readonly AnyRow[] = [
  route({
    method: 'get',
    path: '/_sandbox/3ds/{world}/{id}',
    id: 'getChallenge',
    summary: 'Show the 3-D Secure challenge page',
    text: 'It works in a frame and after a redirect. At the end the browser posts cres and threeDSServerTransID to the notificationURL.',
    response: HTML,
    errors: [CODE.InvalidThreeDSServerTransID, ...WORLD_REFUSALS],
    access: 'open',
    handle: (c, { params }) => {
      const world = requireWorld(c);
      const found = requireAuthentication(world, params.id);
      const charge = found.charge === null ? undefined : world.charges.find(found.charge);
      return respondPage(c, challengePage(found, charge), CHALLENGE_POLICY);
    },
  }),
  route({
    method: 'post',
    path: '/_sandbox/3ds/{world}/{id}',
    id: 'answerChallenge',
    summary: 'Answer a 3-D Secure challenge',
    text: 'Called by the challenge page. Without Answer, returns the current state of the challenge.',
    body: AnswerChallenge,
    response: ChallengeResponse,
    errors: [CODE.InvalidThreeDSServerTransID, ...WORLD_REFUSALS],
    access: 'open',
    handle: (c, { params, body }) => {
      const world = requireWorld(c);
      const found = requireAuthentication(world, params.id);
      const { Answer } = body;
      if (Answer === null || found.status !== 'CHALLENGED') return presentChallenge(world, found);
      return presentChallenge(world, endChallenge(world, params.id, Answer));
    },
  }),
  route({
    method: 'get',
    path: '/_sandbox/wallet/{world}/{id}',
    id: 'getWalletPage',
    summary: 'Show the page of a wallet',
    text: 'The page at a check-out’s Url. After the decision the browser returns to the RedirectUrl.',
    response: HTML,
    errors: [CODE.NoTransactionFound, ...WORLD_REFUSALS],
    access: 'open',
    handle: (c, { params }) =>
      respondPage(c, walletPage(requireCheckout(requireWorld(c), params.id)), CHALLENGE_POLICY),
  }),
  route({
    method: 'post',
    path: '/_sandbox/wallet/{world}/{id}',
    id: 'decideCheckout',
    summary: 'Approve or decline a check-out',
    text: 'Called by the page of the wallet. Without Answer, returns the current state of the check-out.',
    body: DecideCheckout,
    response: DecisionResponse,
    errors: [CODE.NoTransactionFound, ...WORLD_REFUSALS],
    access: 'open',
    handle: (c, { params, body }) => {
      const world = requireWorld(c);
      const found = requireCheckout(world, params.id);
      if (body.Answer === null || found.status !== 'PENDING') return presentDecision(world, found);
      const ending = body.Answer === 'approve' ? 'APPROVED' : 'DECLINED';
      return presentDecision(world, endCheckout(world, params.id, ending));
    },
  }),
];
