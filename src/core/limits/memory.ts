import { Budget } from './budget.js';
import { CODE, refuse } from '../errors.js';
import type { Host } from '../host.js';

export const MEBIBYTE = 1024 * 1024;
/** All journals together, and all arriving bodies, may take up so much, or a share of the memory if that is less. */
const JOURNALS_BYTES_MAX = 256 * MEBIBYTE;
const BODIES_BYTES_MAX = 256 * MEBIBYTE;
const SHARE = 1 / 4;
/** An estimate of what a call without a body adds. */
export const CALL_BYTES = 1024;
/** Memory is measured each time that calls may have added this much. */
const MEASURED_EVERY = MEBIBYTE;
/** The amount of garbage that is worth another collection, as a share of the maximum. */
const GARBAGE_SHARE = 1 / 8;
/** The shortest pause after a collection, in multiples of its duration, unless much was added since; it is shorter after something was freed. */
const PAUSE = 30;
const PAUSE_AFTER_FREEING = 3;

/** The memory that all worlds, journals and bodies of a sandbox use together, and its limit. */
export class Memory {
  readonly journals: Budget;
  /** For bodies that have not arrived completely. */
  readonly bodies: Budget;
  /** An estimate of the bytes that calls added since the last measurement. */
  #added = 0;
  #isFull = false;
  #wasFreed = false;
  /** The last collection of garbage: how many bytes remained, when it ended and how long it took. */
  #collected = { bytes: 0, at: -Infinity, ms: 0 };
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly host: Host,
    /** Infinity for no limit. A host that cannot measure memory has none. */
    private readonly max: number,
    /** The largest body, for which there is always room while it is the only one. */
    bodyMax: number,
  ) {
    this.journals = new Budget(Math.min(JOURNALS_BYTES_MAX, max * SHARE));
    this.bodies = new Budget(Math.max(bodyMax, Math.min(BODIES_BYTES_MAX, max * SHARE)));
  }

  /** Refuses a call that may add so many bytes, if there is no room for them. */
  requireRoom(bytes = CALL_BYTES): void {
    this.#added += bytes;
    if (!this.#isFull && this.#added < MEASURED_EVERY) return;
    this.#added = 0;
    if (this.host.memoryUsed === undefined) return;
    const used = this.#measure(bytes);
    this.#isFull = used + CALL_BYTES > this.max;
    if (used + bytes > this.max) this.#refuse(bytes);
  }

  /** Must be called after much may have been freed, so that full memory is measured again soon. */
  freed(): void {
    this.#wasFreed = true;
  }

  /** Runs work that takes much memory for a while: one piece at a time, with other calls in between. */
  runAlone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {}).then(() => this.host.pause());
    return result;
  }

  /** The bytes in use. Garbage is collected only if that may make room for the wanted bytes. */
  #measure(wanted: number): number {
    const { host, max } = this;
    const used = host.memoryUsed?.(false) ?? 0;
    if (used + wanted <= max) return used;
    const { bytes, at, ms } = this.#collected;
    const pause = this.#wasFreed ? PAUSE_AFTER_FREEING : PAUSE;
    const isKnown = used <= bytes + max * GARBAGE_SHARE && host.now() < at + ms * pause;
    return isKnown ? bytes : this.#collect();
  }

  #collect(): number {
    const { host } = this;
    const begun = host.now();
    const bytes = host.memoryUsed?.(true) ?? 0;
    const at = host.now();
    this.#collected = { bytes, at, ms: at - begun };
    this.#wasFreed = false;
    return bytes;
  }

  #refuse(bytes: number): never {
    const max = formatMebibytes(this.max);
    const why = this.#isFull
      ? `The worlds of this sandbox take up all of its memory, ${max} MiB.`
      : `This call may need ${formatMebibytes(bytes)} MiB of memory, and less than that is free of the ${max} MiB of this sandbox.`;
    const detail = `${why} Reset worlds that are no longer needed, delete their scenarios and snapshots, or start it with a larger --memory-max.`;
    refuse(CODE.RetryLater, detail, { retryAfterSeconds: 1 });
  }
}

function formatMebibytes(bytes: number): string {
  return String(Math.ceil(bytes / MEBIBYTE));
}
