/** What the control plane answers to a call that it refuses. */
export interface RefusedCall {
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** The service's code, such as 90 for a field that is wrong; null where the answer names none. */
  readonly code: number | null;
  readonly message: string;
  /** Reasons by the names of the wrong fields; null where no field is wrong. */
  readonly details: Readonly<Record<string, string>> | null;
  /** The whole answer as it came; null where it was no JSON. */
  readonly answer: unknown;
}

/**
 * A call that the sandbox refused: of its control plane, or because nothing answers.
 *
 * @example
 * await world.clock.advance({ to: '2000-01-01T00:00:00Z' }).catch((error: SandboxError) => error.code); // 90
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** The service's code, such as 90 for a field that is wrong; null where the answer names none. */
  readonly code: number | null;
  /** Reasons by the names of the wrong fields on the wire; null where no field is wrong. */
  readonly details: Readonly<Record<string, string>> | null;
  /** The whole answer as it came; null where it was no JSON. */
  readonly answer: unknown;

  constructor(
    { status, code, message, details, answer }: RefusedCall,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.details = details;
    this.answer = answer;
  }
}
