import type { MaskedBody } from './body.js';
import type { CallRange } from './branch.js';
import { type Entry, entryOf, type Recorded } from './entry.js';
import { readPair, type TextPair } from './texts.js';

/** A recorded exchange in the ring. Its two texts are stored separately. */
export interface Stored extends Omit<Recorded, 'request' | 'response'>, TextPair {
  /** The request, if only its beginning is stored. */
  readonly beginning: MaskedBody | null;
}

/** What a journal must continue with after its world was not in memory. */
export interface JournalNumbers {
  /** How many calls it holds. */
  readonly size: number;
  /** The number of the next call. */
  readonly next: number;
  /** How many calls it held earlier, and the instant of the latest of them; null if none counts. */
  readonly evicted: number;
  readonly evictedThrough: number | null;
  /** Which calls restores have undone. */
  readonly undone: readonly CallRange[];
}

export function read(stored: Stored, isUndone = false): Entry {
  return entryOf(recordedOf(stored), isUndone);
}

export function isLive({ isRecorded }: Pick<Recorded, 'isRecorded'>): boolean {
  return !isRecorded;
}

/** Copies what is stored, because the ring reuses its objects. */
export function recordedOf({ page, from, between, to, beginning, ...stored }: Stored): Recorded {
  const [text, response] = readPair({ page, from, between, to });
  return { ...stored, request: beginning ?? text, response };
}

export function lengthOf(text: string | null | undefined): number {
  return text?.length ?? 0;
}
