import { maskPans } from '../../core/card.js';

export const EXIT_FAILED = 1;
export const EXIT_BAD_OPTION = 2;
/** EX_SOFTWARE of sysexits.h: a bug of ours. */
export const EXIT_BUG = 70;

export function print(stream: NodeJS.WriteStream, text: string): void {
  // Whoever reads the output may go away; that is no reason to stop.
  if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  stream.write(text);
}

export function fail(exitCode: number, line: string): never {
  print(process.stderr, `playmoney: ${line}\n`);
  process.exit(exitCode);
}

/** Tells of an error that nobody threw on purpose, and what was asked: its answer says nothing of it. */
export function reportBug(error: unknown, asked: string): void {
  const stack = error instanceof Error ? error.stack : String(error);
  const line = `playmoney: a bug of its own in answering ${asked}, please report it: ${stack}\n`;
  print(process.stderr, maskPans(line));
}
