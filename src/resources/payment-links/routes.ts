import type { Context } from 'hono';

import { CODE } from '../../core/errors.js';
import { type Env, requireWorld } from '../../http/exchange.js';
import { addressOf } from '../../http/mounted.js';
import { route, type Section } from '../../http/route.js';
import { presentPaymentLink } from './presenter.js';
import type { PaymentLink } from '../../records/payment-link.js';
import { CreatePaymentLink, PaymentLinkList, PaymentLinkResponse, SearchPaymentLinks } from './schema.js';
import { createPaymentLink, requirePaymentLink, searchPaymentLinks } from './service.js';

export const PAYMENT_LINKS: Section = {
  tag: 'Payment links',
  text: 'Hosted pages on which a payer pays by card.',
  rows: [
    route({
      method: 'post',
      path: '/payment_link',
      id: 'createPaymentLink',
      operation: 'paymentLink.create',
      summary: 'Create a payment link',
      text: 'The response’s Url is the page to pay on. Without Amount, the payer chooses the amount.',
      body: CreatePaymentLink,
      response: PaymentLinkResponse,
      errors: [CODE.InvalidAmount, CODE.InvalidAmountMustBePositive, CODE.CurrencyNotSupported],
      handle: (c, { body }) => presentLinkFor(c, createPaymentLink(requireWorld(c), body)),
    }),
    route({
      method: 'get',
      path: '/payment_link',
      id: 'searchPaymentLinks',
      operation: 'paymentLink.search',
      summary: 'Search payment links',
      text: 'Returns the records that match every filter, newest first by default.',
      query: SearchPaymentLinks,
      response: PaymentLinkList,
      handle: (c, { query }) => {
        const { found, count } = searchPaymentLinks(requireWorld(c), query);
        return { PaymentLinks: found.map((link) => presentLinkFor(c, link)), Count: count };
      },
    }),
    route({
      method: 'get',
      path: '/payment_link/{id}',
      id: 'getPaymentLink',
      operation: 'paymentLink.read',
      summary: 'Read a payment link',
      text: 'Returns the link. CountPayments is how many times it has been paid.',
      response: PaymentLinkResponse,
      errors: [CODE.InvalidPaymentLinkId],
      find: requirePaymentLink,
      handle: (c, { params }) => presentLinkFor(c, requirePaymentLink(requireWorld(c), params.id)),
    }),
  ],
};

function presentLinkFor(c: Context<Env>, link: PaymentLink): PaymentLinkResponse {
  return presentPaymentLink(requireWorld(c), link, addressOf(c));
}
