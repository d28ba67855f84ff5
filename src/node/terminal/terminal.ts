import { maskReport } from '../../core/text/secrets.js';
import { escapeCharacter, escapeUnseen, UNSEEN } from '../../core/text/text.js';

declare const PRINTABLE: unique symbol;
/**
 * Text that can be printed. Only the functions of this file create it. They replace control characters in names, messages and
 * values from elsewhere, which could otherwise start a line of their own or control the terminal.
 */
export type Printable = string & { readonly [PRINTABLE]: true };

/** Longer lines are cut. The program's own lines are shorter. */
export const LINE_LENGTH_MAX = 8000;
/** Moves the cursor to the start of the line and clears the line. */
const CLEAR_LINE = '\r\u001B[K';

export function formatLines(texts: readonly string[]): Printable {
  const lines = texts.map(
    (text) => `${escapeUnseen(text.slice(0, LINE_LENGTH_MAX))}${text.length > LINE_LENGTH_MAX ? '…' : ''}\n`,
  );
  return lines.join('') as Printable;
}

/** Formats a document that contains line ends, such as YAML; its lines may have any length. */
export function formatDocument(text: string): Printable {
  return text.split('\n').map(escapeUnseen).join('\n') as Printable;
}

/** Formats a value as JSON, with control characters escaped. */
export function formatJson(value: unknown, indent = 0): Printable {
  return `${escapeControls(JSON.stringify(value, null, indent))}\n` as Printable;
}

/** Escapes the control characters of a document, all of which are within double quotes: JSON, or YAML in that style. */
export function escapeControls(document: string): string {
  return document.replaceAll(UNSEEN, (found) => (found === '\n' ? found : escapeCharacter(found)));
}

/** Replaces the last line of a terminal with a text; clears it if the text is empty. */
export function formatRedrawn(text: string): Printable {
  return `${CLEAR_LINE}${escapeUnseen(text)}` as Printable;
}

/** The text that a verb prints at its end, and the exit code if it is not 0. */
export interface VerbResult {
  readonly text?: Printable;
  readonly exitCode?: number;
}

/** Where a verb prints while it runs. */
export interface Output {
  readonly out: (text: Printable) => void;
  readonly err: (text: Printable) => void;
}

/** The only function that prints. */
export function print(stream: NodeJS.WriteStream, text: Printable): void {
  // If the reader of the output closes the stream, the program continues.
  if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  stream.write(text);
}

/** Formats rows as aligned columns. A cell longer than `widthMax` only moves the rest of its own row to the right. */
export function formatColumns(rows: readonly (readonly string[])[], widthMax = Infinity): string[] {
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
export function exitWithMessage(exitCode: number, line: string): never {
  print(process.stderr, formatLines([maskReport(`playmoney: ${line}`)]));
  process.exit(exitCode);
}

/** Prints an internal error and the call that caused it, since the answer to the call does not show it. */
export function reportBug(error: unknown, call: string): void {
  printBug(`internal error in ${call}`, error);
}

export function printBug(problem: string, error: unknown): void {
  const stack = (error instanceof Error ? error.stack : undefined) ?? String(error);
  const [first = '', ...more] = maskReport(stack).split('\n');
  const head = `playmoney: ${problem}. This is a bug, please report it: ${first}`;
  print(process.stderr, formatLines([head, ...more.map((line) => `    ${line.trimStart()}`)]));
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
export function requireCommandMessage(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  throw error;
}
