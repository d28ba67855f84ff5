import { type Context, Hono, type MiddlewareHandler } from 'hono';

import { CreateToken } from '../tokens/contract.js';
import { presentToken } from '../tokens/presenter.js';
import { body, optionalBody } from '../wire/body.js';
import { type Env, vetPan, worldOf } from '../wire/exchange.js';
import { operation } from '../wire/operation.js';
import { query } from '../wire/query.js';
import { headersOf, requireMade, respond, respondOutcome } from '../wire/respond.js';
import type { Worlds } from '../worlds.js';
import { AdvanceClock, ChangeClock, NoQuery, ResetWorld, Settle } from './contract.js';
import {
  presentAdvance,
  presentClock,
  presentHealth,
  presentSettled,
  presentWorld,
  presentWorlds,
} from './presenter.js';
import { tokeniseCard, type TokenResult } from './tokens.js';

/** A mistyped member would let a test pass that tests nothing, so here it is always refused. */
const STRICT = { strict: true };
const readNoQuery = query(NoQuery, STRICT);

/** None of these calls takes a query. */
const plain: MiddlewareHandler<Env> = (c, next) => {
  readNoQuery(c);
  return next();
};

/** The tester's hands, apart from the service's paths. */
export function controlRoutes(worlds: Worlds): Hono<Env> {
  return new Hono<Env>()
    .basePath('/_sandbox')
    .get('/health', plain, (c) => respond(c, presentHealth(worlds, c.get('edge').host)))
    .get('/ready', plain, (c) => respond(c, { Status: 'ready' }))
    .get('/world', plain, (c) => respond(c, presentWorld(worldOf(c))))
    .get('/worlds', plain, (c) => respond(c, presentWorlds(worlds)))
    .post('/reset', plain, optionalBody(ResetWorld, STRICT), async (c) => {
      const { seed, scenario: name } = c.req.valid('json');
      const scenario = name === null ? null : await (await import('./seldom.js')).namedScenario(c, name);
      return respond(c, presentWorld(worlds.reset(worldOf(c).key, { seed, scenario })));
    })
    .get('/clock', plain, (c) => respond(c, presentClock(worldOf(c))))
    .put('/clock', plain, body(ChangeClock, STRICT), async (c) => {
      const world = worldOf(c);
      const { change, to } = c.req.valid('json');
      await world.advance(to === null ? { by: 0 } : { to }, change);
      return respond(c, presentClock(world));
    })
    .post('/clock/advance', plain, optionalBody(AdvanceClock, STRICT), async (c) => {
      const world = worldOf(c);
      const report = await world.advance(c.req.valid('json'));
      return respond(c, presentAdvance(world, report));
    })
    .post('/settle', plain, optionalBody(Settle, STRICT), async (c) => {
      const world = worldOf(c);
      const { timeoutMs } = c.req.valid('json');
      const { settleWorld } = await import('./seldom.js');
      await settleWorld(world, timeoutMs);
      return respond(c, presentSettled(world));
    })
    .get('/triggers', plain, async (c) => {
      const { publishedTriggers } = await import('./seldom.js');
      return respond(c, publishedTriggers());
    })
    .post('/tokens', plain, body(CreateToken, STRICT), operation('token.create'), (c) => {
      const command = c.req.valid('json');
      vetPan(c, command.card.pan);
      return answerToken(c, tokeniseCard(worldOf(c), command, c.get('exchange').override));
    })
    .get('/errors', plain, async (c) => {
      // Loaded at the first need, so that no start pays for it.
      const { errorsPage, PAGE_POLICY } = await import('./seldom.js');
      return respondPage(c, errorsPage(), PAGE_POLICY);
    });
}

function answerToken(c: Context<Env>, { token, answer }: TokenResult): Response | Promise<Response> {
  const detail = 'The provider did not take the card; no token was made.';
  return respondOutcome(
    c,
    answer,
    () => presentToken(worldOf(c), requireMade(token)),
    () => ({ detail }),
  );
}

function respondPage(c: Context<Env>, html: string, policy: string): Response {
  const headers = headersOf(c.get('exchange'), 'text/html; charset=utf-8');
  headers['content-security-policy'] = policy;
  headers['x-content-type-options'] = 'nosniff';
  return new Response(html, { headers });
}
