import { type Context, Hono } from 'hono';

import { type Env, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { body, query } from '../http/validation.js';
import { respond } from '../http/respond.js';
import { CreatePaymentLink } from './schema.js';
import type { PaymentLink } from './record.js';
import { presentPaymentLink } from './presenter.js';
import { SearchPaymentLinks } from './search-schema.js';
import { searchPaymentLinks } from './search.js';
import { createPaymentLink, requirePaymentLink } from './service.js';

const readSearch = query(SearchPaymentLinks);

export function paymentLinkRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/payment_link', body(CreatePaymentLink), operation('paymentLink.create'), (c) =>
      respond(c, shown(c, createPaymentLink(worldOf(c), c.req.valid('json')))),
    )
    .get('/payment_link', operation('paymentLink.search'), (c) => {
      const { found, count } = searchPaymentLinks(worldOf(c), readSearch(c));
      return respond(c, { PaymentLinks: found.map((link) => shown(c, link)), Count: count });
    })
    .get('/payment_link/:id', operation('paymentLink.read'), (c) =>
      respond(c, shown(c, requirePaymentLink(worldOf(c), c.req.param('id')))),
    );
}

function shown(c: Context<Env>, link: PaymentLink): object {
  return presentPaymentLink(worldOf(c), link, new URL(c.req.url).origin);
}
