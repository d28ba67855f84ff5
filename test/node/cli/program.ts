import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * How long a program may take to end once nothing is left to do, also on a busy machine. Whatever would keep it takes longer: a silent
 * receiver 10 s, a client that never sends the rest of its request 20 s.
 */
export const END_MS_MAX = 8_000;

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const CLI = `${ROOT}dist/cli.js`;

/** `npm test` builds first; a bare `vitest run` in a fresh checkout finds nothing built. */
export function buildIfMissing(): void {
  if (!existsSync(CLI)) execFileSync(process.execPath, ['build/build.mjs'], { cwd: ROOT });
}

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  /** What has been printed so far. */
  readonly printed: { stdout: string; stderr: string };
  /** Resolves once a text stands on a stream; rejects when the program ends before. */
  until(stream: 'stdout' | 'stderr', text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

/** Starts the program, of this checkout or of another `cli`, with an environment that holds nothing but what is given. */
export function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cli = CLI,
): Program {
  const child = spawn(process.execPath, [cli, ...args], { env: { ...env } });
  const printed = { stdout: '', stderr: '' };
  const looks = new Set<() => void>();
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (bytes: Buffer) => {
      printed[stream] += bytes.toString();
      for (const look of looks) look();
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, ...printed }));
  });
  const until = (stream: 'stdout' | 'stderr', text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (printed[stream].includes(text)) resolve();
      };
      looks.add(look);
      look();
      void ended.then(({ code, stderr }) =>
        reject(new Error(`ended with ${code} before "${text}": ${stderr}`)),
      );
    });
  return { child, printed, until, ended };
}

export interface Started extends Program {
  readonly url: string;
  readonly port: number;
}

/** Starts the server and waits for its ready line. */
export async function startProgram(
  args: readonly string[] = ['--port', '0'],
  env: Readonly<Record<string, string>> = {},
  cli = CLI,
): Promise<Started> {
  const program = runProgram(args, env, cli);
  await program.until('stdout', '\n');
  const [, url = '', port = ''] =
    /^playmoney listening on (https?:\/\/.*:(\d+))\n$/.exec(program.printed.stdout) ?? [];
  return { ...program, url, port: Number(port) };
}
