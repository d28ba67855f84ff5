import { maskReport } from '../../core/secrets.js';

/** The text that a verb prints at its end, and the exit code if it is not 0. */
export interface Result {
  readonly text?: string;
  readonly exitCode?: number;
}

export function print(stream: NodeJS.WriteStream, text: string): void {
  // The program continues when the reader of its output closes the stream.
  if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  stream.write(text);
}

/** Formats rows as aligned columns. A cell longer than `widthMax` only moves the rest of its own row to the right. */
export function columns(rows: readonly (readonly string[])[], widthMax = Infinity): string[] {
  const widths = (rows[0] ?? []).map((_, column) => {
    const lengths = rows.map((row) => row[column]?.length ?? 0);
    return Math.max(...lengths.filter((length) => length <= widthMax));
  });
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Ends the program with a message, which may repeat what a file or a client sent. */
export function fail(exitCode: number, line: string): never {
  print(process.stderr, maskReport(`playmoney: ${line}\n`));
  process.exit(exitCode);
}

/** Prints an internal error and the call that caused it, since the answer to the call does not show it. */
export function reportBug(error: unknown, asked: string): void {
  const line = `playmoney: internal error in ${asked}. This is a bug, please report it: ${stackOf(error)}\n`;
  print(process.stderr, maskReport(line));
}

/** The stack of an error; a program can also throw something else. */
export function stackOf(error: unknown): string {
  return (error instanceof Error ? error.stack : undefined) ?? String(error);
}

export const EXIT_FAILED = 1;
export const EXIT_BAD_OPTION = 2;
/** EX_SOFTWARE of sysexits.h: an internal error. */
export const EXIT_BUG = 70;

/** A command failed for a reason that the user can fix. The message is one line. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: number = EXIT_BAD_OPTION,
  ) {
    super(message);
  }
}

/** Returns the message of a CommandError; any other error is a bug and is thrown again. */
export function messageOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  throw error;
}
