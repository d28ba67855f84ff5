import { ApiError, CODE } from '../../core/errors.js';
import { formatDuration } from '../../core/time.js';
import type { Awaited } from '../../journal/waiters.js';

/** What was waited for. */
export interface Wait {
  readonly wanted: number;
  readonly timeoutMs: number;
}

/** The refusal of a wait that timed out: how much came, and whether there is anything like it; `hint` ends the message. */
export function awaitTimeout(
  { count, nearest }: Pick<Extract<Awaited, { enough: false }>, 'count' | 'nearest'>,
  what: string,
  { wanted, timeoutMs }: Wait,
  hint = '',
): ApiError {
  const others = nearest.length > 0 ? 'Nearest tells what the closest others lack.' : 'there are no others.';
  const detail = `${count} of ${wanted} ${what} came within ${formatDuration(timeoutMs)}; ${others}${hint}`;
  return new ApiError({ code: CODE.Timeout, detail });
}
