import { OptionError } from '../options/option.js';
import type { VerifyOptions } from '../options/verify-options.js';

/** The files of shapes and the command, each empty if not given. */
export interface VerifyWords {
  readonly files: readonly string[];
  readonly command: readonly string[];
}

const EXAMPLE = 'such as: playmoney verify --upstream URL -- npm test';

/** Refuses words and options that have no effect together. */
export function requireForm({ files, command }: VerifyWords, options: VerifyOptions): void {
  const { merge, strict, ca } = options;
  const [hasOut, hasUpstream] = [options.out !== null, options.upstream !== null];
  const [hasCommand, hasFile] = [command.length > 0, files.length > 0];
  const refusals: readonly (readonly [isRefused: boolean, reason: string])[] = [
    [
      merge && (!hasOut || hasUpstream || strict),
      '--merge needs --out FILE, and takes no --upstream and no --strict',
    ],
    [merge && files.length < 2, '--merge needs two or more files of shapes'],
    [merge && hasCommand, '--merge runs no command'],
    [
      hasCommand && !hasFile && !hasUpstream,
      'verify needs --upstream URL, a file of shapes, or both; without them there is nothing to compare with',
    ],
    [ca !== null && !hasUpstream, '--ca needs --upstream URL'],
    [hasUpstream && !hasCommand, `--upstream needs a command, ${EXAMPLE}`],
    [hasOut && !merge && !hasCommand, `--out needs --merge or a command, ${EXAMPLE}`],
    [!hasFile && !hasCommand, `verify needs a file of shapes, or a command, ${EXAMPLE}`],
  ];
  const [, reason] = refusals.find(([isRefused]) => isRefused) ?? [];
  if (reason !== undefined) throw new OptionError(reason);
}
