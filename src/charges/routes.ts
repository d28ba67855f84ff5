import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type * as z from 'zod';

import { type Env, vetPan, worldOf } from '../http/exchange.js';
import { operation } from '../http/operation.js';
import { body, noBody, optionalBody, query } from '../http/validation.js';
import { respond, respondOutcome } from '../http/respond.js';
import { spoken } from '../http/webhook.js';
import {
  CaptureCharge,
  ChargeCard,
  ChargeCustomer,
  ChargePaymentMethod,
  ChargeToken,
  RefundCharge,
} from './schema.js';
import { chargeCard, chargeCustomer, chargePaymentMethod, chargeToken } from './instruments.js';
import { presentCharge } from './presenter.js';
import { captureCharge, refundCharge, requireCharge, voidCharge } from './changes.js';
import type { ChargeDetails, ChargeResult } from './service.js';
import type { AskedRefund } from './undo.js';

const readRefund = query(RefundCharge);

export function chargeRoutes(): Hono<Env> {
  return new Hono<Env>()
    .post('/charge/card', body(ChargeCard), operation('charge.create'), (c) => {
      const command = c.req.valid('json');
      vetPan(c, command.card.pan);
      return toldBefore(c, command, byCard);
    })
    .post('/charge/token', body(ChargeToken), operation('charge.create'), (c) =>
      toldBefore(c, c.req.valid('json'), byToken),
    )
    .post('/charge/customer', body(ChargeCustomer), operation('charge.create'), (c) =>
      toldBefore(c, c.req.valid('json'), byCustomer),
    )
    .post('/charge/payment_method', body(ChargePaymentMethod), operation('charge.create'), (c) =>
      toldBefore(c, c.req.valid('json'), byPaymentMethod),
    )
    .get('/charge/:id', operation('charge.read'), (c) => {
      const world = worldOf(c);
      return respond(c, presentCharge(world, requireCharge(world, c.req.param('id'))));
    })
    .post('/charge/:id', body(CaptureCharge), operation('charge.capture'), (c) =>
      answerCapture(c, c.req.param('id'), c.req.valid('json').amount),
    )
    .post('/charge/:id/capture', body(CaptureCharge), operation('charge.capture'), (c) =>
      answerCapture(c, c.req.param('id'), c.req.valid('json').amount),
    )
    .delete('/charge/:id/void', noBody(), operation('charge.void'), (c) =>
      answerChange(c, voidCharge(worldOf(c), c.req.param('id'), overrideOf(c)), 'void'),
    )
    .delete('/refund/:id', optionalBody(RefundCharge), readAsked, operation('charge.refund'), (c) => {
      const { amount, comment } = refundAsked(c);
      const result = refundCharge(worldOf(c), c.req.param('id'), amount, comment, overrideOf(c));
      return answerChange(c, result, 'refund');
    });
}

/**
 * Reads what the query asks of a refund, and the body where the query does not say. Stands before the operation: a script
 * sees what is asked, and nothing that is queued is used up by a query that is refused.
 */
export const readAsked: MiddlewareHandler<Env> = (c, next) => {
  const asked = readRefund(c);
  const said = refundAsked(c);
  const amount = asked.amount ?? said.amount;
  c.req.addValidatedData('json', { amount, comment: asked.comment ?? said.comment });
  return next();
};

/** What is asked of a refund, once it was read. */
export function refundAsked(c: Context<Env>): AskedRefund {
  return c.req.valid('json' as never);
}

/** Does what a command says, and answers. */
export type Act<C> = (c: Context<Env>, command: C) => Response | Promise<Response>;

export const byCard: Act<z.output<typeof ChargeCard>> = (c, command) =>
  answerCharge(c, chargeCard(worldOf(c), command, overrideOf(c)));
const byToken: Act<z.output<typeof ChargeToken>> = (c, command) =>
  answerCharge(c, chargeToken(worldOf(c), command, overrideOf(c)));
const byCustomer: Act<z.output<typeof ChargeCustomer>> = (c, command) =>
  answerCharge(c, chargeCustomer(worldOf(c), command, overrideOf(c)));
const byPaymentMethod: Act<z.output<typeof ChargePaymentMethod>> = (c, command) =>
  answerCharge(c, chargePaymentMethod(worldOf(c), command, overrideOf(c)));

/** Acts on a command; where it names a webhook, what tells of that is loaded before. */
export function toldBefore<C extends { readonly details: ChargeDetails }>(
  c: Context<Env>,
  command: C,
  act: Act<C>,
): Response | Promise<Response> {
  const { details } = command;
  if (details.webhook === null) return act(c, command);
  return spoken(c, details.webhook).then((webhook) =>
    act(c, { ...command, details: { ...details, webhook } }),
  );
}

/** The outcome that the request, or else a script, asks for. */
export function overrideOf(c: Context<Env>) {
  return c.get('exchange').override;
}

/** Answers with the charge; a declined one is stored as well, and the refusal names it. */
export function answerCharge(c: Context<Env>, result: ChargeResult): Response | Promise<Response> {
  return answerResult(
    c,
    result,
    (id) => `The provider declined the charge; it is stored as ${id} with Status FAILED.`,
  );
}

function answerCapture(c: Context<Env>, id: string, amount: string | null): Response | Promise<Response> {
  return answerChange(c, captureCharge(worldOf(c), id, amount, overrideOf(c)), 'capture');
}

export function answerChange(
  c: Context<Env>,
  result: ChargeResult,
  what: string,
): Response | Promise<Response> {
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
      const chargeId = charge.id;
      return { detail: detail(chargeId), chargeId };
    },
  );
}
