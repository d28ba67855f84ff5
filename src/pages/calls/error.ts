/** Why a call failed. `details` names the fields that are wrong. */
export class PlaymoneyError extends Error {
  override readonly name = 'PlaymoneyError';

  constructor(
    message: string,
    /** The HTTP status; null if there was no answer. */
    readonly status: number | null = null,
    /** The error code; null if there is none. */
    readonly code: number | null = null,
    /** The reason for each wrong field, such as `PaymentInformation.ExpiryDate`. For a decline: what is known about the payer. */
    readonly details: Readonly<Record<string, string | null>> = {},
    /** Whether the same request may succeed later. */
    readonly isRetryable: boolean = false,
  ) {
    super(message);
  }
}

/** Why a payment failed. Some pages show it as text, others read `error`. */
export class Failure extends String {
  readonly error: string;
  /** The error code; null if there is none. */
  readonly code: number | null;

  constructor({ message, code }: PlaymoneyError) {
    super(message);
    this.error = message;
    this.code = code;
  }
}
