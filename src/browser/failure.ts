import type { PlaymoneyError } from './call.js';

/** Why there is no payment. Some pages show it as a text, others read `error`. */
export class Failure extends String {
  readonly error: string;
  /** The code of the refusal, as the table of error codes lists it; null: it has none. */
  readonly code: number | null;

  constructor({ message, code }: PlaymoneyError) {
    super(message);
    this.error = message;
    this.code = code;
  }
}
