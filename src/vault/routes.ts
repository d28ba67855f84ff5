import { Hono } from 'hono';

import { body, noBody } from '../http/validation.js';
import { type Env, vetPan, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { respond } from '../http/respond.js';
import { CreateEntry } from './schema.js';
import { presentEntry, presentWholeEntry } from './presenter.js';
import { createEntry, deleteEntry, requireEntry } from './service.js';

export function vaultRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/vault', body(CreateEntry), operation('vault.create'), (c) => {
      const world = worldOf(c);
      const command = c.req.valid('json');
      vetPan(c, command.pan);
      return respond(c, presentEntry(world, createEntry(world, command)));
    })
    .get('/vault/:id', operation('vault.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentWholeEntry(world, requireEntry(world, c.req.param('id'))));
    })
    .delete('/vault/:id', noBody(), operation('vault.delete'), (c) => {
      const world = worldOf(c);
      return respond(c, presentEntry(world, deleteEntry(world, c.req.param('id'))));
    });
}
