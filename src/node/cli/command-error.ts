export const EXIT_FAILED = 1;
export const EXIT_BAD_OPTION = 2;
/** EX_SOFTWARE of sysexits.h: a bug of ours. */
export const EXIT_BUG = 70;

/** A command cannot do what it was given to do. The message is one line for the user. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: number = EXIT_BAD_OPTION,
  ) {
    super(message);
  }
}
