import type { Budget, BudgetHolder } from '../../core/limits/budget.js';
import { ApiError, CODE } from '../../core/errors.js';

/** The smallest buffer for a body that comes in several pieces. */
const BUFFER_BYTES = 64 * 1024;
/** Shared, because each view costs time. */
const NOTHING = new Uint8Array();
const ignore = (): void => {};

/** Collects a body that comes in pieces. All bodies share a budget; the largest is refused when they exceed it. */
export class HeldBody implements BudgetHolder {
  /** The size of the buffer, which may not be full yet. */
  bytes = 0;
  /** Called when the body is refused, because its sender may never send the rest. */
  onRefused: (refusal: ApiError) => void = ignore;
  #buffer: Uint8Array = NOTHING;
  #length = 0;
  #refusal: ApiError | null = null;

  constructor(
    private readonly budget: Budget,
    /** The stated length, or else the maximum. */
    private readonly lengthMax: number,
  ) {}

  get length(): number {
    return this.#length;
  }

  /** Adds a piece, which must fit. Pieces of a refused body are dropped. */
  add(piece: Uint8Array): void {
    const start = this.#length;
    const end = start + piece.length;
    if (start === 0 && end === this.lengthMax) this.#buffer = piece;
    else {
      if (end > this.#buffer.length) this.#grow(end);
      // Growing may have caused its refusal.
      if (this.#refusal !== null) return;
      this.#buffer.set(piece, start);
    }
    this.#length = end;
  }

  /** The bytes of the complete body, which no longer count. Throws if it was refused. */
  take(): Uint8Array {
    if (this.#refusal !== null) throw this.#refusal;
    const buffer = this.#buffer;
    const bytes = buffer.length === this.#length ? buffer : buffer.subarray(0, this.#length);
    this.drop();
    return bytes;
  }

  drop(): void {
    this.#buffer = NOTHING;
    this.#length = 0;
    this.#claim(0);
  }

  shrink(): void {
    this.#refusal = new ApiError({
      code: CODE.RetryLater,
      detail: `The bodies of requests take up more than ${this.budget.max} bytes, and this is the largest. Send it again later, or start the server with a larger --memory-max.`,
      retryAfterSeconds: 1,
    });
    this.drop();
    this.onRefused(this.#refusal);
  }

  #grow(needed: number): void {
    if (this.#refusal !== null) return;
    const bytes = Math.max(needed, Math.min(this.lengthMax, Math.max(2 * this.#buffer.length, BUFFER_BYTES)));
    const buffer = new Uint8Array(bytes);
    buffer.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = buffer;
    this.#claim(bytes);
  }

  #claim(bytes: number): void {
    const more = bytes - this.bytes;
    this.bytes = bytes;
    if (more !== 0) this.budget.change(this, more);
  }
}
