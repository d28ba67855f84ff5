import { CleanRunError, requireClean, sweepAll } from '../../sweep/engine.js';
import { type FaultName, faultsOf } from '../../sweep/faults.js';
import { findingsOf } from '../../sweep/findings.js';
import { mergedPoints, triedPoints } from '../../sweep/points.js';
import { SweepReport } from '../../sweep/report.js';
import { OptionError } from '../options/option.js';
import type { SweepCommandOptions } from '../options/sweep-options.js';
import { documentOf, EXIT_FAILED, linesOf, print, type Result } from '../terminal/terminal.js';
import { NODE_HOST } from '../machine/host.js';
import { yamlOf } from '../terminal/yaml-text.js';
import { sweepBar } from './bar.js';
import { runCommand } from './command-run.js';
import { saveReport } from './save.js';
import { sweepOverStdio } from './stdio.js';

/** The exit code if the command fails without any fault. */
const EXIT_CLEAN_RUN = 3;

/**
 * Runs a command such as `npm test` once without faults, then once for each fault at each call, in every world at once. Instead of a
 * command, `-` stands for the program that started this one.
 */
export async function sweepCommand(
  command: readonly string[],
  options: SweepCommandOptions,
): Promise<Result> {
  if (command.length === 1 && command[0] === '-') return sweepOverStdio();
  const faults = namedFaults(options.faults);
  const clean = await runCommand(command, [], options);
  try {
    requireClean(clean);
    const { points, untried } = triedPoints(clean.worlds, options.all);
    const bar = sweepBar();
    const end = NODE_HOST.now() + (options.time ?? Infinity);
    const swept = await sweepAll(
      (trial) => runCommand(command, trial, options),
      clean,
      mergedPoints(points),
      {
        faults,
        pairs: options.pairs,
        concurrency: 1,
        isOver: () => NODE_HOST.now() >= end,
        each: bar.each,
      },
    ).finally(bar.hide);
    const findings = await findingsOf(swept.results, options.accepts, yamlOf);
    const report = new SweepReport(swept, findings, untried, options.report);
    if (options.report !== null) await saveReport(report, options.report);
    return { text: documentOf(`${report.toString()}\n`), ...(report.safe ? {} : { exitCode: EXIT_FAILED }) };
  } catch (error) {
    if (!(error instanceof CleanRunError)) throw error;
    print(process.stderr, linesOf(`playmoney: ${error.message}`.split('\n')));
    return { exitCode: EXIT_CLEAN_RUN };
  }
}

function namedFaults(names: readonly string[]) {
  try {
    return faultsOf(names.length === 0 ? undefined : (names as readonly FaultName[]));
  } catch (error) {
    throw new OptionError(`--fault: ${(error as Error).message.replace(/^sweep: /, '')}`);
  }
}
