import type { Context } from 'hono';

import { CODE } from '../core/errors.js';
import { type Env, vetPan, worldOf } from '../http/exchange.js';
import { route, type Section } from '../http/route.js';
import { presentAuth, presentPostauth, presentPreauth } from './presenter.js';
import type { Authentication } from './record.js';
import * as schema from './schema.js';
import * as service from './service.js';

/** A page calls with its public key; nothing that lasts is created. */
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
  text: 'Whether the payer owns the card, as the payer’s browser asks.',
  rows: [
    route({
      ...PREAUTH,
      path: '/3ds/preauth',
      id: 'preauthenticateCard',
      summary: 'Begin the authentication of a card',
      text: 'Answers the threeDSServerTransID by which the later calls name the transaction.',
      body: schema.PreauthCard,
      handle: (c, { body }) => {
        vetPan(c, body.pan);
        return begun(c, service.beginForCard(worldOf(c), body));
      },
    }),
    route({
      ...PREAUTH,
      path: '/3ds/preauth/token/{id}',
      id: 'preauthenticateToken',
      summary: 'Begin the authentication of the card behind a token',
      text: 'The token is not spent. A charge of the token then uses the transaction.',
      body: schema.PreauthToken,
      bodyOptional: true,
      errors: TOKEN,
      handle: (c, { params }) => begun(c, service.beginForToken(worldOf(c), params.id)),
    }),
    route({
      ...AUTH,
      path: '/3ds/auth',
      id: 'authenticateCard',
      summary: 'Ask the issuer who pays',
      text: 'With transStatus C the payer answers a challenge on the page acsURL, in a frame or by a redirect.',
      body: schema.Authenticate,
      errors: [CODE.InvalidThreeDSServerTransID],
      handle: (c, { body }) => asked(c, service.authenticate(worldOf(c), body)),
    }),
    route({
      ...AUTH,
      path: '/3ds/auth/token/{id}',
      id: 'authenticateToken',
      summary: 'Ask the issuer of the card behind a token who pays',
      text: 'Goes on with the newest transaction of the token, unless another is named.',
      body: schema.AuthenticateToken,
      errors: [CODE.InvalidThreeDSServerTransID],
      handle: (c, { params, body }) => asked(c, service.authenticateToken(worldOf(c), params.id, body)),
    }),
    route({
      ...FROM_PAGE,
      path: '/3ds/postauth',
      id: 'readAuthentication',
      operation: 'authentication.read',
      summary: 'Read what became of an authentication',
      text: 'While the payer has not answered the challenge, transStatus is C.',
      body: schema.Postauth,
      response: schema.PostauthResponse,
      errors: [CODE.InvalidThreeDSServerTransID],
      handle: (c, { body }) => presentPostauth(worldOf(c), service.requireAuthentication(worldOf(c), body)),
    }),
  ],
};

const originOf = (c: Context<Env>): string => new URL(c.req.url).origin;

function begun(c: Context<Env>, made: Authentication): schema.PreauthResponse {
  return presentPreauth(worldOf(c), made, originOf(c));
}

function asked(c: Context<Env>, found: Authentication): schema.AuthResponse {
  return presentAuth(worldOf(c), found, originOf(c));
}
