import { call, paymentInformation, PlaymoneyError, refusalOf } from './call.js';
import { HOME, requirePublicKey, speakingFor } from './home.js';

/** A card as a customer types it. */
export interface CardInput {
  readonly cardNumber: string;
  /** MM/YY. */
  readonly expiryDate: string;
  readonly ccv?: string;
  readonly cardholder?: string;
}

/** Whose token is made, and where. */
export interface TokeniseTarget {
  /** `pk_test_X` makes tokens for `sk_test_X`. */
  readonly publicKey: string;
  readonly providerId: string;
  /** Where the sandbox is; otherwise where this script came from. */
  readonly baseUrl?: string;
}

export interface TokeniseOptions extends TokeniseTarget {
  readonly card: CardInput;
  /** Kept with the token. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The answer of the sandbox; the back end charges its `TokenId`. */
export type Token = Readonly<Record<string, unknown>> & { readonly TokenId: string };

/**
 * Sends a card to the sandbox for a single-use token. Rejects with a `PlaymoneyError`, also when the sandbox cannot be
 * reached or an option is missing.
 */
export async function tokenise(options: TokeniseOptions): Promise<Token> {
  requireOptions(options);
  const { publicKey, providerId, card, metadata } = options;
  const url = addressOf(options.baseUrl);
  const headers = { ...speakingFor(publicKey), providerid: providerId };
  const made = await call(url, headers, { PaymentInformation: paymentInformation(card), Metadata: metadata });
  if (typeof made['TokenId'] === 'string') return made as Token;
  throw refusalOf(200, made, url);
}

function requireOptions({ publicKey, providerId, card }: Partial<TokeniseOptions>): void {
  requirePublicKey(publicKey);
  if (typeof providerId !== 'string' || !/^[\da-f-]{32,36}$/i.test(providerId))
    throw new PlaymoneyError(
      'providerId is missing or malformed: 32 hexadecimal digits or a UUID are taken.',
    );
  if (typeof card !== 'object' || card === null)
    throw new PlaymoneyError('card is missing. It holds cardNumber, expiryDate, ccv and cardholder.');
}

function addressOf(baseUrl: string | undefined): string {
  try {
    return new URL('/token/card', baseUrl ?? HOME).href;
  } catch {
    throw new PlaymoneyError(
      `baseUrl is no address: ${String(baseUrl)}. Use one such as http://127.0.0.1:4010.`,
    );
  }
}
