import type { ScenarioDefinition } from '../client/scenario-definition.js';
import { didYouMean } from '../core/text/nearest.js';
import { endSentence } from '../core/text/text.js';
import { FAULTS, isCall, isWebhook, type OwnFault, type SweepFault } from './faults.js';
import type { FaultPoint } from './points.js';

export type FaultName = keyof typeof FAULTS;

const NAMES = Object.keys(FAULTS) as readonly FaultName[];

function toSweepFault(name: FaultName): SweepFault {
  return { name, ...FAULTS[name] };
}

const ALL: readonly SweepFault[] = NAMES.map(toSweepFault);

const DEFAULT_NAMES = ALL.filter(({ isOnRequest }) => !isOnRequest).map(({ name }) => name as FaultName);

/** The names of those that are not among the given ones. */
export function listOtherFaults(faults: readonly SweepFault[]): string[] {
  return NAMES.filter((known) => faults.every(({ name }) => name !== known));
}

/** The faults of a call that only a recovery makes: there, searches before a retry break. */
export const SECOND_FAULTS: readonly SweepFault[] = [toSweepFault('unavailable'), toSweepFault('lost')];

/**
 * The faults to inject. `hasCrashes` adds those that end the program, unless one of them is named. Throws a TypeError for an unknown
 * name, or for a fault that does nothing.
 */
export function resolveFaults(
  chosen: readonly (FaultName | OwnFault)[] = DEFAULT_NAMES,
  hasCrashes = false,
): readonly SweepFault[] {
  const faults = chosen.map((fault) =>
    typeof fault === 'string' ? requireFault(fault) : checkOwnFault(fault),
  );
  return hasCrashes && !faults.some(endsProgram) ? [...faults, ...ALL.filter(endsProgram)] : faults;
}

export function endsProgram({ crash }: SweepFault): boolean {
  return crash !== undefined;
}

function requireFault(name: string): SweepFault {
  const found = NAMES.find((known) => known === name);
  if (found !== undefined) return toSweepFault(found);
  const unknown = endSentence(`sweep: there is no fault ${JSON.stringify(name)}${didYouMean(name, NAMES)}`);
  throw new TypeError(`${unknown} Faults: ${NAMES.join(', ')}.`);
}

function checkOwnFault({ name, about, operations, then, policy }: OwnFault): SweepFault {
  if ((then === undefined) === (policy === undefined))
    throw new TypeError(
      `sweep: the fault ${JSON.stringify(name)} needs either then (for calls) or policy (for webhooks).`,
    );
  const isMeant = ({ operation }: FaultPoint): boolean =>
    operations?.some((own) => own === operation) ?? true;
  return {
    name,
    about: about ?? `The fault ${name} happened.`,
    then,
    policy,
    acts: (point) => (then === undefined ? isWebhook(point) : isCall(point) && isMeant(point)),
  };
}

/** A scenario with the effects of own faults, which must be valid in it. */
export function buildFaultScenario(faults: readonly OwnFault[]): ScenarioDefinition {
  const rules = faults.flatMap(({ name, operations, then }) =>
    then === undefined ? [] : [{ name, when: operations && { operation: operations }, then }],
  );
  const policies = faults.flatMap(({ name, policy }) =>
    policy === undefined ? [] : [{ name, then: policy }],
  );
  return { name: 'sweep', rules, webhooks: { policies } } as ScenarioDefinition;
}
