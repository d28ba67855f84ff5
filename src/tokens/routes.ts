import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type * as z from 'zod';

import { cardScheme } from '../core/card-scheme.js';
import { refuse } from '../core/errors.js';
import { cheapestProvider } from '../providers/costs.js';
import { type Env, vetPan, worldOf } from '../http/exchange.js';
import { providerId } from '../http/fields.js';
import { whyRefused } from '../http/issues.js';
import { operation } from '../http/operation.js';
import { body, query } from '../http/validation.js';
import { requireMade, respond, respondOutcome } from '../http/respond.js';
import type { World } from '../world.js';
import { TokeniseCard, TokeniseLeastCost } from './schema.js';
import type { Token } from './record.js';
import { CreatePayToToken } from './pay-to-schema.js';
import { tokenisePayTo } from './pay-to.js';
import { presentToken, presentTokenData } from './presenter.js';
import { SearchTokens } from './search-schema.js';
import { searchTokens } from './search.js';
import { findToken, type TokenResult } from './service.js';
import { tokeniseCard, type TokeniseCommand } from './tokenise.js';

const readSearch = query(SearchTokens);

/** What pages and back ends do with tokens. */
export function tokenRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/token/card', body(TokeniseCard), through(headerProvider), operation('token.create'), (c) =>
      answerTokenised(c, presentToken),
    )
    .post(
      '/token/card/least_cost',
      body(TokeniseLeastCost),
      through(cheapest),
      operation('token.create'),
      (c) => answerTokenised(c, presentToken),
    )
    .post('/token/payto', body(CreatePayToToken), operation('token.create'), (c) => {
      const command = c.req.valid('json');
      return answerToken(c, tokenisePayTo(worldOf(c), command, c.get('exchange').override), presentToken);
    })
    .get('/token', operation('token.search'), (c) => {
      const world = worldOf(c);
      const filter = readSearch(c);
      const { found, count } = searchTokens(world, filter);
      const { limit, skip } = filter.page;
      const shown = found.map((token) => presentTokenData(world, token));
      return respond(c, { Limit: limit, Skip: skip, Count: count, Tokens: shown });
    })
    .get('/token/:id', operation('token.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentTokenData(world, findToken(world, c.req.param('id'))));
    });
}

/** Adds the provider to the command before a script looks at the call: it may have a rule for that provider. */
function through(providerOf: (c: Context<Env>) => string): MiddlewareHandler<Env> {
  return (c, next) => {
    const command = c.req.valid('json' as never) as object;
    c.req.addValidatedData('json', { ...command, providerId: providerOf(c) });
    return next();
  };
}

/** The provider that would take least for a charge of the amount, captured at once. */
function cheapest(c: Context<Env>): string {
  const { amount, card } = c.req.valid('json' as never) as z.output<typeof TokeniseLeastCost>;
  return cheapestProvider(worldOf(c), { scheme: cardScheme(card.pan), amount, capture: true });
}

function headerProvider(c: Context<Env>): string {
  const given = c.req.header('providerid');
  const refused = whyRefused(providerId(), given);
  if (refused === null) return given ?? '';
  const { reason, code } = refused;
  return refuse(code, `The header ProviderId ${reason}.`, { details: { ProviderId: reason } });
}

type Present = (world: World, token: Token) => object;

/** Makes a token of a card as the checked body asks, and answers it as `present` shows it. */
export function answerTokenised(c: Context<Env>, present: Present): Response | Promise<Response> {
  const command = c.req.valid('json' as never) as TokeniseCommand;
  vetPan(c, command.card.pan);
  return answerToken(c, tokeniseCard(worldOf(c), command, c.get('exchange').override), present);
}

function answerToken(
  c: Context<Env>,
  { token, answer }: TokenResult,
  present: Present,
): Response | Promise<Response> {
  const detail = 'The provider did not take what was sent; no token was made.';
  return respondOutcome(
    c,
    answer,
    () => present(worldOf(c), requireMade(token)),
    () => ({ detail }),
  );
}
