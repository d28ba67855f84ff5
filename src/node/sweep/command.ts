import { CleanRunError, requireClean, sweepAll } from '../../sweep/engine.js';
import { endsProgram, type FaultName, resolveFaults } from '../../sweep/faults.js';
import { mergePoints, choosePoints } from '../../sweep/points.js';
import { OptionError } from '../options/option.js';
import type { SweepCommandOptions } from '../options/sweep-options.js';
import { formatDocument, EXIT_FAILED, formatLines, print, type VerbResult } from '../terminal/terminal.js';
import { createSweepBar, startBudget } from './progress.js';
import { runSweptCommand } from './command-run.js';
import { reportSweep } from './save.js';
import { requireCrashes } from './supervisor.js';
import { sweepOverStdio } from './stdio.js';

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
  const faults = requireFaults(options);
  // Each command that runs listens for signals.
  process.setMaxListeners(process.getMaxListeners() + 2 * options.concurrency);
  const clean = await runSweptCommand(command, [], options);
  try {
    requireClean(clean);
    const { points, untried } = choosePoints(clean.worlds, options.all);
    const bar = createSweepBar();
    const swept = await sweepAll(
      (trial) => runSweptCommand(command, trial, options),
      clean,
      mergePoints(points),
      {
        faults,
        pairs: options.pairs,
        concurrency: options.concurrency,
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

function requireFaults({ faults: names, crash, crashOf, restart }: SweepCommandOptions) {
  const faults = resolveNames(names, crash);
  if (faults.some(endsProgram)) requireCrashes(crashOf);
  else if (restart !== null || crashOf === 'caller')
    throw new OptionError(`--${restart === null ? 'crash-of' : 'restart'} has no effect without --crash`);
  return faults;
}

function resolveNames(names: readonly string[], hasCrashes: boolean) {
  try {
    return resolveFaults(names.length === 0 ? undefined : (names as readonly FaultName[]), hasCrashes);
  } catch (error) {
    throw new OptionError(`--fault: ${(error as Error).message.replace(/^sweep: /, '')}`);
  }
}
