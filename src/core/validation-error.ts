/** Why a value is refused. What reads the value returns or throws it, without the name of the field, which its caller knows. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  /** Where in a document the value is, from the outermost field on: each place around it adds itself. */
  readonly path: (string | number)[] = [];

  constructor(
    message: string,
    /** The error code; that of the field unless given. */
    readonly code?: number,
  ) {
    super(message);
  }
}
