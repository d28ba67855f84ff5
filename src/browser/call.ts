import { PlaymoneyError, refusalOf } from './errors.js';
import type { CardInput } from './tokenise.js';

/** Sends a JSON body and gives the answer's members. Rejects with a `PlaymoneyError` for a refusal, and when nobody answers. */
export async function call(
  url: string,
  headers: Readonly<Record<string, string>>,
  sent: object,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await post(url, headers, JSON.stringify(sent));
  const body = (await response.json().catch(() => null)) as Readonly<Record<string, unknown>> | null;
  if (response.ok && typeof body === 'object' && body !== null) return body;
  throw refusalOf(response.status, body, url);
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  } catch {
    // The browser does not tell a page whether nobody answered or its origin was refused.
    throw new PlaymoneyError(
      `No answer came from ${url}. Is the sandbox running there, and does it take pages of ${location.origin}? ` +
        'It takes those of localhost, and others with --allowed-origin.',
    );
  }
}

/** A card as the sandbox takes it. */
export function paymentInformation({ cardNumber, expiryDate, ccv, cardholder }: CardInput): object {
  return {
    CardNumber: cardNumber,
    ExpiryDate: expiryDate,
    Ccv: ccv || undefined,
    Cardholder: cardholder || undefined,
  };
}
