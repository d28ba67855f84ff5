import { createHmac, timingSafeEqual } from 'node:crypto';

import express from 'express';

import { Billing } from './billing.js';
import { Gateway } from './gateway.js';
import { Orders } from './orders.js';

/** @typedef {import('express').Request} Request */
/** @typedef {{ gatewayUrl: string, gatewayKey: string, webhookSecret: string }} Settings */

/** @type {Readonly<Record<string, number>>} */
const HTTP_STATUS = { declined: 402, unknown: 503 };

/**
 * The shop as an Express app.
 *
 * @param {Settings} settings
 */
export function createShop({ gatewayUrl, gatewayKey, webhookSecret }) {
  const gateway = new Gateway(gatewayUrl, gatewayKey);
  const orders = new Orders(gateway);
  const billing = new Billing(gateway);
  /** @type {Map<string, string>} The saved card of each customer. */
  const cards = new Map();
  const app = express();
  app.post('/webhooks', express.raw({ type: '*/*' }), webhooks(webhookSecret, orders, billing));
  app.use(express.json({ limit: '1mb' }));

  app.post('/orders', async (request, response) => {
    const { token, ships = false } = request.body;
    const payment = { Token: token, Capture: !ships, Webhook: webhookOf(request) };
    const order = await orders.checkout(request.body, '/charge/token', payment);
    response.status(HTTP_STATUS[order.status] ?? 201).json(order);
  });
  app.get('/orders/:id', (request, response) => {
    response.json(orders.find(request.params.id));
  });
  app.post('/orders/:id/ship', async (request, response) => {
    response.json(await orders.ship(request.params.id));
  });
  app.post('/orders/:id/refund', async (request, response) => {
    response.json(await orders.refund(request.params.id, request.body));
  });

  app.post('/customers', async (request, response) => {
    const { firstName, lastName, email, token } = request.body;
    const person = { FirstName: firstName, LastName: lastName, Email: email, Reference: email };
    const saved = await gateway.call('POST', '/customer/token', { ...person, Token: token });
    const { PaymentMethodId: paymentMethodId, Card } = saved.DefaultPaymentMethod;
    cards.set(saved.CustomerId, paymentMethodId);
    response.status(201).json({ id: saved.CustomerId, paymentMethodId, card: Card.CardNumber });
  });
  app.post('/customers/:id/orders', async (request, response) => {
    const payment = { PaymentMethodId: cards.get(request.params.id), Webhook: webhookOf(request) };
    const order = await orders.checkout(request.body, '/charge/payment_method', payment);
    response.status(HTTP_STATUS[order.status] ?? 201).json(order);
  });

  app.post('/invoices', (request, response) => {
    billing.add(request.body);
    response.status(201).json(billing.summary());
  });
  app.get('/invoices', (_, response) => {
    response.json(billing.summary());
  });
  app.post('/nights', async (request, response) => {
    response.status(201).json(await billing.runNight(webhookOf(request)));
  });
  return app;
}

/**
 * Takes each webhook once, whatever the gateway repeats.
 *
 * @param {string} secret
 * @param {Orders} orders
 * @param {Billing} billing
 * @returns {import('express').RequestHandler}
 */
function webhooks(secret, orders, billing) {
  /** @type {Set<string>} */
  const seen = new Set();
  return async (request, response) => {
    if (!isSigned(request.body, request.get('x-payfurl-signature') ?? '', secret)) {
      response.sendStatus(401);
      return;
    }
    const { meta, data } = JSON.parse(request.body);
    if (!seen.has(meta.messageId)) {
      seen.add(meta.messageId);
      if (meta.type === 'transaction') orders.receive(data);
      else if (data.status === 'SUCCESS' || data.status === 'FAILED') await billing.book(data.batchId);
    }
    response.sendStatus(204);
  };
}

/**
 * @param {Buffer} body
 * @param {string} signature
 * @param {string} secret
 */
function isSigned(body, signature, secret) {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** @param {Request} request */
function webhookOf(request) {
  return {
    Url: `${request.protocol}://${request.get('host')}/webhooks`,
    Authorization: 'Basic c2hvcDpzaG9w',
  };
}
