import type { FirstCall } from '../../text/curl.js';

const CARD = { CardNumber: '4242424242424242', ExpiryDate: '12/99', Ccv: '123', Cardholder: 'Jo Smith' };

const charge = (more: object = {}): FirstCall => ({
  path: '/charge/card',
  body: {
    Amount: '15.50',
    ProviderId: '00000000000000000000000000000001',
    Reference: 'order-1',
    PaymentInformation: CARD,
    ...more,
  },
});

export const FIRST_CHARGE = charge();

interface Hint {
  readonly text: string;
  readonly call: FirstCall;
}

/** What fills the views whose first record is a charge of some kind. */
export const HINTS: Readonly<Record<string, Hint>> = {
  charges: { text: 'Send this call to create one:', call: FIRST_CHARGE },
  authentications: {
    text: 'Send this call to charge a card that needs a challenge:',
    call: charge({
      PaymentInformation: { ...CARD, CardNumber: '4000000000001133' },
      ThreeDSNotificationUrl: 'http://127.0.0.1:3000/3ds',
    }),
  },
  webhooks: {
    text: 'They appear when a charge has a Webhook or a webhook subscription matches. Send such a charge:',
    call: charge({ Webhook: { Url: 'http://127.0.0.1:3000/webhooks' } }),
  },
};
