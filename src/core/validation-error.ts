/** The parts of a refusal behind what is wrong. */
export interface ValidationParts {
  /** What was received, masked. */
  readonly received?: string;
  /** What is accepted. */
  readonly accepted?: string;
  /** Whether a list or an object was received where a single value is accepted, or the other way round. */
  readonly isOtherKind?: boolean;
}

/**
 * Why a value is refused: what is wrong with it, what was received and what is accepted. A reader returns or throws it
 * without the name of the field, which its caller knows.
 */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  readonly received: string | null;
  readonly accepted: string | null;
  readonly isOtherKind: boolean;
  /** Where in a document the value is, from the outermost field on: each place around it adds itself. */
  readonly path: (string | number)[] = [];

  constructor(
    readonly wrong: string,
    { received, accepted, isOtherKind = false }: ValidationParts = {},
  ) {
    super(accepted === undefined ? wrong : `${wrong}; it takes ${accepted}`);
    this.received = received ?? null;
    this.accepted = accepted ?? null;
    this.isOtherKind = isOtherKind;
  }
}
