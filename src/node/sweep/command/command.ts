import type { StdioOptions } from 'node:child_process';

import { CleanRunError, requireClean, requireIsolated, sweepAll } from '../../../sweep/engine.js';
import type { OwnFault } from '../../../sweep/faults.js';
import { mergePoints, choosePoints } from '../../../sweep/points.js';
import type { SweepReport } from '../../../sweep/report/report.js';
import { quoteForShell } from '../../../core/text/text.js';
import { formatDuration } from '../../../core/time/time.js';
import { readText } from '../../files/text-file.js';
import { NODE_HOST } from '../../machine/host.js';
import { OptionError } from '../../options/option.js';
import type { SweepCommandOptions } from '../../options/sweep-options.js';
import { formatDocument, EXIT_FAILED, formatLines, print, type VerbResult } from '../../terminal/terminal.js';
import { isFaultFile, readFaultFile } from './fault-file.js';
import { createSweepBar, startBudget } from '../progress.js';
import { findScript } from '../call-site.js';
import { pickWorldOptions, runSweptCommand } from './command-run.js';
import { readAccepted, verifyEvidence } from '../evidence.js';
import { reportSweep } from '../save.js';
import { requireCrashes } from './supervisor.js';
import { sweepOverStdio } from '../stdio.js';
import { endsProgram, type FaultName, resolveFaults } from '../../../sweep/choose-faults.js';

/** The limit of Node, above which it warns. */
const LISTENERS = 10;
/** The default time for the first run. That of the others follows from it, so that one that waits for ever ends soon. */
const FIRST_RUN_MS = 300_000;
const RUN_FACTOR = 10;
const RUN_MS_MIN = 10_000;
/** The exit code if the command fails without any fault. */
const EXIT_CLEAN_RUN = 3;
/** The remedy for runs that find what an earlier one has left. */
const ISOLATION =
  'Reset its database in COMMAND, or keep its files in the folder PLAYMONEY_DISK, which is empty for each run.';
/** How long one of two commands may compute before the other goes on. A slower one may take as long as the whole clean run. */
const PATIENCE_MS_MIN = 2000;

/**
 * Runs a command such as `npm test` once without faults, then once for each fault at each call, in every world at once. Instead of a
 * command, `-` stands for the program that started this one.
 */
export async function runSweep(
  command: readonly string[],
  options: SweepCommandOptions,
): Promise<VerbResult> {
  if (command.length === 1 && command[0] === '-') return sweepOverStdio();
  if (options.verify !== null) return verifyEvidence(options.verify);
  try {
    const report = await sweepCommand(command, options);
    return {
      text: formatDocument(`${report.toString()}\n`),
      ...(report.safe ? {} : { exitCode: EXIT_FAILED }),
    };
  } catch (error) {
    if (!(error instanceof CleanRunError)) throw error;
    print(process.stderr, formatLines(`playmoney: ${error.message}`.split('\n')));
    return { exitCode: EXIT_CLEAN_RUN };
  }
}

/** Sweeps a command, or a text in a shell. Rejects with a CleanRunError if there is nothing to compare with. */
export async function sweepCommand(
  command: readonly string[] | string,
  options: SweepCommandOptions,
  output: StdioOptions = 'inherit',
): Promise<SweepReport> {
  if (options.port !== 0 && options.concurrency > 1)
    throw new OptionError('--port needs --concurrency 1: each run listens on it');
  const faults = await requireFaults(options);
  const accept = await readAccepted(options.accepts);
  const expected = options.expect === null ? null : await readText(options.expect);
  // Each command that runs listens for signals.
  process.setMaxListeners(Math.max(process.getMaxListeners(), LISTENERS + 2 * options.concurrency));
  const begun = NODE_HOST.now();
  const first = { ...options, timeout: options.timeout ?? FIRST_RUN_MS, patience: 0 };
  const clean = await runSweptCommand(command, [], first, { output, expected });
  const took = NODE_HOST.now() - begun;
  const timeout = options.timeout ?? Math.max(RUN_MS_MIN, RUN_FACTOR * took);
  const later = { ...options, timeout, patience: Math.max(PATIENCE_MS_MIN, took) };
  requireClean(clean);
  requireIsolated(clean, await runSweptCommand(command, [], later), ISOLATION);
  const { points, untried } = choosePoints(clean.worlds, options.all);
  const bar = createSweepBar();
  const swept = await sweepAll(
    (trial) => runSweptCommand(command, trial, later),
    clean,
    mergePoints(points),
    {
      faults,
      pairs: options.pairs,
      concurrency: options.concurrency,
      races: options.races,
      isOver: startBudget(options.time),
      each: bar.each,
    },
  ).finally(bar.hide);
  const { report: folder, evidence, recover, settle } = options;
  const words = typeof command === 'string' ? command.split(' ') : command;
  const wishes = {
    accept,
    untried,
    evidence,
    folder,
    script: findScript(words),
    settle: formatDuration(settle),
    command: { command: typeof command === 'string' ? command : words.map(quoteForShell).join(' '), recover },
  };
  return reportSweep(swept, wishes, pickWorldOptions(options));
}

async function requireFaults({ faults: given, crash, crashOf, restart }: SweepCommandOptions) {
  const faults = await resolveGiven(given, crash);
  if (faults.some(endsProgram)) requireCrashes(crashOf);
  else if (restart !== null || crashOf === 'caller')
    throw new OptionError(`--${restart === null ? 'crash-of' : 'restart'} has no effect without --crash`);
  return faults;
}

/** The faults of these names and files. */
async function resolveGiven(given: readonly string[], hasCrashes: boolean) {
  const faults: (FaultName | OwnFault)[] = [];
  for (const name of given) {
    if (isFaultFile(name)) faults.push(...(await readFaultFile(name)));
    else faults.push(name as FaultName);
  }
  try {
    return resolveFaults(faults.length === 0 ? undefined : faults, hasCrashes);
  } catch (error) {
    throw new OptionError(`--fault: ${(error as Error).message.replace(/^sweep: /, '')}`);
  }
}
