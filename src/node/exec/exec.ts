import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { count, linesOf, plainLine } from '../../core/text.js';
import { followParent, runChild } from './child.js';
import { CommandError, EXIT_FAILED, print } from '../cli/terminal.js';
import { presenterFor, writeJournal } from './journal-file.js';
import type { ExecOptions } from '../cli/option-table.js';
import type { Listening } from '../http/serve.js';
import type { Server, startServer } from '../cli/start.js';
import { addressOf } from '../cli/start-note.js';
import { Tally } from './tally.js';
import { FileError, namedBy, requireWritable } from '../state/whole-file.js';

/** Always the same, so that a run gives the same identifiers as the one before. */
const EXEC_KEY = 'sk_test_exec';
/** What the summary lists of a kind. */
const LISTED_MAX = 20;

/**
 * Starts a server, runs a command that finds it in its environment, and ends with the command's exit code. Nothing of
 * either is left behind.
 */
export async function runExec(
  command: readonly string[],
  options: ExecOptions,
  start: typeof startServer,
): Promise<never> {
  const { journal } = options;
  if (journal !== null) await namedBy('--journal', requireWritable(journal));
  const present = journal === null ? null : presenterFor(journal);
  let tally: Tally | undefined;
  const server = await start(options, {
    serving: (sandbox) => {
      tally = new Tally(sandbox.worlds, present);
      return tally.watching(sandbox);
    },
  });
  const exitCode = await runCommand(command, options, server);
  if (tally === undefined) throw new Error('Failed to count what happened: nothing was served.');
  tally.finish(server.scenario);
  let isWell = await server.close();
  if (journal !== null) isWell = (await wroteJournal(journal, tally)) && isWell;
  const warnings = warningsOf(tally);
  if (!options.quiet || options.failOnWarnings) print(process.stderr, summary(tally, warnings));
  if (exitCode !== 0) return process.exit(exitCode);
  if (options.failOnWarnings && warnings.length > 0) {
    const heads = warnings.map(({ head }) => head).join('; ');
    throw new CommandError(`--fail-on-warnings: ${heads}`, EXIT_FAILED);
  }
  return process.exit(isWell ? 0 : EXIT_FAILED);
}

async function runCommand(
  command: readonly string[],
  options: ExecOptions,
  { listening }: Pick<Server, 'listening'>,
): Promise<number> {
  const trust = await trustOf(listening);
  try {
    const child = await runChild(command, {
      ...process.env,
      ...environmentOf(options, listening),
      ...trust.env,
    });
    if (process.env['npm_lifecycle_event'] !== undefined) followParent(() => child.pass('SIGTERM'));
    const exitCode = await child.ended;
    await child.clear();
    return exitCode;
  } finally {
    await trust.remove();
  }
}

/** What tells the command where the server is. */
function environmentOf(options: ExecOptions, { port }: Listening): Record<string, string> {
  const { keys, adminToken } = options;
  return {
    PLAYMONEY_URL: `${addressOf(options)}:${port}`,
    PLAYMONEY_KEY: keys.find((key) => key !== 'any') ?? EXEC_KEY,
    ...(adminToken === null ? {} : { PLAYMONEY_ADMIN_TOKEN: adminToken }),
  };
}

interface Trust {
  readonly env: Record<string, string>;
  readonly remove: () => Promise<void>;
}

/** Lets programs on Node trust the server, and whom they trusted already. */
async function trustOf({ authority }: Listening): Promise<Trust> {
  const stay = async (): Promise<void> => {};
  if (authority === null) return { env: {}, remove: stay };
  const others = await readFile(process.env['NODE_EXTRA_CA_CERTS'] ?? '', 'utf8').catch(() => '');
  if (others === '') return { env: { NODE_EXTRA_CA_CERTS: authority.file }, remove: stay };
  // Node takes one file.
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-'));
  const file = join(folder, 'ca.pem');
  await writeFile(file, `${others.trimEnd()}\n${authority.certificate}`);
  return {
    env: { NODE_EXTRA_CA_CERTS: file },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function wroteJournal(file: string, tally: Tally): Promise<boolean> {
  try {
    await writeJournal(file, tally);
    return true;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    print(process.stderr, `playmoney: --journal: ${error.message}\n`);
    return false;
  }
}

interface Warning {
  readonly head: string;
  readonly items: readonly string[];
}

function warningsOf(tally: Tally): Warning[] {
  const unmatched = tally.unmatched();
  const undelivered = tally.undelivered();
  const answers = [...tally.unknown.values()].reduce((sum, times) => sum + times, 0);
  const told = [...tally.unknown].map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`));
  return [
    { head: `${count(unmatched.length, 'rule')} never matched`, items: unmatched },
    { head: `${count(answers, 'answer')} with unknown members or filters`, items: told },
    { head: `${count(undelivered.length, 'webhook')} not delivered`, items: undelivered },
  ].filter(({ items }) => items.length > 0);
}

/** What happened, in few lines. */
function summary({ requests }: Tally, warnings: readonly Warning[]): string {
  const lines = warnings.flatMap(({ head, items }) => [
    `  ${head}:`,
    ...items.slice(0, LISTED_MAX).map((item) => `    ${plainLine(item)}`),
    ...(items.length > LISTED_MAX ? [`    and ${items.length - LISTED_MAX} more`] : []),
  ]);
  const end = warnings.length === 0 ? ', nothing to warn of.' : '';
  return linesOf([`playmoney: ${count(requests, 'request')}${end}`, ...lines]);
}
