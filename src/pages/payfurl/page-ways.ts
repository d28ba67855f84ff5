import { call } from '../calls/call.js';
import { type CardInput, paymentInformation } from '../calls/card-input.js';
import { PlaymoneyError } from '../calls/error.js';
import { CARD_ROWS, cardIn, type FieldRow, type Fields } from '../forms/fields.js';
import { type Gateway, headersFor } from '../calls/gateway.js';
import { authenticate } from './three-d-secure.js';

/** The ways to pay of payfurl.js. */

/** The result of a payment: a token for cards and PayTo, a charge for everything else. */
export interface Paid {
  readonly token?: string;
  readonly transactionId?: string;
}

/** An amount such as 15.5 or '15.50'. */
export type PageAmount = number | string;

export interface Order {
  readonly amount: PageAmount;
  readonly currency: string | null;
  /** The payer's e-mail address for 3-D Secure; null skips 3-D Secure. */
  readonly threeDSEmail: string | null;
}

/** The options of a card form; all others have no effect. */
export interface CardOptions {
  readonly threeDSEmail?: string | null;
}

export function orderOf(amount: PageAmount, currency: string | null, options: CardOptions = {}): Order {
  return { amount, currency, threeDSEmail: options.threeDSEmail || null };
}

export type SentOrder = Order & Gateway;

/** A way to pay: the fields of its form, the label of its button, and the call that it sends. */
export interface Way {
  readonly rows: readonly FieldRow[];
  readonly label: (order: Order) => string;
  readonly pay: (order: SentOrder, fields: Fields) => Promise<Paid>;
}

/** Uses the provider with the lowest costs. 3-D Secure follows if the page gives an e-mail address. */
export const CARD: Way = {
  rows: CARD_ROWS,
  label: ({ amount, currency }) => `Pay ${currency ?? ''} ${amount}`.replace('  ', ' '),
  async pay({ amount, currency, threeDSEmail: email, ...gateway }, fields) {
    const sent = {
      Amount: amount,
      Currency: currency ?? undefined,
      PaymentInformation: paymentInformation(cardIn(fields)),
    };
    const token = await send(gateway, '/token/card/least_cost', sent, 'TokenId');
    if (email !== null) await authenticate(token, { ...gateway, email, amount, currency });
    return { token };
  },
};

const PAYER_ROWS: readonly FieldRow[] = [
  {
    name: 'payerName',
    path: 'PayerName',
    label: 'Name of the account holder',
    attributes: { autocomplete: 'name', maxlength: '256', required: '' },
    fault: (text) => (text.trim() === '' ? 'Enter the name of the account holder.' : null),
  },
  {
    name: 'payId',
    path: 'PayerPayIdDetails.PayId',
    label: 'PayID',
    hint: 'an e-mail address',
    attributes: { type: 'email', autocomplete: 'email', maxlength: '256', required: '' },
    fault: (text) => (/^\S+@\S+$/.test(text.trim()) ? null : 'Enter the e-mail address of the PayID.'),
  },
];

export const PAY_TO: Way = {
  rows: PAYER_ROWS,
  label: () => 'Agree to PayTo',
  async pay({ amount, ...gateway }, fields) {
    const { payTo } = await readWays(gateway);
    const sent = {
      ProviderId: payTo ?? DEFAULT_PROVIDER,
      PayerName: fields.text('payerName'),
      PayerPayIdDetails: { PayId: fields.text('payId'), PayIdType: 'EMAIL' },
      MaximumAmount: amount,
    };
    return { token: await send(gateway, '/_sandbox/page/payto', sent, 'TokenId') };
  },
};

export const PAYPAL: Way = button('PayPal', async (gateway) => (await readWays(gateway)).paypal);
export const GOOGLE_PAY: Way = button('Google Pay');
export const APPLE_PAY: Way = button('Apple Pay');

/** A button that pays with a wallet or checkout. The payer approves at once, unless a test sets another outcome. */
export function button(
  name: string,
  providerOf: (gateway: Gateway) => Promise<string | undefined> = () => Promise.resolve(undefined),
): Way {
  return {
    rows: [],
    label: () => `Pay with ${name}`,
    async pay({ amount, currency, ...gateway }) {
      const sent = {
        ProviderId: (await providerOf(gateway)) ?? DEFAULT_PROVIDER,
        Amount: amount,
        Currency: currency ?? undefined,
      };
      return { transactionId: await send(gateway, '/_sandbox/page/checkout', sent, 'TransactionId') };
    },
  };
}

/** The built-in provider, for ways to pay that the world has no provider for. */
const DEFAULT_PROVIDER = '00000000000000000000000000000001';

export async function readWays({
  address,
  publicKey,
}: Gateway): Promise<{ paypal: string | undefined; payTo: string | undefined }> {
  const found = await call(`${address}/info/providers`, headersFor(publicKey));
  return { paypal: firstOf(found['PaypalProviders']), payTo: firstOf(found['PayToProviders']) };
}

function firstOf(list: unknown): string | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return typeof first === 'string' ? first : undefined;
}

export function tokenise(gateway: Gateway, providerId: string, card: CardInput): Promise<string> {
  const sent = { PaymentInformation: paymentInformation(card) };
  return send(gateway, '/token/card', sent, 'TokenId', { providerid: providerId });
}

async function send(
  { address, publicKey }: Gateway,
  path: string,
  body: object,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await call(address + path, { ...headersFor(publicKey), ...headers }, body);
  const id = answer[name];
  if (typeof id === 'string') return id;
  const detail = `${address}${path} returned no ${name}. Check that the server and this script have the same version.`;
  throw new PlaymoneyError(detail);
}
