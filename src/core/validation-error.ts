/** Why a value is refused. The message does not include the name of the field, which the caller knows. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  /** Where in a document the value is, from the outermost field on. Enclosing readers add their names. */
  readonly path: (string | number)[] = [];

  constructor(
    message: string,
    /** The error code, by default that of the field. */
    readonly code?: number,
  ) {
    super(message);
  }
}
