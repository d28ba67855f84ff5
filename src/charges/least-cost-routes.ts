import { Hono, type MiddlewareHandler } from 'hono';
import type * as z from 'zod';

import { cardScheme } from '../core/card-scheme.js';
import { cheapestProvider } from '../providers/costs.js';
import { body } from '../http/validation.js';
import { type Env, vetPan, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { ChargeLeastCost } from './least-cost-schema.js';
import { byCard, toldBefore } from './routes.js';

/** Chooses the provider before a script looks at the call, since it may have a rule for that provider. */
const chooseProvider: MiddlewareHandler<Env> = (c, next) => {
  const command = c.req.valid('json' as never) as z.output<typeof ChargeLeastCost>;
  const { amount, card, details } = command;
  const asked = { scheme: cardScheme(card.pan), amount, capture: details.capture };
  c.req.addValidatedData('json', { ...command, providerId: cheapestProvider(worldOf(c), asked) });
  return next();
};

/** A charge through the provider that takes least for it. */
export function leastCostRoutes(): Hono<Env> {
  return new Hono<Env>().post(
    '/charge/card/least_cost',
    body(ChargeLeastCost),
    chooseProvider,
    operation('charge.create'),
    (c) => {
      const command = c.req.valid('json');
      vetPan(c, command.card.pan);
      return toldBefore(c, command, byCard);
    },
  );
}
