import type { StdioOptions } from 'node:child_process';

import { CleanRunError, requireClean, sweepAll } from '../../sweep/engine.js';
import { type FaultName, resolveFaults } from '../../sweep/faults.js';
import { mergePoints, choosePoints } from '../../sweep/points.js';
import type { SweepReport } from '../../sweep/report.js';
import { quoteForShell } from '../../core/text/text.js';
import { formatDuration } from '../../core/time/time.js';
import { NODE_HOST } from '../machine/host.js';
import { OptionError } from '../options/option.js';
import type { SweepCommandOptions } from '../options/sweep-options.js';
import { formatDocument, EXIT_FAILED, formatLines, print, type VerbResult } from '../terminal/terminal.js';
import { createSweepBar, startBudget } from './progress.js';
import { findScript } from './call-site.js';
import { pickWorldOptions, runSweptCommand } from './command-run.js';
import { readAccepted, verifyEvidence } from './evidence.js';
import { reportSweep } from './save.js';
import { sweepOverStdio } from './stdio.js';

/** The default time for the first run. That of the others follows from it, so that one that waits for ever ends soon. */
const FIRST_RUN_MS = 300_000;
const RUN_FACTOR = 10;
const RUN_MS_MIN = 10_000;
/** The exit code if the command fails without any fault. */
const EXIT_CLEAN_RUN = 3;

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
  cleanOutput: StdioOptions = 'inherit',
): Promise<SweepReport> {
  const faults = requireFaults(options.faults);
  const accept = await readAccepted(options.accepts);
  const begun = NODE_HOST.now();
  const first = { ...options, timeout: options.timeout ?? FIRST_RUN_MS, cleanOutput };
  const clean = await runSweptCommand(command, [], first);
  const timeout = options.timeout ?? Math.max(RUN_MS_MIN, RUN_FACTOR * (NODE_HOST.now() - begun));
  requireClean(clean);
  const { points, untried } = choosePoints(clean.worlds, options.all);
  const bar = createSweepBar();
  const swept = await sweepAll(
    (trial) => runSweptCommand(command, trial, { ...first, timeout }),
    clean,
    mergePoints(points),
    { faults, pairs: options.pairs, concurrency: 1, isOver: startBudget(options.time), each: bar.each },
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

function requireFaults(names: readonly string[]) {
  try {
    return resolveFaults(names.length === 0 ? undefined : (names as readonly FaultName[]));
  } catch (error) {
    throw new OptionError(`--fault: ${(error as Error).message.replace(/^sweep: /, '')}`);
  }
}
