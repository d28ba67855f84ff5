import { fetchJson } from '../calls/call.js';
import { type CardInput, toPaymentInformation } from '../calls/tokenise.js';
import { PlaymoneyError } from '../calls/error.js';
import { CARD_ROWS, readCardInput, type FieldRow, type FormFields } from '../forms/fields.js';
import { type Gateway, callHeaders } from '../calls/gateway.js';
import { authenticatePayer } from './three-d-secure.js';

/** The ways to pay of payfurl.js. */

/** The result of a payment: a token for cards and PayTo, a charge for everything else. */
export interface Paid {
  readonly token?: string;
  readonly transactionId?: string;
}

/** An amount such as 15.5 or '15.50'. */
export type PageAmount = number | string;

export interface PageOrder {
  readonly amount: PageAmount;
  readonly currency: string | null;
  /** The payer's e-mail address for 3-D Secure; null skips 3-D Secure. */
  readonly threeDSEmail: string | null;
}

/** The options of a card form; all others have no effect. */
export interface CardOptions {
  readonly threeDSEmail?: string | null;
}

export function toPageOrder(
  amount: PageAmount,
  currency: string | null,
  options: CardOptions = {},
): PageOrder {
  return { amount, currency, threeDSEmail: options.threeDSEmail || null };
}

export type SentOrder = PageOrder & Gateway;

/** A way to pay: the fields of its form, the label of its button, and the call that it sends. */
export interface PaymentWay {
  readonly rows: readonly FieldRow[];
  readonly label: (order: PageOrder) => string;
  readonly pay: (order: SentOrder, fields: FormFields) => Promise<Paid>;
}

/** Uses the provider with the lowest costs. 3-D Secure follows if the page gives an e-mail address. */
export const CARD: PaymentWay = {
  rows: CARD_ROWS,
  label: ({ amount, currency }) => `Pay ${currency ?? ''} ${amount}`.replace('  ', ' '),
  async pay({ amount, currency, threeDSEmail: email, ...gateway }, fields) {
    const sent = {
      Amount: amount,
      Currency: currency ?? undefined,
      PaymentInformation: toPaymentInformation(readCardInput(fields)),
    };
    const token = await postForId(gateway, '/token/card/least_cost', sent, 'TokenId');
    if (email !== null) await authenticatePayer(token, { ...gateway, email, amount, currency });
    return { token };
  },
};

const PAYER_ROWS: readonly FieldRow[] = [
  {
    name: 'payerName',
    path: 'PayerName',
    label: 'Name of the account holder',
    attributes: { autocomplete: 'name', maxlength: '256', required: '' },
    findMistake: (text) => (text.trim() === '' ? 'Enter the name of the account holder.' : null),
  },
  {
    name: 'payId',
    path: 'PayerPayIdDetails.PayId',
    label: 'PayID',
    hint: 'an e-mail address',
    attributes: { type: 'email', autocomplete: 'email', maxlength: '256', required: '' },
    findMistake: (text) => (/^\S+@\S+$/.test(text.trim()) ? null : 'Enter the e-mail address of the PayID.'),
  },
];

export const PAY_TO: PaymentWay = {
  rows: PAYER_ROWS,
  label: () => 'Agree to PayTo',
  async pay({ amount, ...gateway }, fields) {
    const { payTo } = await readPaymentWays(gateway);
    const sent = {
      ProviderId: payTo ?? DEFAULT_PROVIDER,
      PayerName: fields.readTyped('payerName'),
      PayerPayIdDetails: { PayId: fields.readTyped('payId'), PayIdType: 'EMAIL' },
      MaximumAmount: amount,
    };
    return { token: await postForId(gateway, '/_sandbox/page/payto', sent, 'TokenId') };
  },
};

/** A wallet with a button of its own. Its kind is the type of its provider. */
export interface WalletButton {
  readonly kind: 'paypal' | 'googlepay' | 'applepay';
  readonly name: string;
}

export const PAYPAL: WalletButton = { kind: 'paypal', name: 'PayPal' };
export const GOOGLE_PAY: WalletButton = { kind: 'googlepay', name: 'Google Pay' };
export const APPLE_PAY: WalletButton = { kind: 'applepay', name: 'Apple Pay' };
export const WALLETS = [PAYPAL, GOOGLE_PAY, APPLE_PAY];

export const walletWay = ({ kind, name }: WalletButton): PaymentWay =>
  buttonWay(name, async (gateway) => (await readPaymentWays(gateway))[kind]);

/** A button that pays with a wallet or checkout. The payer approves at once, unless a test sets another outcome. */
export function buttonWay(
  name: string,
  providerOf: (gateway: Gateway) => Promise<string | undefined> = () => Promise.resolve(undefined),
): PaymentWay {
  return {
    rows: [],
    label: () => `Pay with ${name}`,
    async pay({ amount, currency, ...gateway }) {
      const sent = {
        ProviderId: (await providerOf(gateway)) ?? DEFAULT_PROVIDER,
        Amount: amount,
        Currency: currency ?? undefined,
      };
      return { transactionId: await postForId(gateway, '/_sandbox/page/checkout', sent, 'TransactionId') };
    },
  };
}

/** The built-in provider, for ways to pay that the world has no provider for. */
const DEFAULT_PROVIDER = '00000000000000000000000000000001';

/** The first provider of each wallet and of PayTo. */
export type ProvidersByKind = Readonly<Record<WalletButton['kind'] | 'payTo', string | undefined>>;

export async function readPaymentWays({ address, publicKey }: Gateway): Promise<ProvidersByKind> {
  const found = await fetchJson(`${address}/info/providers`, callHeaders(publicKey));
  return {
    paypal: firstId(found['PaypalProviders']),
    payTo: firstId(found['PayToProviders']),
    googlepay: firstId(found['GooglePayProviders']),
    applepay: firstId(found['ApplePayProviders']),
  };
}

/** The ProviderId of the first item, which is that identifier or has it. */
function firstId(list: unknown): string | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  const isObject = typeof first === 'object' && first !== null;
  const id: unknown = isObject && 'ProviderId' in first ? first.ProviderId : first;
  return typeof id === 'string' ? id : undefined;
}

export function requestToken(gateway: Gateway, providerId: string, card: CardInput): Promise<string> {
  const sent = { PaymentInformation: toPaymentInformation(card) };
  return postForId(gateway, '/token/card', sent, 'TokenId', { providerid: providerId });
}

async function postForId(
  { address, publicKey }: Gateway,
  path: string,
  body: object,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await fetchJson(address + path, { ...callHeaders(publicKey), ...headers }, body);
  const id = answer[name];
  if (typeof id === 'string') return id;
  const detail = `${address}${path} returned no ${name}. Check that the server and this script have the same version.`;
  throw new PlaymoneyError(detail);
}
