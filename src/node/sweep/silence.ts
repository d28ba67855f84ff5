import type { Trial } from '../../sweep/trial.js';

/** Rejects a call that was reset as the program's client would see it. */
type Silence = (thrown: unknown, hasSignal: boolean) => Promise<never>;

/** The faults whose clients give up. */
const SILENT: readonly string[] = ['late', 'in flight', 'hang'];

/** In process, an answer that does not arrive counts as one that came too late, at once; null where the connection is reset. */
export function chooseSilence(trial: Trial, hang: () => Promise<never>): Silence | null {
  const names = trial.map(({ fault }) => fault.name);
  if (!names.some((name) => SILENT.includes(name))) return null;
  return async (thrown, hasSignal) => {
    if (!isConnectionReset(thrown)) throw thrown;
    if (names.includes('hang') && !hasSignal) return hang();
    throw buildTimeoutError(hasSignal);
  };
}

/** The error of a signal such as `AbortSignal.timeout`, or else that of `fetch` after Node's own time-out. */
function buildTimeoutError(hasSignal: boolean): Error {
  if (hasSignal) return new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  const cause = Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
  return new TypeError('fetch failed', { cause });
}

function isConnectionReset(error: unknown): boolean {
  const cause = error instanceof TypeError ? error.cause : null;
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ECONNRESET';
}
