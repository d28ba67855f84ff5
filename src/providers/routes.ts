import { Hono } from 'hono';

import { builtInNamed } from '../outcomes/built-in.js';
import { body, noBody } from '../http/validation.js';
import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { respond } from '../http/respond.js';
import type { World } from '../world.js';
import { createProvider, removeProvider, requireProvider, updateProvider } from './accounts.js';
import { CreateProvider, UpdateProvider } from './schema.js';
import type { BroughtProvider } from './record.js';
import { presentAccount, settingsOf } from './presenter.js';

/** Providers as a program configures them. */
export function providerRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/provider', body(CreateProvider), operation('provider.create'), (c) => {
      const world = worldOf(c);
      return respond(c, presentAccount(world, createProvider(world, c.req.valid('json'))));
    })
    .get('/provider/:id', operation('provider.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentAccount(world, findProvider(world, c.req.param('id'))));
    })
    .put('/provider/:id', body(UpdateProvider), operation('provider.update'), (c) => {
      const world = worldOf(c);
      const changed = updateProvider(world, c.req.param('id'), c.req.valid('json'));
      return respond(c, presentAccount(world, changed));
    })
    .delete('/provider/:id', noBody(), operation('provider.remove'), (c) => {
      const world = worldOf(c);
      return respond(c, presentAccount(world, removeProvider(world, c.req.param('id'))));
    });
}

/** A configured provider, or a built-in one that nobody configured otherwise; else 404 with code 65. */
function findProvider(world: World, id: string): BroughtProvider {
  const isBuiltIn = world.providers.named(id) === null && builtInNamed(id) !== undefined;
  return isBuiltIn ? settingsOf(world, id) : requireProvider(world, id);
}
