import { OptionError } from '../options/option.js';
import type { VerifyOptions } from '../options/verify-options.js';

/** The files of shapes and the command, each empty if not given. */
export interface VerifyWords {
  readonly files: readonly string[];
  readonly command: readonly string[];
}

/** Which parts of the command line were given. */
type Given = Readonly<
  Record<'merge' | 'command' | 'file' | 'files' | 'upstream' | 'out' | 'strict' | 'ca', boolean>
>;

const EXAMPLE = 'such as: playmoney verify --upstream URL -- npm test';

/** What is no form of `verify`, and why. The first that fits is refused. */
const REFUSALS: readonly (readonly [isRefused: (given: Given) => boolean, reason: string])[] = [
  [
    (is) => is.merge && (!is.out || is.upstream || is.strict),
    '--merge needs --out FILE, and takes no --upstream and no --strict',
  ],
  [(is) => is.merge && !is.files, '--merge needs two or more files of shapes'],
  [(is) => is.merge && is.command, '--merge runs no command'],
  [
    (is) => is.command && !is.file && !is.upstream,
    'verify needs --upstream URL, a file of shapes, or both; without them there is nothing to compare with',
  ],
  [(is) => is.ca && !is.upstream, '--ca needs --upstream URL'],
  [(is) => is.upstream && !is.command, `--upstream needs a command, ${EXAMPLE}`],
  [(is) => is.out && !is.merge && !is.command, `--out needs --merge or a command, ${EXAMPLE}`],
  [(is) => !is.file && !is.command, `verify needs a file of shapes, or a command, ${EXAMPLE}`],
];

export function requireForm({ files, command }: VerifyWords, options: VerifyOptions): void {
  const { merge, strict, upstream, out, ca } = options;
  const given: Given = {
    merge,
    strict,
    command: command.length > 0,
    file: files.length > 0,
    files: files.length > 1,
    upstream: upstream !== null,
    out: out !== null,
    ca: ca !== null,
  };
  const found = REFUSALS.find(([isRefused]) => isRefused(given));
  if (found !== undefined) throw new OptionError(found[1]);
}
