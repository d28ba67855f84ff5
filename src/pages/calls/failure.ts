import type { PlaymoneyError } from './error.js';

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
