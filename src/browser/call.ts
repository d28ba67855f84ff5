import type { CardInput } from './tokenise.js';

/** Why there is no token. The message is for the console; `details` says which field was wrong. */
export class PlaymoneyError extends Error {
  override readonly name = 'PlaymoneyError';

  constructor(
    message: string,
    /** The HTTP status of the refusal; null: no request was answered. */
    readonly status: number | null = null,
    /** The code of the refusal, as the table of error codes lists it; null: it has none. */
    readonly code: number | null = null,
    /** Reasons by the names of fields, such as `PaymentInformation.ExpiryDate`; of a decline, what is known of the payer. */
    readonly details: Readonly<Record<string, string | null>> = {},
    /** Whether the same request may succeed later. */
    readonly isRetryable: boolean = false,
  ) {
    super(message);
  }
}

/** The refusal that an answer describes. An answer that is not the sandbox's has no fields of ours. */
export function refusalOf(status: number, body: unknown, url: string): PlaymoneyError {
  const { Message, Code, Details, IsRetryable } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof Message !== 'string') {
    return new PlaymoneyError(
      `${url} answered ${status}, and not as the sandbox does. Check baseUrl.`,
      status,
    );
  }
  const details = (Details ?? {}) as Readonly<Record<string, string | null>>;
  const code = typeof Code === 'number' ? Code : null;
  return new PlaymoneyError(Message, status, code, details, IsRetryable === true);
}

/** Sends a JSON body, or reads where there is none, and returns the fields of the answer. Rejects with a `PlaymoneyError` for a refusal, and when nobody answers. */
export async function call(
  url: string,
  headers: Readonly<Record<string, string>>,
  sent?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await ask(url, headers, sent);
  const body = (await response.json().catch(() => null)) as Readonly<Record<string, unknown>> | null;
  if (response.ok && typeof body === 'object' && body !== null) return body;
  throw refusalOf(response.status, body, url);
}

async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  sent: object | undefined,
): Promise<Response> {
  try {
    return await fetch(url, {
      credentials: 'omit',
      ...(sent === undefined
        ? { headers }
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(sent),
          }),
    });
  } catch {
    // A page cannot find out whether nobody answered or its origin was refused.
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
