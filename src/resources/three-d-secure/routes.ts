import type { Context } from 'hono';

import { CODE } from '../../core/errors.js';
import { type Env, checkTestCard, requireWorld } from '../../http/exchange.js';
import { addressOf } from '../../http/mounted.js';
import { route, type Section } from '../../http/route.js';
import { presentAuth, presentPostauth, presentPreauth } from './presenter.js';
import type { Authentication } from '../../records/authentication.js';
import { openToken } from '../tokens/service.js';
import * as schema from './schema.js';
import * as service from './service.js';

/** Called by a page with its public key. */
const FROM_PAGE = { method: 'post', access: 'public', status: 200 } as const;
const PREAUTH = {
  ...FROM_PAGE,
  operation: 'authentication.create',
  response: schema.PreauthResponse,
} as const;
const AUTH = { ...FROM_PAGE, operation: 'authentication.perform', response: schema.AuthResponse } as const;
const TOKEN = [CODE.InvalidOrExpiredToken, CODE.InvalidPaymentType];

export const THREE_D_SECURE: Section = {
  tag: '3-D Secure',
  text: 'Authenticate the payer as the owner of the card. Called by the payer’s browser.',
  rows: [
    route({
      ...PREAUTH,
      path: '/3ds/preauth',
      id: 'preauthenticateCard',
      summary: 'Start the authentication of a card',
      text: 'Returns the threeDSServerTransID, which the later calls use to name the transaction.',
      body: schema.PreauthCard,
      handle: (c, { body }) => {
        checkTestCard(c, body.pan);
        return presentPreauthFor(c, service.beginForCard(requireWorld(c), body));
      },
    }),
    route({
      ...PREAUTH,
      path: '/3ds/preauth/token/{id}',
      id: 'preauthenticateToken',
      summary: 'Start the authentication of a token’s card',
      text: 'The token is not used up. A later charge of the token uses the transaction.',
      body: schema.PreauthToken,
      bodyOptional: true,
      errors: TOKEN,
      find: openToken,
      handle: (c, { params }) => presentPreauthFor(c, service.beginForToken(requireWorld(c), params.id)),
    }),
    route({
      ...AUTH,
      path: '/3ds/auth',
      id: 'authenticateCard',
      summary: 'Authenticate the payer',
      text: 'If transStatus is C, show the payer the challenge page at acsURL, in a frame or by a redirect.',
      body: schema.Authenticate,
      errors: [CODE.InvalidThreeDSServerTransID],
      handle: (c, { body }) => presentAuthFor(c, service.askIssuer(requireWorld(c), body)),
    }),
    route({
      ...AUTH,
      path: '/3ds/auth/token/{id}',
      id: 'authenticateToken',
      summary: 'Authenticate the payer of a token’s card',
      text: 'Continues the token’s newest transaction unless threeDSServerTransID names another one.',
      body: schema.AuthenticateToken,
      errors: [CODE.InvalidThreeDSServerTransID],
      find: service.requireTokenToAuthenticate,
      handle: (c, { params, body }) =>
        presentAuthFor(c, service.askTokenIssuer(requireWorld(c), params.id, body)),
    }),
    route({
      ...FROM_PAGE,
      path: '/3ds/postauth',
      id: 'readAuthentication',
      operation: 'authentication.read',
      summary: 'Read the result of an authentication',
      text: 'Until the payer has answered the challenge, transStatus is C.',
      body: schema.Postauth,
      response: schema.PostauthResponse,
      errors: [CODE.InvalidThreeDSServerTransID],
      handle: (c, { body }) =>
        presentPostauth(requireWorld(c), service.requireAuthentication(requireWorld(c), body)),
    }),
  ],
};

function presentPreauthFor(c: Context<Env>, made: Authentication): schema.PreauthResponse {
  return presentPreauth(requireWorld(c), made, addressOf(c));
}

function presentAuthFor(c: Context<Env>, found: Authentication): schema.AuthResponse {
  return presentAuth(requireWorld(c), found, addressOf(c));
}
