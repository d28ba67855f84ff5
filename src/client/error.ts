/** The fields of a SandboxError. */
export type SandboxErrorFields = Pick<SandboxError, 'status' | 'code' | 'message' | 'details' | 'answer'>;

/**
 * A call to the control API that was refused or got no answer.
 *
 * @example
 * await world.clock.advance({ to: '2000-01-01T00:00:00Z' }).catch((error: SandboxError) => error.code); // 90
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** The error code, such as 90 for a wrong field; null if the answer has none. */
  readonly code: number | null;
  /** The reason for each wrong field, named as on the wire; null if no field is wrong. */
  readonly details: Readonly<Record<string, string>> | null;
  /** The whole answer; null if it is not JSON. Not printed with the error, whose fields it repeats. */
  declare readonly answer: unknown;

  constructor(refused: SandboxErrorFields, options?: { readonly cause?: unknown }) {
    super(refused.message, options);
    this.status = refused.status;
    this.code = refused.code;
    this.details = refused.details;
    Object.defineProperty(this, 'answer', { value: refused.answer });
  }
}
