import { CleanRunError, requireClean, sweepAll } from '../../sweep/engine.js';
import { type FaultName, faultsOf } from '../../sweep/faults.js';
import { findingsOf } from '../../sweep/findings.js';
import { mergedPoints, triedPoints } from '../../sweep/points.js';
import { SweepReport } from '../../sweep/report.js';
import { OptionError } from '../options/option.js';
import type { SweepCommandOptions } from '../options/sweep-options.js';
import { CommandError, documentOf, EXIT_FAILED, type Result } from '../terminal/terminal.js';
import { NODE_HOST } from '../machine/host.js';
import { yamlOf } from '../terminal/yaml-text.js';
import { sweepBar } from './bar.js';
import { runCommand } from './command-run.js';
import { saveReport } from './save.js';

/** The exit code if the command fails without any fault. */
const EXIT_CLEAN_RUN = 3;

/** Runs a command such as `npm test` once without faults, then once for each fault at each call, in every world at once. */
export async function sweepCommand(
  command: readonly string[],
  options: SweepCommandOptions,
): Promise<Result> {
  const faults = namedFaults(options.faults);
  const clean = await runCommand(command, [], options);
  try {
    requireClean(clean);
    const { points, untried } = triedPoints(clean.worlds, options.all);
    const bar = sweepBar();
    let isOver = false;
    const cancel = options.time === null ? null : NODE_HOST.timer(() => (isOver = true), options.time);
    const swept = await sweepAll(
      (trial) => runCommand(command, trial, options),
      clean,
      mergedPoints(points),
      {
        faults,
        pairs: options.pairs,
        concurrency: 1,
        isOver: () => isOver,
        each: bar.each,
      },
    );
    cancel?.();
    bar.hide();
    const findings = await findingsOf(swept.results, options.accepts, yamlOf);
    const report = new SweepReport(swept, findings, untried, options.report);
    if (options.report !== null) await saveReport(report, options.report);
    return { text: documentOf(`${report.toString()}\n`), ...(report.safe ? {} : { exitCode: EXIT_FAILED }) };
  } catch (error) {
    if (error instanceof CleanRunError) throw new CommandError(error.message, EXIT_CLEAN_RUN);
    throw error;
  }
}

function namedFaults(names: readonly string[]) {
  try {
    return faultsOf(names.length === 0 ? undefined : (names as readonly FaultName[]));
  } catch (error) {
    throw new OptionError(`--fault: ${(error as Error).message.replace(/^sweep: /, '')}`);
  }
}
