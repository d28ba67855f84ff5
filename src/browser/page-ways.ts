import { call, paymentInformation, PlaymoneyError } from './call.js';
import { CARD_ROWS, cardIn, type FieldRow, type Fields } from './fields.js';
import { HOME, speakingFor } from './home.js';
import { authenticate } from './three-d-secure.js';
import type { CardInput } from './tokenise.js';

/** The ways to pay that the page's own script offers. */

/** What a page receives: cards and PayTo give a token, everything else the charge that was made. */
export interface Paid {
  readonly token?: string;
  readonly transactionId?: string;
}

/** An amount as pages write it: 15.5, '15.50'. */
export type PageAmount = number | string;

/** What is paid, as the page says it. */
export interface Order {
  readonly amount: PageAmount;
  /** Null where the page names none. */
  readonly currency: string | null;
  /** The payer's e-mail address for 3-D Secure; null: the payer is not authenticated. */
  readonly threeDSEmail: string | null;
}

/** The options of a card form; all others have no effect. */
export interface CardOptions {
  readonly threeDSEmail?: string | null;
}

export function orderOf(amount: PageAmount, currency: string | null, options: CardOptions = {}): Order {
  return { amount, currency, threeDSEmail: options.threeDSEmail || null };
}

/** An order at the moment when its form is sent. */
export type SentOrder = Order & { readonly publicKey: string };

/** A way to pay: what its form asks for, what its button says, and what is sent. */
export interface Way {
  readonly rows: readonly FieldRow[];
  readonly label: (order: Order) => string;
  readonly pay: (order: SentOrder, fields: Fields) => Promise<Paid>;
}

/** Takes the provider whose costs are lowest; 3-D Secure follows where the page gives an e-mail address. */
export const CARD: Way = {
  rows: CARD_ROWS,
  label: ({ amount, currency }) => `Pay ${currency ?? ''} ${amount}`.replace('  ', ' '),
  async pay({ publicKey, amount, currency, threeDSEmail: email }, fields) {
    const sent = {
      Amount: amount,
      Currency: currency ?? undefined,
      PaymentInformation: paymentInformation(cardIn(fields)),
    };
    const token = await send(publicKey, '/token/card/least_cost', sent, 'TokenId');
    if (email !== null) await authenticate(token, { publicKey, email, amount, currency });
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

/** The agreement allows the amount of the page. */
export const PAY_TO: Way = {
  rows: PAYER_ROWS,
  label: () => 'Agree to PayTo',
  async pay({ publicKey, amount }, fields) {
    const { payTo } = await readWays(publicKey);
    const sent = {
      ProviderId: payTo ?? DEFAULT_PROVIDER,
      PayerName: fields.text('payerName'),
      PayerPayIdDetails: { PayId: fields.text('payId'), PayIdType: 'EMAIL' },
      MaximumAmount: amount,
    };
    return { token: await send(publicKey, '/_sandbox/page/payto', sent, 'TokenId') };
  },
};

export const PAYPAL: Way = button('PayPal', async (publicKey) => (await readWays(publicKey)).paypal);
export const GOOGLE_PAY: Way = button('Google Pay');
export const APPLE_PAY: Way = button('Apple Pay');

/** A button that pays somewhere else: the payer agrees at once, unless the sandbox was asked for another outcome. */
export function button(
  name: string,
  providerOf: (publicKey: string) => Promise<string | undefined> = () => Promise.resolve(undefined),
): Way {
  return {
    rows: [],
    label: () => `Pay with ${name}`,
    async pay({ publicKey, amount, currency }) {
      const sent = {
        ProviderId: (await providerOf(publicKey)) ?? DEFAULT_PROVIDER,
        Amount: amount,
        Currency: currency ?? undefined,
      };
      return { transactionId: await send(publicKey, '/_sandbox/page/checkout', sent, 'TransactionId') };
    },
  };
}

/** The built-in provider that answers where the world has none of its own for a way to pay. */
const DEFAULT_PROVIDER = '00000000000000000000000000000001';

/** The providers of a world that take no cards, as far as it has any. */
export async function readWays(publicKey: string): Promise<{ paypal?: string; payTo?: string }> {
  const found = await call(`${HOME}/info/providers`, speakingFor(publicKey));
  const [paypal, payTo] = [firstOf(found['PaypalProviders']), firstOf(found['PayToProviders'])];
  return { ...(paypal === undefined ? {} : { paypal }), ...(payTo === undefined ? {} : { payTo }) };
}

function firstOf(list: unknown): string | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return typeof first === 'string' ? first : undefined;
}

/** Makes a token of a card at the provider that the page names. */
export function tokenise(publicKey: string, providerId: string, card: CardInput): Promise<string> {
  const sent = { PaymentInformation: paymentInformation(card) };
  return send(publicKey, '/token/card', sent, 'TokenId', { providerid: providerId });
}

/** Sends a call of the page, and returns the identifier that the answer holds under a name. */
async function send(
  publicKey: string,
  path: string,
  body: object,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await call(HOME + path, { ...speakingFor(publicKey), ...headers }, body);
  const id = answer[name];
  if (typeof id === 'string') return id;
  throw new PlaymoneyError(`${HOME}${path} answered without ${name}. Is it a sandbox of this version?`);
}
