import { sandboxHome } from '../../../home.js';
import { quoteShellWord } from '../../../shell-quote.js';
import { store } from '../../state/store.js';
import { formatCurl } from '../../text/call-forms.js';

export interface ExampleCall {
  readonly path: string;
  readonly body: object;
}

/** A call that can be pasted into a shell, after the key of the world, which it reads from the environment. */
export function formatExampleCall({ path, body }: ExampleCall): string {
  const { key, world } = store.keyring;
  const headers = { 'content-type': 'application/json' };
  const known = world === null ? quoteShellWord(key) : `… # the key of the world ${world}`;
  const sent = { Method: 'POST', Path: path, Query: '', Headers: headers, Body: body };
  return `export PLAYMONEY_KEY=${known}\n${formatCurl(sent, sandboxHome())}`;
}

const CARD = { CardNumber: '4242424242424242', ExpiryDate: '12/99', Ccv: '123', Cardholder: 'Jo Smith' };

const chargeCall = (more: object = {}): ExampleCall => ({
  path: '/charge/card',
  body: {
    Amount: '15.50',
    ProviderId: '00000000000000000000000000000001',
    Reference: 'order-1',
    PaymentInformation: CARD,
    ...more,
  },
});

export const EXAMPLE_CHARGE = chargeCall();

interface Hint {
  readonly text: string;
  readonly call: ExampleCall;
}

/** For empty views: a call whose charge adds the first record, by view. */
export const HINTS: Readonly<Record<string, Hint>> = {
  charges: { text: 'Send this call to create one:', call: EXAMPLE_CHARGE },
  authentications: {
    text: 'Send this call to charge a card that needs a challenge:',
    call: chargeCall({
      PaymentInformation: { ...CARD, CardNumber: '4000000000001133' },
      ThreeDSNotificationUrl: 'http://127.0.0.1:3000/3ds',
    }),
  },
  webhooks: {
    text: 'They appear when a charge has a Webhook or a webhook subscription matches. Send such a charge:',
    call: chargeCall({ Webhook: { Url: 'http://127.0.0.1:3000/webhooks' } }),
  },
};
