import { existsSync } from 'node:fs';

import { createInnerSandbox } from '../../app/sandbox.js';
import { readAsset } from '../../control/pages/assets.js';
import type { Dialect } from '../../core/dialect/dialect.js';
import { formatCount, isObject } from '../../core/text/text.js';
import { runChild } from '../exec/child.js';
import { EXEC_KEY } from '../exec/exec.js';
import { requireWritable } from '../files/whole-file.js';
import { serveHttp } from '../http/serve.js';
import { NODE_HOST } from '../machine/host.js';
import { OptionError } from '../options/option.js';
import type { VerifyOptions } from '../options/verify-options.js';
import { openProxy } from '../record/open-proxy.js';
import {
  CommandError,
  EXIT_FAILED,
  formatLines,
  type Output,
  type VerbResult,
} from '../terminal/terminal.js';
import { compareWithContract, compareWithFile } from './compare.js';
import { mergeVerdicts, type ShapeVerdict } from './verdict.js';
import { Contract } from './contract.js';
import { Mirror } from './mirror.js';
import { describeAnswer, type ObservedCall, observeCall } from './observed-call.js';
import { type AnswerShape, ShapeSet } from './shape.js';
import { listConflicts, readShapesFile, writeShapesFile } from './shapes-file.js';

/** Where the shapes of the service are written by default. */
const OUT = 'payfurl.shapes.json';
const HOST = '127.0.0.1';
/** Limits of one run, which is kept in memory. */
const CALLS_MAX = 10_000;
const LINES_MAX = 1000;

interface VerifyWords {
  readonly files: readonly string[];
  readonly command: readonly string[];
}

/** The calls of a command, and its exit code. */
interface SuiteRun {
  readonly calls: readonly ObservedCall[];
  readonly left: number;
  readonly exitCode: number;
  readonly begun: number;
}

/**
 * Compares shapes of answers: those of a service with playmoney, with a file, or those of a file with playmoney. The exit code is 1 for
 * a difference; with `strict` also if something is not covered; that of the command if it failed. Rejects with a CommandError.
 */
export async function runVerify(
  { files, command }: VerifyWords,
  options: VerifyOptions,
  output: Output,
): Promise<VerbResult> {
  requireTask(files, command, options);
  if (options.merge) return mergeFiles(files, options.out ?? OUT);
  const contract = new Contract(
    JSON.parse(await readAsset('openapi.json')) as Readonly<Record<string, unknown>>,
  );
  const known = new ShapeSet((await Promise.all(files.map(readShapesFile))).flatMap(({ all }) => all));
  if (command.length === 0) return report(compareWithContract(known.all, contract), options);
  const out = options.out ?? (files.length === 0 ? OUT : null);
  if (out !== null) await requireShapesFile(out);
  const run = await runSuite(command, options, output);
  const seen = new ShapeSet(run.calls.flatMap((call) => describeAnswered(call, contract)));
  // What a run that ended early did not see would be lost from an earlier file.
  const isWritten = out !== null && run.exitCode === 0 && seen.all.length > 0;
  if (isWritten) await writeShapesFile(out, seen.all);
  const verdicts =
    files.length === 0
      ? await compareWithWorld(run, contract)
      : compareWithFile(seen.all, known, contract, nameSides(options, files));
  if (run.left > 0)
    output.err(
      formatLines([
        `playmoney: ${formatCount(run.left, 'later call')} not compared: a run has at most ${CALLS_MAX}`,
      ]),
    );
  if (isWritten)
    output.err(
      formatLines([`${out}: the shapes of ${formatCount(seen.all.length, 'answer')}, without values`]),
    );
  if (run.exitCode === 0) return report(verdicts, options);
  const unwritten = out === null ? '' : `, so ${out} was not written`;
  output.err(formatLines([`playmoney: the command failed with exit code ${run.exitCode}${unwritten}`]));
  return { ...(verdicts.length === 0 ? {} : report(verdicts, options)), exitCode: run.exitCode };
}

function requireTask(
  files: readonly string[],
  command: readonly string[],
  { merge, upstream, out }: VerifyOptions,
): void {
  if (merge && files.length < 2) throw new OptionError('--merge needs two or more files of shapes');
  if (merge && command.length > 0) throw new OptionError('--merge runs no command');
  if (merge || command.length > 0) {
    if (!merge && files.length === 0 && upstream === null)
      throw new OptionError(
        'verify needs --upstream URL, a file of shapes, or both; without them there is nothing to compare with',
      );
    return;
  }
  if (upstream !== null)
    throw new OptionError('--upstream needs a command, such as: playmoney verify --upstream URL -- npm test');
  if (out !== null)
    throw new OptionError(
      '--out needs --merge or a command, such as: playmoney verify --upstream URL -- npm test',
    );
  if (files.length === 0)
    throw new OptionError(
      'verify needs a file of shapes, or a command, such as: playmoney verify --upstream URL -- npm test',
    );
}

function nameSides({ upstream }: VerifyOptions, files: readonly string[]) {
  return { mine: files.join(', '), theirs: upstream === null ? 'playmoney' : 'the service' };
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

/** Runs the command against the service, or against playmoney, and keeps its calls. */
async function runSuite(
  command: readonly string[],
  options: VerifyOptions,
  { err }: Output,
): Promise<SuiteRun> {
  const own =
    options.upstream === null
      ? await serveHttp(createInnerSandbox(NODE_HOST), { port: 0, host: HOST })
      : null;
  const begun = NODE_HOST.now();
  const calls: ObservedCall[] = [];
  let left = 0;
  const proxy = await openProxy(
    {
      ...options,
      upstream: options.upstream ?? `http://${HOST}:${own?.port}`,
      port: 0,
      host: HOST,
      allowedHosts: [],
      allowedOrigins: [],
    },
    { err },
    (passed) => {
      if (calls.length < CALLS_MAX) calls.push(observeCall(passed, NODE_HOST.now()));
      else left++;
    },
  );
  const key = options.key ?? (own === null ? null : EXEC_KEY);
  try {
    const child = await runChild(command, {
      ...process.env,
      PLAYMONEY_URL: `http://${HOST}:${proxy.port}`,
      ...(key === null ? {} : { PLAYMONEY_KEY: key }),
    });
    const exitCode = await child.ended;
    await child.clear();
    return { calls, left, exitCode, begun };
  } finally {
    await proxy.close();
    await own?.close();
  }
}

function describeAnswered(call: ObservedCall, contract: Contract): AnswerShape[] {
  return call.lost === null && call.status < 500 ? [describeAnswer(call, contract)] : [];
}

/** Sends the calls to a fresh world too, one after the other, in the order of their answers. */
async function compareWithWorld({ calls, begun }: SuiteRun, contract: Contract): Promise<ShapeVerdict[]> {
  const mirror = new Mirror(contract, guessDialect(calls), begun, calls);
  try {
    const verdicts: ShapeVerdict[] = [];
    for (const call of calls) verdicts.push(await mirror.compare(call));
    return mergeVerdicts(verdicts);
  } finally {
    mirror.close();
  }
}

/** In the sdk dialect, most names begin with a lower-case letter. */
function guessDialect(calls: readonly ObservedCall[]): Dialect {
  const names = calls.flatMap(({ answer }) => (isObject(answer) ? Object.keys(answer) : []));
  const lower = names.filter((name) => /^[a-z]/.test(name)).length;
  return lower * 2 > names.length ? 'sdk' : 'documented';
}

function report(verdicts: readonly ShapeVerdict[], { strict }: VerifyOptions): VerbResult {
  if (verdicts.length === 0)
    throw new CommandError(
      'no answer of the service was seen: the command must call PLAYMONEY_URL',
      EXIT_FAILED,
    );
  const width = Math.max(...verdicts.map(({ key }) => key.length));
  const lines = verdicts.flatMap(({ key, verdict, lines: found }) => {
    const isReason = verdict === 'not compared';
    const head = `${key.padEnd(width)}  ${verdict}${isReason ? `: ${found.join('; ')}` : ''}`;
    return isReason ? [head] : [head, ...found.map((line) => `  ${line}`)];
  });
  const count = (wanted: ShapeVerdict['verdict']): number =>
    verdicts.filter(({ verdict }) => verdict === wanted).length;
  const [differs, others] = [count('differs'), count('not compared')];
  const sum = `verify: ${count('same')} same, ${differs} ${differs === 1 ? 'differs' : 'differ'}, ${others} not compared`;
  const isFailed = differs > 0 || (strict && others > 0);
  return {
    text: formatLines([...lines.slice(0, LINES_MAX), sum]),
    ...(isFailed ? { exitCode: EXIT_FAILED } : {}),
  };
}
