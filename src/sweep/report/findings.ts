import type { WorldOptions } from '../../client/asked.js';
import type { ScenarioDefinition } from '../../client/scenario-definition.js';
import type { TrialResult } from '../engine.js';
import { describeRepeat, describeRisk, findCauseAdvice } from './causes.js';
import { locateCall } from './code-line.js';
import { formatMoney } from '../expected.js';
import type { SweepFinding } from '../public.js';
import { WEBHOOK_SECRET } from '../run.js';
import { listRaceSteps } from './race-steps.js';
import { buildTimeline } from './timeline.js';
import { type Injection, THEN, trialScenario, type Trial } from '../trial.js';
import { type Disagreement, isFinding, rankOf, type Verdict } from '../verdicts.js';

/** Advice for each verdict. The guide has a section for each. */
export const ADVICE: Readonly<Partial<Record<Verdict, string>>> = {
  'charged twice':
    'Search for the Reference before you charge again: the service has no idempotency key, so a second call is a second charge.',
  'paid, not delivered':
    'No answer, or one that the service did not write, does not mean that nothing was charged. Search for the Reference, and let a job check open orders later.',
  'delivered, not paid':
    'Deliver only what the service says is paid: a charge with Status SUCCESS, in its own answer or in a webhook whose signature is right.',
  'refunded too much': 'Read the charge and its RefundedAmount before you refund again.',
  'refunded too little': 'A refund is done when the answer says so. Read the charge if none arrived.',
  'left open':
    "Void every authorisation you don't capture, even after an error; until then the customer's money stays on hold.",
  'created twice':
    'Look for the record before you create it again, by its Reference or its e-mail address, or remove the one too many.',
  'paid, but the test failed':
    'Perhaps the program lost track of the payment, perhaps the test only expected another message. --orders tells the two apart.',
  stuck: 'Give every call a time-out and every retry loop a limit.',
};

/** How many orders of a race a finding names. */
const ORDERS_SHOWN = 3;
/** Scenario files allow twice as much. */
const DESCRIPTION_MAX = 2000;

/** Each cause is one finding, even if several faults show it; the worst come first. The one with the fewest faults names it. */
export async function groupFindings(
  results: readonly TrialResult[],
  accepted: readonly string[],
  yamlOf: (scenario: ScenarioDefinition) => Promise<string>,
  world: WorldOptions = {},
): Promise<SweepFinding[]> {
  const groups = new Map<string, TrialResult[]>();
  for (const [result, name] of nameFindings(results)) groups.set(name, [...(groups.get(name) ?? []), result]);
  const named = [...groups]
    .map(([name, group]) => buildFinding(name, group, accepted.includes(name), world))
    .toSorted((a, b) => rankOf(a.verdict) - rankOf(b.verdict));
  return Promise.all(
    named.map(async (finding) => ({ ...finding, scenario: await yamlOf(finding.definition) })),
  );
}

/**
 * The runs with findings, and the name of the finding that each belongs to: those with the fewest faults first, then by their calls,
 * whose order may depend on chance.
 */
export function nameFindings(results: readonly TrialResult[]): ReadonlyMap<TrialResult, string> {
  const found = results.filter(({ judgement }) => isFinding(judgement.verdict));
  const names = new Map<TrialResult, string>();
  const placed = found.map((result) => ({ result, points: formatPoints(result.trial) }));
  placed.sort(
    (a, b) =>
      a.result.trial.length - b.result.trial.length ||
      (a.points < b.points ? -1 : Number(a.points > b.points)),
  );
  for (const { result, points } of placed) {
    const cause = [...names.keys()].find((simpler) => hasSameCause(simpler, result));
    names.set(result, (cause && names.get(cause)) ?? `${result.judgement.verdict} at ${points}`);
  }
  return names;
}

/**
 * Whether the money of two runs goes wrong for one reason: their last fault hits the same operation, for whichever order and in
 * whichever attempt, and leads to the same verdict, or else is the only one of the simpler run.
 */
function hasSameCause(simpler: TrialResult, { trial, judgement }: TrialResult): boolean {
  const [one, other] = [simpler.trial.at(-1), trial.at(-1)] as [Injection, Injection];
  if (one.point.operation !== other.point.operation) return false;
  const isOnly = simpler.trial.length < trial.length && one.fault.name === other.fault.name;
  return isOnly || simpler.judgement.verdict === judgement.verdict;
}

function buildFinding(
  name: string,
  group: readonly TrialResult[],
  isAccepted: boolean,
  { dialect, webhookSecret }: WorldOptions,
): Omit<SweepFinding, 'scenario'> {
  const [{ trial, judgement, run }] = group as [TrialResult];
  const { verdict, observed, disagreements } = judgement;
  const [{ isRefundUnknown = false, ...wrong } = NOTHING_WRONG, ...others] = disagreements;
  const simple = group.filter((result) => result.trial.length === trial.length);
  const alone = simple.map((result) => result.trial.at(-1)?.fault.name);
  const telling = group.filter(
    (one) => simple.includes(one) || !alone.includes(one.trial.at(-1)?.fault.name),
  );
  const [, ...places] = new Set(simple.map((result) => formatPoints(result.trial)));
  const { events, decisive } = buildTimeline(observed, trial, verdict);
  const isRace = trial.some(({ fault }) => fault.order !== undefined);
  const together = run.togethers?.find(({ name: point }) => isRace && point === trial[0]?.point.name);
  const race = together === undefined ? [] : listRaceSteps(observed, together);
  const late = race.flatMap(({ act, call, party }) => (act === 'perform' ? `${call}, ${party}` : []));
  const calls = events.map(({ point }) => point).join('; ');
  const { webhooks, ...definition } = trialScenario(trial, 'by hand');
  return {
    name,
    verdict,
    point: formatPoints(trial),
    faults: nameGroup(telling),
    ...wrong,
    story: [
      ...trial.map(({ fault }) => fault.about),
      ...(observed.name === '' ? [] : [`In the world "${observed.name}":`]),
      describeDisagreement(verdict, { ...wrong, isRefundUnknown }, run.failure),
      ...others.map((other) => `Also ${other.verdict}: ${other.reference ?? 'in total'}.`),
      ...(places.length === 0 ? [] : [`The same at ${places.join(' and at ')}.`]),
    ].join(' '),
    risk: describeRisk(verdict, trial, isRefundUnknown),
    advice: findCauseAdvice(verdict, trial, isRefundUnknown) ?? ADVICE[verdict] ?? '',
    timeline: events.map((event) =>
      event.note === null && late.includes(event.point) ? { ...event, note: 'answered later' } : event,
    ),
    source: locateCall(run.callSites ?? [], observed.entries, decisive),
    byHand: race.length > 0 ? null : describeRepeat(trial, observed.entries),
    race,
    // Everything that a server needs for the same run, except what passes the time after the flow.
    definition: {
      ...definition,
      description: isRace ? `${name}: ${calls}`.slice(0, DESCRIPTION_MAX) : name,
      clock: 'manual',
      ...(dialect === undefined ? {} : { dialect }),
      webhooks: { ...(webhooks?.policies?.length ? webhooks : {}), secret: webhookSecret ?? WEBHOOK_SECRET },
    },
    isAccepted,
  };
}

/** The faults that show a finding. Of the orders of a race, only the simplest. */
function nameGroup(group: readonly TrialResult[]): string[] {
  const names = [...new Set(group.map(({ trial }) => trial.map(({ fault }) => fault.name).join(' then ')))];
  const more = names.length - ORDERS_SHOWN;
  if (more <= 0 || group[0]?.trial[0]?.fault.order === undefined) return names;
  return [...names.slice(0, ORDERS_SHOWN), `${more} more orders`];
}

/** A run that is stuck, or whose test failed, may have taken nothing. */
const NOTHING_WRONG: Omit<Disagreement, 'verdict'> = {
  reference: null,
  currency: '',
  ordered: null,
  taken: 0,
  believed: 'no order',
};

function formatPoints(trial: Trial): string {
  return trial.map(({ point }) => point.name).join(THEN);
}

function describeDisagreement(
  verdict: Verdict,
  wrong: Omit<Disagreement, 'verdict'>,
  failure: string | null,
): string {
  const { reference, currency, ordered, taken, believed, created, isRefundUnknown } = wrong;
  const order = reference ?? 'all orders together';
  const expected = ordered === null ? 'nothing' : formatMoney(ordered, currency);
  const took = `The service took ${formatMoney(taken, currency)} for ${order}`;
  // Messages of assertions go on for many lines.
  const thrown = failure === null ? '' : ` The program failed: ${failure.split('\n', 1).join()}`;
  switch (verdict) {
    case 'charged twice':
      return `${took}; ordered: ${expected}.`;
    case 'paid, not delivered':
      return `${took}, and the program believes: ${believed}.${thrown}`;
    case 'delivered, not paid':
      if (isRefundUnknown)
        return `Only ${formatMoney(taken, currency)} is left for ${order}, less than the program believes.`;
      return `${took}, and the program believes that ${expected} is paid.`;
    case 'refunded too much':
      return `Only ${formatMoney(taken, currency)} is left for ${order}.`;
    case 'refunded too little':
      return `${formatMoney(taken, currency)} is left for ${order}, more than the program believes.`;
    case 'left open':
      return `An authorisation for ${order} was neither captured nor voided.${thrown}`;
    case 'created twice':
      return `There are ${created?.count} ${created?.what}, and ${created?.cleanCount} without a fault. The last one is of ${created?.call}.`;
    case 'stuck':
      return 'The run did not end.';
    default:
      return `${took}.${thrown}`;
  }
}
