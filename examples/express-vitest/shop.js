import { createHmac, timingSafeEqual } from 'node:crypto';
import express from 'express';

const PAID = ['SUCCESS', 'PARTIAL_REFUND'];
const NOT_CHARGED = ['FAILED', 'AUTHORISE_CANCELLED'];
/** They come with status 400, as declines do, but the card may have been charged. */
const UNCLEAR_CODES = [34, 37, 80];

/** A shop that charges its orders at the gateway `url` with the secret `key`. */
export function createShop({ url, key, webhookSecret }) {
  const orders = new Map();

  async function callGateway(method, path, body) {
    const headers = { 'content-type': 'application/json', 'x-secretkey': key };
    const init = { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) };
    const answer = await fetch(url + path, init);
    return { status: answer.status, body: await answer.json() };
  }

  /** The answer to an earlier attempt may have been lost, so this looks for its charge before it makes one. */
  async function findOrMakeCharge(order) {
    const search = await callGateway('GET', `/charge?Reference=${encodeURIComponent(order.Reference)}`);
    const earlier = search.body.Charges.find(({ Status }) => !NOT_CHARGED.includes(Status));
    if (earlier) return earlier;
    const { status, body } = await callGateway('POST', '/charge/token', order);
    return status === 400 && !UNCLEAR_CODES.includes(body.Code) ? { Status: 'FAILED' } : body;
  }

  /** Can be called again for the same order. `unknown`: call it again later, before anything else. */
  async function pay(order) {
    try {
      const { ChargeId: chargeId, Status } = await findOrMakeCharge(order);
      const status = PAID.includes(Status) ? 'paid' : Status === 'FAILED' ? 'declined' : 'unknown';
      return { status, chargeId };
    } catch {
      return { status: 'unknown' };
    }
  }

  const app = express();

  app.post('/orders/:id/pay', express.json(), async (request, response) => {
    const { id } = request.params;
    const { amount, token } = request.body;
    const order = orders.get(id) ?? { events: [] };
    orders.set(id, order);
    const Webhook = { Url: `http://${request.get('host')}/webhooks` };
    Object.assign(order, await pay({ Amount: amount, Token: token, Reference: id, Webhook }));
    response.status(order.status === 'paid' ? 200 : 402).json(order);
  });

  app.post('/orders/:id/refund', async (request, response) => {
    const { chargeId } = orders.get(request.params.id);
    const { status } = await callGateway('DELETE', `/refund/${chargeId}`);
    response.sendStatus(status === 200 ? 200 : 502);
  });

  // The signature is that of the bytes, so the body must not be parsed before.
  app.post('/webhooks', express.raw({ type: '*/*' }), (request, response) => {
    const signed = createHmac('sha256', webhookSecret).update(request.body).digest();
    const given = Buffer.from(request.get('x-payfurl-signature') ?? '', 'base64');
    if (given.length !== signed.length || !timingSafeEqual(given, signed)) return response.sendStatus(401);
    const { data } = JSON.parse(request.body);
    orders.get(data.reference)?.events.push(data.status);
    response.sendStatus(204);
  });

  return { app, orders };
}
