import { homeOf } from '../../../home.js';
import { shellQuoted } from '../../../shell-quote.js';
import { store } from '../../state/store.js';
import { curlFor } from '../../text/repeat.js';

export interface FirstCall {
  readonly path: string;
  readonly body: object;
}

/** A call that can be pasted into a shell, after the key of the world, which it reads from the environment. */
export function firstCall({ path, body }: FirstCall): string {
  const { key, world } = store.keyring;
  const headers = { 'content-type': 'application/json' };
  const known = world === null ? shellQuoted(key) : `… # the key of the world ${world}`;
  const sent = { Method: 'POST', Path: path, Query: '', Headers: headers, Body: body };
  return `export PLAYMONEY_KEY=${known}\n${curlFor(sent, homeOf())}`;
}

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
