import { Hono } from 'hono';

import { body, optionalBody } from '../http/validation.js';
import { type Env, worldOf } from '../http/exchange.js';
import { respond } from '../http/respond.js';
import type { Worlds } from '../worlds.js';
import { AdvanceClock, ChangeClock, ResetWorld, Settle } from './schema.js';
import { plain, STRICT } from './plain.js';
import {
  presentAdvance,
  presentClock,
  presentHealth,
  presentSettled,
  presentWorld,
  presentWorlds,
} from './presenter.js';
import { publishedTriggers } from '../outcomes/published.js';
import { namedScenario } from './scenario/named-scenario.js';
import { settleWorld } from './webhooks/settle.js';

/** The tester's hands, apart from the service's paths. */
export function controlRoutes(worlds: Worlds): Hono<Env> {
  return new Hono<Env>()
    .basePath('/_sandbox')
    .get('/health', plain, (c) => respond(c, presentHealth(worlds, c.get('edge').host)))
    .get('/ready', plain, async (c) => {
      await worlds.load();
      return respond(c, { Status: 'ready' });
    })
    .get('/world', plain, (c) => respond(c, presentWorld(worldOf(c))))
    .get('/worlds', plain, (c) => respond(c, presentWorlds(worlds)))
    .post('/reset', plain, optionalBody(ResetWorld, STRICT), async (c) => {
      const { seed, scenario: name } = c.req.valid('json');
      const scenario = name === null ? null : await namedScenario(c, name);
      const { key } = worldOf(c);
      await worlds.prepare(key, { seed, scenario });
      return respond(c, presentWorld(worlds.reset(key, { seed, scenario })));
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
      return respond(c, presentAdvance(report));
    })
    .post('/settle', plain, optionalBody(Settle, STRICT), async (c) => {
      const world = worldOf(c);
      const { timeoutMs } = c.req.valid('json');
      await settleWorld(world, timeoutMs);
      return respond(c, presentSettled(world));
    })
    .get('/triggers', plain, (c) => respond(c, publishedTriggers()));
}
