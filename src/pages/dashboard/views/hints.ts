import type { FirstCall } from '../text/curl.js';

const STEADY = '00000000000000000000000000000001';
const CARD = { CardNumber: '4242424242424242', ExpiryDate: '12/99', Ccv: '123', Cardholder: 'Jo Smith' };

const CHARGE = { Amount: '15.50', ProviderId: STEADY, Reference: 'order-1', PaymentInformation: CARD };

export const FIRST_CHARGE: FirstCall = { path: '/charge/card', body: CHARGE };

interface Hint extends FirstCall {
  readonly hint: string;
}

/** The call that creates the first record of each view. */
export const HINTS: Readonly<Record<string, Hint>> = {
  charges: { hint: 'Send this call to create one:', ...FIRST_CHARGE },
  customers: {
    hint: 'Send this call to create one with a card:',
    path: '/customer/card',
    body: {
      ProviderId: STEADY,
      FirstName: 'Jo',
      LastName: 'Smith',
      Email: 'jo@example.com',
      PaymentInformation: CARD,
    },
  },
  'payment-methods': {
    hint: 'Send this call to store a card:',
    path: '/payment_method/card',
    body: { ProviderId: STEADY, PaymentInformation: CARD },
  },
  vault: {
    hint: 'Send this call to store a card number for an hour:',
    path: '/vault',
    body: { CardNumber: CARD.CardNumber, ExpireSeconds: 3600 },
  },
  batches: {
    hint: 'Send this call to charge a list of rows. Replace PAYMENT_METHOD_ID with a payment method of this world.',
    path: '/batch/transaction/payment_method',
    body: {
      Count: 1,
      Description: 'rent',
      Batch: 'PaymentMethodId,Amount,Currency,Reference\nPAYMENT_METHOD_ID,12.50,AUD,flat-1',
    },
  },
  authentications: {
    hint: 'Send this call to charge a card that needs a challenge:',
    path: '/charge/card',
    body: {
      ...CHARGE,
      PaymentInformation: { ...CARD, CardNumber: '4000000000001133' },
      ThreeDSNotificationUrl: 'http://127.0.0.1:3000/3ds',
    },
  },
  subscriptions: {
    hint: 'Send this call to create one. Replace PAYMENT_METHOD_ID with a payment method of this world.',
    path: '/subscription',
    body: {
      PaymentMethodId: 'PAYMENT_METHOD_ID',
      Amount: '12.50',
      Currency: 'AUD',
      Interval: 'Month',
      Frequency: 1,
    },
  },
  'payment-links': {
    hint: 'Send this call to create one:',
    path: '/payment_link',
    body: { Title: 'Invoice 42', Amount: '15.50', Currency: 'AUD' },
  },
  transfers: {
    hint: 'Send this call to divide a charge. Replace CHARGE_ID with a charge of this world.',
    path: '/transfer',
    body: {
      GroupReference: 'order-1',
      ProviderId: STEADY,
      ChargeId: 'CHARGE_ID',
      Transfers: [{ Account: 'acct-1', Amount: '5.00', Reference: 'part-1' }],
    },
  },
  webhooks: {
    hint: 'They appear when a charge has a Webhook or a webhook subscription matches. Send such a charge:',
    path: '/charge/card',
    body: { ...CHARGE, Webhook: { Url: 'http://127.0.0.1:3000/webhooks' } },
  },
};
