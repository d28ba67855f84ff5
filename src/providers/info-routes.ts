import { Hono } from 'hono';

import { shownId } from '../core/card.js';
import { CODE, refuse } from '../core/errors.js';
import { isProviderId, isReservedProviderId } from '../outcomes/built-in.js';
import { readMagicToken } from '../outcomes/magic.js';
import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { query } from '../http/validation.js';
import { respond } from '../http/respond.js';
import type { World } from '../world.js';
import { AskInfo } from './schema.js';
import { defaultFallback, presentInfo, presentInfoProvider, presentInfoProviders } from './info-presenter.js';
import type { BroughtProvider } from './record.js';
import { presentAccount, settingsOf } from './presenter.js';
import { openProvider } from './service.js';

const readAsked = query(AskInfo);

/** What a client asks before it charges. */
export function infoRoutes(): Hono<Env> {
  return new Hono<Env>()
    .get('/info', operation('info.read'), (c) => respond(c, presentInfo()))
    .get('/info/providers', operation('info.read'), (c) => {
      const { cardProviderId } = readAsked(c);
      return respond(c, presentInfoProviders(worldOf(c), cardProviderId));
    })
    .get('/info/providers/:id', operation('info.read'), (c) => {
      readAsked(c);
      const world = worldOf(c);
      return respond(c, presentInfoProvider(world, usableProvider(world, c.req.param('id'))));
    })
    .get('/info/providers/token/:token', operation('info.read'), (c) => {
      readAsked(c);
      const world = worldOf(c);
      const providerId = providerOfToken(world, c.req.param('token'));
      return respond(c, presentInfoProvider(world, settingsOf(world, providerId)));
    })
    .get('/info/default_fallback_provider', operation('info.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentAccount(world, defaultFallback(world)));
    });
}

/** A provider through which charges can go, as through any well-formed id; else 400 with code 39. */
function usableProvider(world: World, id: string): BroughtProvider {
  if (!isProviderId(id) || isReservedProviderId(id)) {
    const shown = JSON.stringify(shownId(id));
    refuse(
      CODE.InvalidProviderId,
      `${shown} is no provider; 32 hexadecimal digits or a hyphenated UUID are taken.`,
    );
  }
  openProvider(world, id);
  return settingsOf(world, id);
}

/** The provider that a token was made for, also of a used one; unknown: 404 with code 87. */
function providerOfToken(world: World, text: string): string {
  const magic = readMagicToken(text);
  if (magic?.kind === 'token') return magic.token.providerId;
  const { providerId } = world.tokens.find(text) ?? {};
  const shown = JSON.stringify(shownId(text));
  return providerId ?? refuse(CODE.InvalidTokenId, `There is no token ${shown} in this world.`);
}
