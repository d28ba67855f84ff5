import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { count } from '../../core/text.js';
import type { ExecOptions } from '../cli/option-table.js';
import type { startServer } from '../cli/start.js';
import { addressOf } from '../cli/start-note.js';
import { CommandError, EXIT_FAILED, linesOf, messageOf, print, type Printable } from '../cli/terminal.js';
import type { Listening } from '../http/serve.js';
import { namedBy, requireWritable } from '../state/whole-file.js';
import { followParent, runChild } from './child.js';
import { JournalFile } from './journal-file.js';
import { Tally } from './tally.js';

/** Always the same, so that every run gives the same identifiers. */
const EXEC_KEY = 'sk_test_exec';
/** How many items of one kind the summary lists. */
const LISTED_MAX = 20;

/**
 * Starts a server, runs a command with the server's address in its environment, and exits with the command's exit code.
 * Leaves no process behind.
 */
export async function runExec(
  command: readonly string[],
  options: ExecOptions,
  start: typeof startServer,
): Promise<never> {
  const { journal: file, quiet, failOnWarnings } = options;
  if (file !== null) await namedBy('--journal', requireWritable(file));
  const journal = file === null ? null : new JournalFile(file);
  let tally: Tally | undefined;
  const server = await start(options, {
    serving: (sandbox) => {
      tally = new Tally(sandbox.worlds, journal);
      return tally.watching(sandbox);
    },
  });
  const exitCode = await runCommand(command, options, server.listening);
  if (tally === undefined) throw new Error('Failed to count what happened: nothing was served.');
  tally.finish(server.scenario);
  let isWell = await server.close();
  if (journal !== null) isWell = (await isWritten(journal)) && isWell;
  const warnings = warningsOf(tally);
  if (!quiet || failOnWarnings) print(process.stderr, summary(tally, warnings));
  if (exitCode !== 0) return process.exit(exitCode);
  if (failOnWarnings && warnings.length > 0) {
    const heads = warnings.map(({ head }) => head).join('; ');
    throw new CommandError(`--fail-on-warnings: ${heads}`, EXIT_FAILED);
  }
  return process.exit(isWell ? 0 : EXIT_FAILED);
}

async function runCommand(
  command: readonly string[],
  options: ExecOptions,
  listening: Listening,
): Promise<number> {
  const trust = await trustOf(listening);
  try {
    const child = await runChild(command, {
      ...process.env,
      ...environmentOf(options, listening),
      ...(trust === null ? {} : { NODE_EXTRA_CA_CERTS: trust.file }),
    });
    followParent(() => child.pass('SIGTERM'));
    const exitCode = await child.ended;
    await child.clear();
    return exitCode;
  } finally {
    if (trust?.folder) await rm(trust.folder, { recursive: true, force: true });
  }
}

function environmentOf(options: ExecOptions, { port }: Listening): Record<string, string> {
  const { keys, adminToken } = options;
  return {
    PLAYMONEY_URL: `${addressOf(options)}:${port}`,
    PLAYMONEY_KEY: keys.find((key) => key !== 'any') ?? EXEC_KEY,
    ...(adminToken === null ? {} : { PLAYMONEY_ADMIN_TOKEN: adminToken }),
  };
}

interface Trust {
  /** The certificates that programs on Node should trust. */
  readonly file: string;
  /** A temporary folder to remove afterwards, if any. */
  readonly folder: string | null;
}

/** Makes programs on Node trust the server as well as what they trusted before; null without TLS. */
async function trustOf({ authority }: Listening): Promise<Trust | null> {
  if (authority === null) return null;
  const others = await readFile(process.env['NODE_EXTRA_CA_CERTS'] ?? '', 'utf8').catch(() => '');
  if (others === '') return { file: authority.file, folder: null };
  // NODE_EXTRA_CA_CERTS takes a single file.
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-'));
  const file = join(folder, 'ca.pem');
  await writeFile(file, `${others.trimEnd()}\n${authority.certificate}`);
  return { file, folder };
}

async function isWritten(journal: JournalFile): Promise<boolean> {
  try {
    await journal.write();
    return true;
  } catch (error) {
    print(process.stderr, linesOf([`playmoney: --journal: ${messageOf(error)}`]));
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
  const unknown = [...tally.unknown].map(([text, times]) =>
    times === 1 ? text : `${text} (${times} times)`,
  );
  return [
    { head: `${count(unmatched.length, 'rule')} never matched`, items: unmatched },
    { head: `${count(answers, 'request')} with unknown fields or filters`, items: unknown },
    { head: `${count(undelivered.length, 'webhook')} not delivered`, items: undelivered },
  ].filter(({ items }) => items.length > 0);
}

function summary({ requests }: Tally, warnings: readonly Warning[]): Printable {
  const lines = warnings.flatMap(({ head, items }) => [
    `  ${head}:`,
    ...items.slice(0, LISTED_MAX).map((item) => `    ${item}`),
    ...(items.length > LISTED_MAX ? [`    and ${items.length - LISTED_MAX} more`] : []),
  ]);
  const end = warnings.length === 0 ? ', no warnings.' : ', with warnings:';
  return linesOf([`playmoney: ${count(requests, 'request')}${end}`, ...lines]);
}
