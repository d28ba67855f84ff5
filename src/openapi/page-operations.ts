import * as z from 'zod';

import { ReadCheckout } from '../control/pages/pages.js';
import { CODE } from '../core/errors.js';
import { PayLink, PaymentResponse } from '../payment-links/schema.js';
import { row, type Section } from './operation.js';

const HTML = 'text/html';

/** A link needs no key, but one that is sent all the same must be good. */
const OF_KEYS = [CODE.InvalidAuthentication, CODE.RetryLater];

export const PAGES: Section = {
  tag: 'Pages',
  text: 'For people and browsers.',
  rows: [
    row('get', '/_sandbox', 'getDashboard', 'Show the dashboard', HTML, { access: 'open' }),
    row('get', '/_sandbox/reference', 'getReference', 'Show this description as a page', HTML, {
      access: 'open',
    }),
    row(
      'get',
      '/_sandbox/openapi.json',
      'getOpenApi',
      'Read this description',
      z.looseObject({ openapi: z.string() }),
      { access: 'open' },
    ),
    row('get', '/_sandbox/errors', 'getErrors', 'Show the table of error codes', HTML, { access: 'open' }),
    row('get', '/_sandbox/checkout', 'getCheckout', 'Show a page that makes tokens', HTML, {
      query: ReadCheckout,
      access: 'open',
    }),
    row('get', '/_sandbox/pay/{id}', 'getPaymentPage', 'Show the page of a payment link', HTML, {
      errors: [CODE.InvalidPaymentLinkId, ...OF_KEYS],
      access: 'open',
    }),
    row('post', '/_sandbox/pay/{id}', 'payLink', 'Pay a payment link, as its page does', PaymentResponse, {
      body: PayLink,
      errors: [
        ...OF_KEYS,
        CODE.InvalidPaymentLinkId,
        CODE.InvalidAmount,
        CODE.InvalidAmountMustBePositive,
        CODE.ExpiredCard,
        CODE.InvalidPaymentInformation,
        [CODE.InvalidPaymentLinkId, 409],
      ],
      asksProvider: true,
      access: 'open',
    }),
  ],
};
