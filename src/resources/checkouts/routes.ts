import type { Context } from 'hono';

import { CODE } from '../../core/errors.js';
import { type Env, overrideOf, requireWorld } from '../../http/exchange.js';
import { addressOf } from '../../http/mounted.js';
import { route, type Section } from '../../http/route.js';
import type { Checkout } from '../../records/checkout.js';
import { CHARGE_ERRORS, NEW_CHARGE, runCharge } from '../charges/routes.js';
import { NEW_METHOD, presentStored } from '../payment-methods/routes.js';
import { presentCheckout } from './presenter.js';
import * as schema from './schema.js';
import * as service from './service.js';

const READ = { method: 'get', operation: 'checkout.read', response: schema.CheckoutResponse } as const;

export const CHECKOUTS: Section = {
  tag: 'Check-outs',
  text: 'Payments that the payer approves on the page of a wallet. Until then their charge is PENDING_CHECKOUT.',
  rows: [
    route({
      method: 'post',
      path: '/checkout',
      id: 'createCheckout',
      operation: 'checkout.create',
      summary: 'Begin a check-out',
      text: 'Send the payer to the response’s Url. Then charge the check-out, or store it as a payment method. Can also be called with a public key.',
      body: schema.CreateCheckout,
      response: schema.CheckoutResponse,
      errors: [CODE.InvalidAmount, CODE.InvalidAmountMustBePositive, CODE.InvalidProviderId],
      access: 'public',
      handle: (c, { body }) => presentFor(c, service.createCheckout(requireWorld(c), body)),
    }),
    route({
      ...READ,
      path: '/checkout/{id}',
      id: 'getCheckoutById',
      summary: 'Read a check-out',
      text: 'Returns the check-out, with its charge and its payment method if there are any.',
      errors: [CODE.NoTransactionFound],
      find: service.requireCheckout,
      handle: (c, { params }) => presentFor(c, service.requireCheckout(requireWorld(c), params.id)),
    }),
    route({
      ...READ,
      path: '/checkout/external/{id}',
      id: 'getCheckoutByExternalId',
      summary: 'Read a check-out by the wallet’s identifier',
      text: 'The payer returns to the shop with both identifiers.',
      errors: [CODE.NoTransactionFound],
      find: service.requireExternalCheckout,
      handle: (c, { params }) => presentFor(c, service.requireExternalCheckout(requireWorld(c), params.id)),
    }),
    route({
      ...NEW_CHARGE,
      path: '/charge/checkout',
      id: 'chargeCheckout',
      summary: 'Charge a check-out',
      text: 'Without CheckoutId and ExternalId it begins a check-out, also with a public key. The charge is PENDING_CHECKOUT until the payer decides on the page at Checkout.Url.',
      access: 'public',
      body: schema.ChargeCheckout,
      response: schema.CheckoutChargeResponse,
      errors: [...CHARGE_ERRORS, CODE.NoTransactionFound, [CODE.InvalidCharge, 409]],
      buildCommand: (c, { body }) => service.completeCharge(requireWorld(c), body),
      handle: (c, { body }) => {
        const made = runCharge(c, body, service.chargeCheckout);
        if (made instanceof Promise) return made;
        const checkout = service.requireCheckout(requireWorld(c), made.CheckoutId ?? '');
        return { ...made, Checkout: presentFor(c, checkout) };
      },
    }),
    route({
      ...NEW_METHOD,
      path: '/payment_method/checkout',
      id: 'createMethodFromCheckout',
      summary: 'Store a check-out as a payment method',
      text: 'The payer must have approved it. The payment method can be charged repeatedly, without the payer.',
      body: schema.StoreCheckout,
      errors: [CODE.NoTransactionFound, [CODE.InvalidPaymentMethod, 409]],
      handle: (c, { body }) => presentStored(c, service.storeCheckout(requireWorld(c), body, overrideOf(c))),
    }),
  ],
};

function presentFor(c: Context<Env>, checkout: Checkout): schema.CheckoutResponse {
  return presentCheckout(requireWorld(c), checkout, addressOf(c));
}
