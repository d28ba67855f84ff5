import * as z from 'zod';

import { findPaymentType } from '../../core/cards/payment-type.js';
import { chargeWallet } from '../../resources/charges/instruments.js';
import { CARD_CHARGE_ERRORS } from '../../resources/charges/routes.js';
import { presentPayer } from '../../resources/charges/presenter.js';
import { PLAIN_DETAILS } from '../../resources/charges/service.js';
import * as answers from '../../http/answers/answers.js';
import { overrideOf, requireWorld } from '../../http/exchange.js';
import { requestSchema } from '../../http/fields/field.js';
import { optionalCurrency, requiredAmount } from '../../http/fields/amount-fields.js';
import { presentProviderType } from '../../http/fields/summaries.js';
import { requiredProviderId } from '../../http/fields/fields.js';
import { presentOutcome } from '../../http/answers/respond.js';
import { type AnyRow, route } from '../../http/route.js';
import { PAY_TO_ROW } from '../../resources/tokens/routes.js';

/** Calls of payfurl.js for which the service's own calls are not known. Both accept a public key. */

const PayCheckout = requestSchema(
  () => ({
    Amount: requiredAmount(),
    Currency: optionalCurrency(),
    ProviderId: requiredProviderId().describe('The identifier of the provider of the wallet or checkout.'),
  }),
  (body) => ({
    amount: body.Amount,
    providerId: body.ProviderId,
    details: { ...PLAIN_DETAILS, currency: body.Currency, initiator: 'CUSTOMER' as const },
  }),
);

const CheckoutResponse = z.lazy(() =>
  z.strictObject({ TransactionId: answers.id().describe('The identifier of the charge.') }),
);

export const PAGE_CALLS: readonly AnyRow[] = [
  route({
    ...PAY_TO_ROW,
    path: '/_sandbox/page/payto',
    id: 'createPayToTokenOfPage',
    summary: 'Create a token from a PayTo agreement, from a page',
    text: 'Like POST /token/payto, but with a public key.',
    access: 'public',
  }),
  route({
    method: 'post',
    path: '/_sandbox/page/checkout',
    id: 'payCheckout',
    operation: 'charge.create',
    summary: 'Pay with a wallet or checkout, from a page',
    text: 'The payer approves at once, so the charge is captured, or declined like any other charge. TransactionId is the identifier of the charge.',
    body: PayCheckout,
    response: CheckoutResponse,
    errors: CARD_CHARGE_ERRORS,
    asksProvider: true,
    webhooks: ['transaction.status.changed'],
    access: 'public',
    handle: (c, { body }) => {
      const world = requireWorld(c);
      const type = findPaymentType(presentProviderType(world, body.providerId));
      const { charge, answer } = chargeWallet(world, { ...body, type, trigger: null }, overrideOf(c));
      return presentOutcome(
        c,
        answer,
        () => ({ TransactionId: charge.id }),
        (because) => ({
          detail: `${because('The payment was declined')}. The payment is stored as charge ${charge.id} with the status FAILED.`,
          payer: presentPayer(world, charge, null),
          chargeId: charge.id,
        }),
      );
    },
  }),
];
