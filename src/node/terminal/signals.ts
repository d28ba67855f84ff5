import { EXIT_FAILED, formatLines, print } from './terminal.js';

/** The signals with which terminals and process managers end a program. The last one exists only on Windows. */
export const ENDING_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGBREAK'] as const;
/** Terminals, shells and npm repeat signals, so only a signal that comes this much later ends the program at once. */
const INSIST_MS = 2000;
const WARNING = 'playmoney: stopping. To stop it at once, send the signal again after two seconds.';

/** Calls `stop` at the first signal that ends the program. Further ones do not interrupt it, unless it takes long. */
export function onEndingSignal(stop: () => void): void {
  let first: number | null = null;
  let isWarned = false;
  const receive = (): void => {
    if (first === null) {
      first = performance.now();
      return stop();
    }
    if (performance.now() - first >= INSIST_MS) process.exit(EXIT_FAILED);
    if (!isWarned) print(process.stderr, formatLines([WARNING]));
    isWarned = true;
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, receive);
}
