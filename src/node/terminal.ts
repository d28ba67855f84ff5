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
