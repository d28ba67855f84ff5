import type { SweepFault } from './faults.js';
import { judgeRun, type Judgement } from './judge.js';
import { raceAll } from './races.js';
import { callPoints, type FaultPoint, webhookPoints } from './points.js';
import type { SweepProgress } from './public.js';
import { listBrokenAgreements } from './expected.js';
import { haveSameWrites } from './same-calls.js';
import { isOverWithFlow, type Trial } from './trial.js';
import { isFinding, isJudged } from './verdicts.js';
import { SECOND_FAULTS } from './choose-faults.js';
import type { SweepRun, ObservedWorld } from './observed.js';

/** How many calls of one recovery get a second fault. */
const RECOVERY_CALLS_MAX = 3;

/** One run with faults. */
export interface TrialResult {
  readonly trial: Trial;
  readonly run: SweepRun;
  readonly judgement: Judgement;
}

/** The results of a sweep. */
export interface SweepResults {
  readonly clean: SweepRun;
  readonly points: readonly FaultPoint[];
  readonly faults: readonly SweepFault[];
  /** In the order of the plan. */
  readonly results: readonly TrialResult[];
  /** The runs that were left out because the time was over. */
  readonly leftOut: readonly Trial[];
  /** The calls that no fault can reach, because the service refuses them before it looks at them. */
  readonly unreachable: readonly string[];
  /** The orders of calls that are known and were not planned. */
  readonly untried: readonly string[];
}

export interface EngineSettings {
  readonly faults: readonly SweepFault[];
  readonly pairs: boolean;
  readonly concurrency: number;
  /** How many orders are tried for each `together`. */
  readonly races: number;
  /** Whether the time for all runs is over. */
  readonly isOver: () => boolean;
  readonly each: (progress: SweepProgress) => void;
}

/** The clean run ended badly, so that there is nothing to compare with. */
export class CleanRunError extends Error {
  override readonly name = 'CleanRunError';
}

/** A trial, with its place in the plan: that of a second fault follows that of the first. */
interface PlannedTrial {
  readonly trial: Trial;
  readonly place: readonly number[];
  /** The run without the last fault. */
  readonly before: SweepRun;
}

/** Runs every trial, also those that are found during the runs. */
export async function sweepAll(
  run: (trial: Trial) => Promise<SweepRun>,
  clean: SweepRun,
  points: readonly FaultPoint[],
  { faults, pairs, concurrency, races, isOver, each }: EngineSettings,
): Promise<SweepResults> {
  let places = 0;
  const plan = (trial: Trial): PlannedTrial => ({ trial, place: [places++], before: clean });
  const left = planTrials(points, faults).map(plan);
  const done: (PlannedTrial & TrialResult)[] = [];
  const unreachable = new Set<string>();
  let planned = left.length;
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      if (isOver()) return void left.unshift(next);
      const { trial, place, before } = next;
      const swept = await run(trial).catch((error: unknown) => {
        // The other workers stop.
        left.length = 0;
        throw error;
      });
      const judgement = judgeRun(swept, clean, trial);
      // If the run makes the same calls without the fault, no fault can reach this one.
      if (judgement.verdict === 'not reached' && nameWorlds(swept) === nameWorlds(before)) {
        unreachable.add(trial.at(-1)?.point.name ?? '');
        planned--;
        continue;
      }
      done.push({ ...next, run: swept, judgement });
      const more = pairs && trial.length === 1 ? secondTrials(trial, judgement, clean) : [];
      left.push(...more.map((second, i) => ({ trial: second, place: [...place, i], before: swept })));
      planned += more.length;
      each({
        done: done.length,
        planned,
        found: done.filter((result) => isFinding(result.judgement.verdict)).length,
      });
    }
  };
  const workAll = (): Promise<unknown> => Promise.all(Array.from({ length: concurrency }, work));
  await workAll();
  const untried = await raceAll(clean.togethers ?? [], races, async (trials) => {
    const before = done.length;
    left.push(...trials.map(plan));
    planned += trials.length;
    await workAll();
    return sortByPlan(done.slice(before));
  });
  requireProof(done, unreachable.size > 0);
  return {
    clean,
    points,
    faults,
    results: sortByPlan(done),
    leftOut: sortByPlan(left).map(({ trial }) => trial),
    unreachable: [...unreachable].toSorted(),
    untried,
  };
}

function planTrials(points: readonly FaultPoint[], faults: readonly SweepFault[]): Trial[] {
  return faults.flatMap((fault) =>
    points.filter((point) => fault.acts(point)).map((point) => [{ point, fault }]),
  );
}

/** After a run without a finding, calls that only the recovery made get a fault as well. */
function secondTrials(trial: Trial, { verdict, observed }: Judgement, clean: SweepRun): Trial[] {
  // While the service is down, the recovery cannot reach it.
  if (isFinding(verdict) || !isJudged(verdict) || isOverWithFlow(trial)) return [];
  if (trial.some(({ fault }) => fault.isAlone || fault.order !== undefined)) return [];
  const known = new Set(
    clean.worlds.find(({ name }) => name === observed.name)?.calls.map(({ name }) => name),
  );
  const more = observed.calls
    .filter(({ name, isHit }) => !known.has(name) && !isHit)
    .slice(0, RECOVERY_CALLS_MAX);
  return more.flatMap((point) =>
    SECOND_FAULTS.filter((fault) => fault.acts(point)).map((fault) => [...trial, { point, fault }]),
  );
}

function sortByPlan<P extends PlannedTrial>(all: readonly P[]): P[] {
  return all.toSorted(({ place: [a = 0, b = -1] }, { place: [c = 0, d = -1] }) => a - c || b - d);
}

/** Throws if all runs prove nothing, because a report would only repeat that. */
function requireProof(results: readonly TrialResult[], hasUnreachable: boolean): void {
  const [first = hasUnreachable ? 'not reached' : undefined, ...others] = new Set(
    results.map(({ judgement }) => judgement.verdict),
  );
  if (others.length > 0 || first === undefined || isJudged(first)) return;
  throw new CleanRunError(
    first === 'not reached'
      ? 'sweep: no fault was ever injected. Each run must make the calls of the clean run again, in a world of its own.'
      : 'sweep: every run makes other calls than the clean run. Does the program depend on chance, on real time, or on an earlier run?',
  );
}

/** Refuses a clean run that shows nothing, or that is itself wrong. */
export function requireClean({ worlds, failure, isStuck }: SweepRun): void {
  if (isStuck)
    throw new CleanRunError('sweep: the clean run did not end in its time. Does it wait for something?');
  if (failure !== null) throw new CleanRunError(`sweep: the clean run failed: ${failure}`);
  if (worlds.every(({ calls }) => calls.length === 0))
    throw new CleanRunError(`sweep: the clean run made no call${describeUnknownCalls(worlds)}`);
  const broken = worlds.flatMap(listBrokenAgreements);
  if (broken.length > 0)
    throw new CleanRunError(
      ['sweep: the clean run did not take what `expect` says, without any fault:', ...indent(broken)].join(
        '\n',
      ),
    );
  const wrong = worlds.flatMap(({ balance, orders }) =>
    balance.findings.filter(({ kind }) => orders !== null || kind === 'open'),
  );
  if (wrong.length === 0) return;
  const lines = indent(wrong.map(({ message }) => message));
  throw new CleanRunError(
    ['sweep: the clean run is not in balance, without any fault:', ...lines].join('\n'),
  );
}

/** Ends the message of a run without calls: perhaps it only called paths that do not exist, of which some are named. */
function describeUnknownCalls(worlds: readonly ObservedWorld[]): string {
  const all = worlds.flatMap(({ entries }) => entries.map(({ method, path }) => `${method} ${path}`));
  if (all.length === 0) return '. Your program must use the url and the key that the flow receives.';
  const named = [...new Set(all)].slice(0, 5).join(', ');
  return ` that the service has. Not found: ${named}. The paths are in docs/reference/operations.md.`;
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** Refuses a program whose second run without faults changes something else than the first: it finds what that has left. */
export function requireIsolated(clean: SweepRun, again: SweepRun, remedy: string): void {
  const { failure, isStuck } = again;
  if (failure === null && !isStuck && clean.worlds.every((world) => isRepeated(world, again))) return;
  const what = isStuck
    ? 'did not end in its time'
    : failure === null
      ? 'made other calls or charges than the first'
      : `failed: ${failure}`;
  throw new CleanRunError(
    `sweep: runs are not isolated. Without any fault, the second run ${what}. ${remedy}`,
  );
}

function isRepeated({ name, calls, balance }: ObservedWorld, again: SweepRun): boolean {
  const other = again.worlds.find((world) => world.name === name);
  if (other === undefined || !haveSameWrites(calls, other.calls)) return false;
  const sum = ({ totals }: ObservedWorld['balance']): string =>
    totals
      .filter(({ captured }) => captured > 0)
      .map(({ currency, captured, refunded }) => `${captured} ${refunded} ${currency}`)
      .toSorted()
      .join('\n');
  return sum(balance) === sum(other.balance);
}

/**
 * Whether two clean runs make the same calls about the same references, and rules can name these. If not, they are random, or have
 * an asterisk, which rules read as a pattern.
 */
export function haveSameReferences(one: SweepRun, other: SweepRun): boolean {
  const names = nameWorlds(one);
  return names === nameWorlds(other) && !names.includes('*');
}

/** A run whose references are not used, because they differ from run to run. */
export function withoutReferences(run: SweepRun): SweepRun {
  const worlds = run.worlds.map((world) => ({
    ...world,
    calls: callPoints(world.entries, { ...world, hasReferences: false }),
    webhooks: webhookPoints(world.deliveries, false),
  }));
  return { ...run, worlds };
}

/** The calls and webhooks of a run, in no order: several workers make them in any. */
function nameWorlds({ worlds }: SweepRun): string {
  return worlds
    .flatMap(({ calls, webhooks }) => [...calls, ...webhooks].map(({ name }) => name))
    .toSorted()
    .join('\n');
}
