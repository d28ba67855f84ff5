import { CleanRunError, requireClean, sweepAll } from '../../sweep/engine.js';
import { type FaultName, resolveFaults } from '../../sweep/faults.js';
import { mergePoints, choosePoints } from '../../sweep/points.js';
import { NODE_HOST } from '../machine/host.js';
import { OptionError } from '../options/option.js';
import type { SweepCommandOptions } from '../options/sweep-options.js';
import { formatDocument, EXIT_FAILED, formatLines, print, type VerbResult } from '../terminal/terminal.js';
import { createSweepBar, startBudget } from './progress.js';
import { runSweptCommand } from './command-run.js';
import { reportSweep } from './save.js';
import { sweepOverStdio } from './stdio.js';

/** The exit code if the command fails without any fault. */
const EXIT_CLEAN_RUN = 3;
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
  const faults = requireFaults(options.faults);
  const begun = NODE_HOST.now();
  const clean = await runSweptCommand(command, [], { ...options, patience: 0 });
  const patience = Math.max(PATIENCE_MS_MIN, NODE_HOST.now() - begun);
  try {
    requireClean(clean);
    const { points, untried } = choosePoints(clean.worlds, options.all);
    const bar = createSweepBar();
    const swept = await sweepAll(
      (trial) => runSweptCommand(command, trial, { ...options, patience }),
      clean,
      mergePoints(points),
      {
        faults,
        pairs: options.pairs,
        concurrency: 1,
        races: options.races,
        isOver: startBudget(options.time),
        each: bar.each,
      },
    ).finally(bar.hide);
    const report = await reportSweep(swept, options.accepts, untried, options.report);
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

function requireFaults(names: readonly string[]) {
  try {
    return resolveFaults(names.length === 0 ? undefined : (names as readonly FaultName[]));
  } catch (error) {
    throw new OptionError(`--fault: ${(error as Error).message.replace(/^sweep: /, '')}`);
  }
}
