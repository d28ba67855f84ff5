/** What the control plane answers to a call that it refuses. */
export type RefusedCall = Pick<SandboxError, 'status' | 'code' | 'message' | 'details' | 'answer'>;

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

  constructor(refused: RefusedCall, options?: { readonly cause?: unknown }) {
    super(refused.message, options);
    this.status = refused.status;
    this.code = refused.code;
    this.details = refused.details;
    this.answer = refused.answer;
  }
}
