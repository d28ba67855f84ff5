import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ExecOptions } from '../options/option-table.js';
import type { startServer } from '../cli/start/start.js';
import { formatAddress } from '../cli/start/start-note.js';
import {
  CommandError,
  EXIT_FAILED,
  formatLines,
  requireCommandMessage,
  print,
} from '../terminal/terminal.js';
import type { HttpListening } from '../http/serve.js';
import { nameFaultOption, requireWritable } from '../files/whole-file.js';
import { BundleKeeper } from './bundle-keeper.js';
import { followParent, runChild } from './child.js';
import { JournalFile } from './journal-file.js';
import { formatSummary, listTallyWarnings } from './summary.js';
import { Tally } from './tally.js';

/** Always the same, so that every run gives the same identifiers. */
export const EXEC_KEY = 'sk_test_exec';

/** Starts a server, runs a command with its address in the environment, and exits with its code. Leaves no process behind. */
export async function runExec(
  command: readonly string[],
  options: ExecOptions,
  start: typeof startServer,
): Promise<never> {
  const { quiet, failOnWarnings } = options;
  const { journals, bundle } = await openKeepers(options);
  let tally: Tally | undefined;
  const server = await start(options, {
    serving: (sandbox) => {
      tally = new Tally(sandbox.worlds, bundle === null ? journals : [...journals, bundle]);
      return tally.wrapApp(sandbox);
    },
  });
  const exitCode = await runTestCommand(command, options, server.listening);
  if (tally === undefined) throw new Error('Failed to count what happened: nothing was served.');
  tally.finish(server.scenario);
  let isWell = await server.close();
  for (const journal of journals)
    isWell = (await writeOrReport('--journal', () => journal.write())) && isWell;
  const warnings = listTallyWarnings(tally);
  const isRefused = failOnWarnings && warnings.length > 0;
  if (!quiet || failOnWarnings) print(process.stderr, formatSummary(tally, warnings));
  if (bundle !== null && (exitCode !== 0 || isRefused)) {
    isWell =
      (await writeOrReport('--bundle', async () => print(process.stderr, await bundle.save()))) && isWell;
  }
  if (exitCode !== 0) return process.exit(exitCode);
  if (isRefused) {
    const heads = warnings.map(({ head }) => head).join('; ');
    throw new CommandError(`--fail-on-warnings: ${heads}`, EXIT_FAILED);
  }
  return process.exit(isWell ? 0 : EXIT_FAILED);
}

/** The collectors of calls for files. Rejects with a FileError if one cannot be written. */
async function openKeepers(
  options: ExecOptions,
): Promise<{ readonly journals: readonly JournalFile[]; readonly bundle: BundleKeeper | null }> {
  for (const file of options.journals) await nameFaultOption('--journal', requireWritable(file));
  const journals = options.journals.map((file) => new JournalFile(file));
  if (options.bundle === null) return { journals, bundle: null };
  await nameFaultOption('--bundle', requireWritable(options.bundle));
  // Loaded now, because the state of a world must be captured in the turn of its reset.
  const { writeBundle } = await import('../../control/snapshots/state-write.js');
  return { journals, bundle: new BundleKeeper(options.bundle, writeBundle) };
}

async function runTestCommand(
  command: readonly string[],
  options: ExecOptions,
  listening: HttpListening,
): Promise<number> {
  const trust = await buildTrustFile(listening);
  try {
    const child = await runChild(command, {
      ...process.env,
      ...buildEnvironment(options, listening),
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

function buildEnvironment(options: ExecOptions, { port }: HttpListening): Record<string, string> {
  const { keys, adminToken } = options;
  return {
    PLAYMONEY_URL: `${formatAddress(options)}:${port}`,
    PLAYMONEY_KEY: keys.find((key) => key !== 'any') ?? EXEC_KEY,
    ...(adminToken === null ? {} : { PLAYMONEY_ADMIN_TOKEN: adminToken }),
  };
}

interface TrustFile {
  /** The certificates that programs on Node should trust. */
  readonly file: string;
  readonly folder: string | null;
}

/** Makes programs on Node trust the server as well as what they trusted before; null without TLS. */
export async function buildTrustFile({ authority }: HttpListening): Promise<TrustFile | null> {
  if (authority === null) return null;
  const others = await readFile(process.env['NODE_EXTRA_CA_CERTS'] ?? '', 'utf8').catch(() => '');
  if (others === '') return { file: authority.file, folder: null };
  // NODE_EXTRA_CA_CERTS takes a single file.
  const folder = await mkdtemp(join(tmpdir(), 'playmoney-'));
  const file = join(folder, 'ca.pem');
  await writeFile(file, `${others.trimEnd()}\n${authority.certificate}`);
  return { file, folder };
}

async function writeOrReport(option: string, write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    print(process.stderr, formatLines([`playmoney: ${option}: ${requireCommandMessage(error)}`]));
    return false;
  }
}
