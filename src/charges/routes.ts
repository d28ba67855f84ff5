import { type Context, Hono } from 'hono';

import { body, optionalBody } from '../wire/body.js';
import { type Env, vetPan, worldOf } from '../wire/exchange.js';
import { operation } from '../wire/operation.js';
import { query } from '../wire/query.js';
import { respond, respondOutcome } from '../wire/respond.js';
import {
  CaptureCharge,
  ChargeCard,
  ChargeCustomer,
  ChargePaymentMethod,
  ChargeToken,
  RefundCharge,
} from './contract.js';
import { chargeCard, chargeCustomer, chargePaymentMethod, chargeToken } from './instruments.js';
import { presentCharge } from './presenter.js';
import { SearchCharges } from './search-contract.js';
import { searchCharges } from './search.js';
import { captureCharge, refundCharge, requireCharge, voidCharge } from './changes.js';
import type { ChargeResult } from './service.js';

const readRefund = query(RefundCharge);
const readSearch = query(SearchCharges);

export function chargeRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/charge/card', body(ChargeCard), operation('charge.create'), (c) => {
      const command = c.req.valid('json');
      vetPan(c, command.card.pan);
      return answerCharge(c, chargeCard(worldOf(c), command, overrideOf(c)));
    })
    .post('/charge/token', body(ChargeToken), operation('charge.create'), (c) =>
      answerCharge(c, chargeToken(worldOf(c), c.req.valid('json'), overrideOf(c))),
    )
    .post('/charge/customer', body(ChargeCustomer), operation('charge.create'), (c) =>
      answerCharge(c, chargeCustomer(worldOf(c), c.req.valid('json'), overrideOf(c))),
    )
    .post('/charge/payment_method', body(ChargePaymentMethod), operation('charge.create'), (c) =>
      answerCharge(c, chargePaymentMethod(worldOf(c), c.req.valid('json'), overrideOf(c))),
    )
    .get('/charge', operation('charge.search'), (c) => {
      const world = worldOf(c);
      const filter = readSearch(c);
      const { found, count } = searchCharges(world, filter);
      const { limit, skip } = filter.page;
      const shown = found.map((charge) => presentCharge(world, charge));
      return respond(c, { Limit: limit, Skip: skip, Count: count, Charges: shown });
    })
    .get('/charge/:id', operation('charge.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentCharge(world, requireCharge(world, c.req.param('id'))));
    })
    .post('/charge/:id', body(CaptureCharge), operation('charge.capture'), (c) => {
      const { amount } = c.req.valid('json');
      return answerChange(c, captureCharge(worldOf(c), c.req.param('id'), amount, overrideOf(c)), 'capture');
    })
    .delete('/charge/:id/void', operation('charge.void'), (c) =>
      answerChange(c, voidCharge(worldOf(c), c.req.param('id'), overrideOf(c)), 'void'),
    )
    .delete('/refund/:id', optionalBody(RefundCharge), operation('charge.refund'), (c) => {
      const asked = readRefund(c);
      const said = c.req.valid('json');
      const amount = asked.amount ?? said.amount;
      const comment = asked.comment ?? said.comment;
      const result = refundCharge(worldOf(c), c.req.param('id'), amount, comment, overrideOf(c));
      return answerChange(c, result, 'refund');
    });
}

function overrideOf(c: Context<Env>) {
  return c.get('exchange').override;
}

/** Answers with the charge; a declined one is stored as well, and the refusal names it. */
function answerCharge(c: Context<Env>, result: ChargeResult): Response | Promise<Response> {
  return answerResult(
    c,
    result,
    (id) => `The provider declined the charge; it is stored as ${id} with Status FAILED.`,
  );
}

function answerChange(c: Context<Env>, result: ChargeResult, what: string): Response | Promise<Response> {
  return answerResult(c, result, () => `The provider declined the ${what}; the charge is as it was.`);
}

function answerResult(
  c: Context<Env>,
  { charge, answer }: ChargeResult,
  detail: (chargeId: string) => string,
): Response | Promise<Response> {
  const world = worldOf(c);
  return respondOutcome(
    c,
    answer,
    () => presentCharge(world, charge),
    () => {
      const chargeId = world.charges.idOf(charge.index);
      return { detail: detail(chargeId), chargeId };
    },
  );
}
