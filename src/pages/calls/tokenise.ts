import { fetchJson, toPlaymoneyError } from './call.js';
import { PlaymoneyError } from './error.js';
import { callHeaders, sandboxAddress, requirePublicKey } from './gateway.js';

/** A card as a customer enters it. */
export interface CardInput {
  readonly cardNumber: string;
  /** MM/YY. */
  readonly expiryDate: string;
  readonly ccv?: string;
  readonly cardholder?: string;
}

export function toPaymentInformation({ cardNumber, expiryDate, ccv, cardholder }: CardInput): object {
  return {
    CardNumber: cardNumber,
    ExpiryDate: expiryDate,
    Ccv: ccv || undefined,
    Cardholder: cardholder || undefined,
  };
}

/** The world, provider and server of a token. */
export interface TokeniseTarget {
  /** `pk_test_X` creates tokens for `sk_test_X`. */
  readonly publicKey: string;
  readonly providerId: string;
  /** The address of the sandbox. Default: the origin of this script; in a module, that of the page. */
  readonly baseUrl?: string;
}

export interface TokeniseOptions extends TokeniseTarget {
  readonly card: CardInput;
  /** Stored with the token. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The sandbox's answer. A back end charges its `TokenId`. */
export type Token = Readonly<Record<string, unknown>> & { readonly TokenId: string };

/** Creates a single-use token for a card. Rejects with a `PlaymoneyError`: card refused, no answer, or option missing. */
export async function tokenise(options: TokeniseOptions): Promise<Token> {
  requireOptions(options);
  const { publicKey, providerId, card, metadata } = options;
  const url = `${sandboxAddress(options.baseUrl)}/token/card`;
  const headers = { ...callHeaders(publicKey), providerid: providerId };
  const made = await fetchJson(url, headers, {
    PaymentInformation: toPaymentInformation(card),
    Metadata: metadata,
  });
  if (typeof made['TokenId'] === 'string') return made as Token;
  throw toPlaymoneyError(200, made, url);
}

function requireOptions({ publicKey, providerId, card }: Partial<TokeniseOptions>): void {
  requirePublicKey(publicKey);
  if (typeof providerId !== 'string' || !/^[\da-f-]{32,36}$/i.test(providerId))
    throw new PlaymoneyError('providerId is missing or malformed. Use 32 hexadecimal digits or a UUID.');
  if (typeof card !== 'object' || card === null)
    throw new PlaymoneyError(
      'card is missing. Use an object with cardNumber and expiryDate; ccv and cardholder are optional.',
    );
}
