import { Hono, type MiddlewareHandler } from 'hono';

import { PayLink } from '../../payment-links/schema.js';
import { presentPayment } from '../../payment-links/presenter.js';
import { payLink, type PayerInput, type PaymentCommand, paymentOf } from '../../payment-links/payment.js';
import { requirePaymentLink } from '../../payment-links/service.js';
import { body } from '../../http/validation.js';
import { type Env, vetPan, worldOf } from '../../http/exchange.js';
import { operation } from '../../http/operation.js';
import { respondOutcome } from '../../http/respond.js';
import { LIVE_POLICY, respondPage } from './page.js';
import { payPage } from './pay-page.js';
import { plain, STRICT } from '../plain.js';

/** The page of a payment link, and what it sends. Whoever knows the link may pay it: the world is found by it. */
export function payRoutes(): Hono<Env> {
  return new Hono<Env>()
    .basePath('/_sandbox')
    .get('/pay/:id', plain, (c) =>
      respondPage(c, payPage(requirePaymentLink(worldOf(c), c.req.param('id'))), LIVE_POLICY),
    )
    .post('/pay/:id', plain, body(PayLink, STRICT), asCharge, operation('charge.create'), (c) => {
      const world = worldOf(c);
      const command = c.req.valid('json' as never) as PaymentCommand;
      vetPan(c, command.card.pan);
      const { link, result } = payLink(world, c.req.param('id'), command, c.get('exchange').override);
      const { charge, answer } = result;
      return respondOutcome(
        c,
        answer,
        () => presentPayment(link, charge),
        () => ({
          detail: 'The payment was declined. Another card may be taken.',
          chargeId: charge.id,
        }),
      );
    });
}

/** Makes a charge of what the payer sent, before a script looks at the call: it may have a rule for its amount. */
const asCharge: MiddlewareHandler<Env> = (c, next) => {
  const sent = c.req.valid('json' as never) as PayerInput;
  c.req.addValidatedData('json', paymentOf(worldOf(c), c.req.param('id') ?? '', sent));
  return next();
};
