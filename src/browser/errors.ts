/** Why there is no token. The message is meant for whoever reads the console; `details` says which member was wrong. */
export class PlaymoneyError extends Error {
  override readonly name = 'PlaymoneyError';

  constructor(
    message: string,
    /** The HTTP status of the refusal; null: no request was answered. */
    readonly status: number | null = null,
    /** The code of the refusal, as the table of error codes lists it; null: it has none. */
    readonly code: number | null = null,
    /** Reasons by the names of members, such as `PaymentInformation.ExpiryDate`. */
    readonly details: Readonly<Record<string, string>> = {},
    /** Whether the same request may succeed later. */
    readonly isRetryable: boolean = false,
  ) {
    super(message);
  }
}

/** The refusal that an answer tells of; an answer of something else than the sandbox has no members of ours. */
export function refusalOf(status: number, body: unknown, url: string): PlaymoneyError {
  const { Message, Code, Details, IsRetryable } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof Message !== 'string') {
    return new PlaymoneyError(
      `${url} answered ${status}, and not as the sandbox does. Check baseUrl.`,
      status,
    );
  }
  const details = (Details ?? {}) as Readonly<Record<string, string>>;
  const code = typeof Code === 'number' ? Code : null;
  return new PlaymoneyError(Message, status, code, details, IsRetryable === true);
}
