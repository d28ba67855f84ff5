import { maskPasswords } from '../core/secrets.js';
import { BODY_MAX, cutBody } from './cut.js';
import { maskBody } from './mask.js';

/** A body as the journal keeps it: masked, and cut where it is long. */
export interface KeptBody {
  /** Its JSON; null where there was none. */
  readonly text: string | null;
  readonly truncated: boolean;
  /** What a replay sends for the masked fields of a request, in their order; never a caller's own card. */
  readonly stand: readonly string[];
}

export const NO_BODY: KeptBody = { text: null, truncated: false, stand: [] };

/** Keeps a body; `text` is its JSON as it was sent, where that is at hand. */
export function keepBody(body: unknown, text: string | null, standIns: string[] | null = null): KeptBody {
  const masked = maskBody(body, standIns);
  if (masked === null) return NO_BODY;
  const stand = standIns ?? NO_BODY.stand;
  // A text of megabytes is not written once more to be measured.
  if (text !== null && text.length > BODY_MAX) return keepBeginning(masked, stand);
  const whole = masked === body && text !== null ? text : JSON.stringify(masked);
  if (text === null && whole.length > BODY_MAX) return keepBeginning(masked, stand);
  return { text: maskPasswords(whole), truncated: false, stand };
}

function keepBeginning(masked: unknown, stand: readonly string[]): KeptBody {
  const { value, truncated } = cutBody(masked);
  return { text: maskPasswords(JSON.stringify(value)), truncated, stand };
}
