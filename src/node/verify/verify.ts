import { existsSync } from 'node:fs';

import { readAsset } from '../../control/pages/assets.js';
import { formatCount } from '../../core/text/text.js';
import { requireWritable } from '../files/whole-file.js';
import type { VerifyOptions } from '../options/verify-options.js';
import { EXIT_FAILED, formatLines, type Output, type VerbResult } from '../terminal/terminal.js';
import { whyNotCompared } from './account.js';
import { compareWithContract, compareWithFile } from './compare.js';
import { Contract } from './contract.js';
import { requireForm, type VerifyWords } from './form.js';
import { INVALID_KEY_STATUS, Mirror } from './mirror.js';
import { describeAnswer } from './observed-call.js';
import { ShapeSet } from './shape.js';
import { listConflicts, readShapesFile, writeShapesFile } from './shapes-file.js';
import { CALLS_MAX, runSuite, type SuiteRun } from './suite.js';
import { mergeVerdicts, reportVerdicts, type ShapeVerdict } from './verdict.js';

/** Where the shapes of the service are written by default. */
const OUT = 'payfurl.shapes.json';
const KEY_HINT = 'give the secret key of your account with --key or PLAYMONEY_KEY';

/**
 * Compares shapes of answers: those of a service with playmoney, with a file, or those of a file with playmoney. The exit code is 1 for
 * a difference; with `strict` also if something is not covered; that of the command if it failed. Rejects with a CommandError.
 */
export async function runVerify(
  words: VerifyWords,
  options: VerifyOptions,
  output: Output,
): Promise<VerbResult> {
  requireForm(words, options);
  const { files, command } = words;
  if (options.merge) return mergeFiles(files, options.out ?? OUT);
  const contract = new Contract(
    JSON.parse(await readAsset('openapi.json')) as Readonly<Record<string, unknown>>,
  );
  const known = new ShapeSet((await Promise.all(files.map(readShapesFile))).flatMap(({ all }) => all));
  if (command.length === 0) return reportVerdicts(compareWithContract(known.all, contract), options.strict);
  const out = options.out ?? (files.length === 0 ? OUT : null);
  if (out !== null) await requireShapesFile(out);
  const run = await runSuite(command, options, output);
  if (run.calls.length > 0 && run.calls.every(({ status }) => status === INVALID_KEY_STATUS)) {
    output.err(formatLines([`playmoney: the key of every call was refused (401); ${KEY_HINT}`]));
    return { exitCode: run.exitCode || EXIT_FAILED };
  }
  const answered = run.calls.filter((call) => whyNotCompared(call) === null);
  const seen = new ShapeSet(answered.map((call) => describeAnswer(call, contract)));
  const sides = { mine: files.join(', '), theirs: options.upstream === null ? 'playmoney' : 'the service' };
  const verdicts =
    files.length === 0
      ? await compareWithWorld(run, contract)
      : compareWithFile(seen.all, known, contract, sides);
  output.err(formatLines([...describeUnkept(run), ...(await writeSeen(run, seen, out))]));
  if (run.exitCode === 0) return reportVerdicts(verdicts, options.strict);
  return { ...(verdicts.length === 0 ? {} : reportVerdicts(verdicts, false)), exitCode: run.exitCode };
}

/** Sends the calls to a fresh world too, one after the other, in the order of their answers. */
async function compareWithWorld({ calls, begun }: SuiteRun, contract: Contract): Promise<ShapeVerdict[]> {
  const mirror = new Mirror(contract, calls, begun);
  try {
    const verdicts: ShapeVerdict[] = [];
    for (const call of calls) verdicts.push(await mirror.compare(call));
    return mergeVerdicts(verdicts);
  } finally {
    mirror.close();
  }
}

function describeUnkept({ left }: SuiteRun): string[] {
  if (left === 0) return [];
  return [`playmoney: ${formatCount(left, 'later call')} not compared: a run has at most ${CALLS_MAX}`];
}

/** Writes the file, and says so. What a run that ended early did not see would be lost from an earlier file. */
async function writeSeen({ exitCode }: SuiteRun, { all }: ShapeSet, out: string | null): Promise<string[]> {
  if (exitCode !== 0) {
    const unwritten = out === null ? '' : `, so ${out} was not written`;
    return [`playmoney: the command failed with exit code ${exitCode}${unwritten}`];
  }
  if (out === null || all.length === 0) return [];
  await writeShapesFile(out, all);
  return [`${out}: the shapes of ${formatCount(all.length, 'answer')}, without values`];
}

async function mergeFiles(files: readonly string[], out: string): Promise<VerbResult> {
  await requireShapesFile(out);
  let merged = new ShapeSet();
  const conflicts: string[] = [];
  for (const file of files) {
    const shapes = await readShapesFile(file);
    conflicts.push(...listConflicts(merged, shapes).map((line) => `${file}: ${line}`));
    merged = new ShapeSet([...merged.all, ...shapes.all]);
  }
  if (conflicts.length > 0) {
    const text = formatLines([...conflicts, `${out} was not written: these files contradict each other`]);
    return { text, exitCode: EXIT_FAILED };
  }
  await writeShapesFile(out, merged.all);
  return { text: formatLines([`${out}: the shapes of ${formatCount(merged.all.length, 'answer')}`]) };
}

/** A file that holds something else is not replaced. */
async function requireShapesFile(file: string): Promise<void> {
  await requireWritable(file);
  if (existsSync(file)) await readShapesFile(file);
}
