import type { Context } from 'hono';
import * as z from 'zod';

import { presentPayer } from '../../resources/charges/presenter.js';
import { shortenId } from '../../core/cards/card.js';
import { CODE, refuse } from '../../core/errors.js';
import { type Env, checkTestCard, requireWorld } from '../../http/exchange.js';
import { addressOf } from '../../http/mounted.js';
import { optionalText } from '../../http/fields/fields.js';
import { buildAnswerHeaders, presentOutcome } from '../../http/answers/respond.js';
import { route, type Section } from '../../http/route.js';
import { presentPayment } from '../../resources/payment-links/presenter.js';
import { PayLink, PaymentResponse } from '../../resources/payment-links/schema.js';
import { payLink, buildLinkCharge, requirePaymentLink } from '../../resources/payment-links/service.js';
import { respondAsset } from './asset-routes.js';
import { checkoutPage, payPage } from './card-pages.js';
import { dashboardPage } from './dashboard-page.js';
import { PAGE_CALLS } from './page-calls.js';
import { errorsPage } from './error-pages.js';
import { LIVE_POLICY, respondPage } from './html.js';
import { HTML, PAYER_PAGES, WORLD_REFUSALS } from './payer-routes.js';

const ReadDashboard = z.lazy(() =>
  z.object({
    Key: optionalText().describe('The key of the world to show. The page takes it out of the address.'),
  }),
);
const ReadCheckout = z.lazy(() =>
  z.object({ Key: optionalText().describe('The key that the page starts with.') }),
);

/** The description with the address of a sandbox under a path, which generated clients call. */
async function describeMount(c: Context<Env>): Promise<Response> {
  const { readAsset } = await import('./assets.js');
  const description = JSON.parse(await readAsset('openapi.json')) as object;
  const text = JSON.stringify({ ...description, servers: [{ url: addressOf(c) }] });
  return new Response(text, {
    headers: buildAnswerHeaders(c.get('exchange'), 'application/json; charset=utf-8'),
  });
}

/** Pages for people. Only those of payment links, challenges and wallets contain data of a world. */
export const PAGES: Section = {
  tag: 'Pages',
  text: 'Pages and scripts for people and browsers.',
  rows: [
    route({
      method: 'get',
      path: '/_sandbox',
      id: 'getDashboard',
      summary: 'Show the dashboard',
      text: 'A page that shows what happens in a world. It asks for the key.',
      query: ReadDashboard,
      response: HTML,
      access: 'open',
      handle: (c) => respondPage(c, dashboardPage(), LIVE_POLICY),
    }),
    route({
      method: 'get',
      path: '/_sandbox/reference',
      id: 'getReference',
      summary: 'Show this description as a page',
      text: 'All operations with their fields and real responses. Works offline.',
      response: HTML,
      access: 'open',
      handle: async (c) => {
        const { readReference } = await import('./reference-page.js');
        return respondPage(c, (await readReference()).list, LIVE_POLICY);
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/reference/{id}',
      id: 'getReferencePart',
      summary: 'Show one operation or schema as a page',
      text: 'The reference page loads it when a person opens it.',
      response: HTML,
      errors: [[CODE.ValidationError, 404]],
      access: 'open',
      handle: async (c, { params }) => {
        const { readReference } = await import('./reference-page.js');
        const page = (await readReference()).part(params.id);
        if (page !== null) return respondPage(c, page, LIVE_POLICY);
        const detail = `The reference has no operation or schema ${shortenId(params.id)}`;
        return refuse(CODE.ValidationError, detail, { httpStatus: 404 });
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/openapi.json',
      id: 'getOpenApi',
      summary: 'Read this description',
      text: 'The OpenAPI 3.1 description of every operation, with real responses as examples.',
      response: z.lazy(() => z.looseObject({ openapi: z.string() })),
      access: 'open',
      handle: (c) =>
        c.get('edge').settings.basePath === '' ? respondAsset(c, 'openapi.json') : describeMount(c),
    }),
    route({
      method: 'get',
      path: '/_sandbox/errors',
      id: 'getErrors',
      summary: 'Show the table of error codes',
      text: 'Each code with its message, its HTTP status and whether the request may be retried.',
      response: HTML,
      access: 'open',
      handle: (c) => respondPage(c, errorsPage(), LIVE_POLICY),
    }),
    route({
      method: 'get',
      path: '/_sandbox/checkout',
      id: 'getCheckout',
      summary: 'Show the demo checkout page',
      text: 'A demo shop with a card form, to try the browser script.',
      query: ReadCheckout,
      response: HTML,
      access: 'open',
      handle: (c, { query }) => {
        const { hashesPublicKeys } = c.get('edge').settings;
        return respondPage(c, checkoutPage(query.Key, hashesPublicKeys), LIVE_POLICY);
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/pay/{world}/{id}',
      id: 'getPaymentPage',
      summary: 'Show the page of a payment link',
      text: 'The page at a payment link’s Url.',
      response: HTML,
      errors: [CODE.InvalidPaymentLinkId, ...WORLD_REFUSALS],
      access: 'open',
      handle: (c, { params }) =>
        respondPage(c, payPage(requirePaymentLink(requireWorld(c), params.id)), LIVE_POLICY),
    }),
    route({
      method: 'post',
      path: '/_sandbox/pay/{world}/{id}',
      id: 'payLink',
      operation: 'charge.create',
      summary: 'Pay a payment link',
      text: 'Called by the page of the link. Charges a card through the cheapest provider. Send Amount only for links on which the payer chooses it.',
      body: PayLink,
      response: PaymentResponse,
      errors: [
        ...WORLD_REFUSALS,
        CODE.InvalidPaymentLinkId,
        CODE.InvalidAmount,
        CODE.InvalidAmountMustBePositive,
        CODE.ExpiredCard,
        CODE.InvalidPaymentInformation,
        [CODE.InvalidPaymentLinkId, 409],
      ],
      asksProvider: true,
      access: 'open',
      // Before the rules of a scenario are applied, because they may depend on the amount.
      buildCommand: (c, { params, body }) => buildLinkCharge(requireWorld(c), params.id, body),
      handle: (c, { params, body }) => {
        checkTestCard(c, body.card.pan);
        const { link, result } = payLink(requireWorld(c), params.id, body, c.get('exchange').override);
        const { charge, answer } = result;
        return presentOutcome(
          c,
          answer,
          () => presentPayment(link, charge),
          (because) => ({
            detail: `${because('The payment was declined. Try another card')}.`,
            payer: presentPayer(requireWorld(c), charge, null),
            chargeId: charge.id,
          }),
        );
      },
    }),
    ...PAGE_CALLS,
    ...PAYER_PAGES,
  ],
};
