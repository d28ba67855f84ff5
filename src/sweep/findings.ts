import type { WorldOptions } from '../client/asked.js';
import type { ScenarioDefinition } from '../client/scenario-definition.js';
import { currencyExponent } from '../core/money.js';
import type { TrialResult } from './engine.js';
import type { Disagreement } from './judge.js';
import { describeRepeat, describeRisk, findCauseAdvice } from './causes.js';
import { locateCall } from './code-line.js';
import type { SweepFinding } from './public.js';
import { WEBHOOK_SECRET } from './run.js';
import { buildTimeline } from './timeline.js';
import { trialScenario, type Trial } from './trial.js';
import { isFinding, type Verdict } from './verdicts.js';

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
    'Void what you do not capture, also after an error. Until then the money of your customer is blocked.',
  'paid, but the test failed':
    'Look at what the test does after the fault: money was taken, and the test did not notice.',
  stuck: 'Give every call a time-out, and every repetition an end.',
};

/** Each cause at one point is one finding, even if several faults show it. The worst and the simplest come first. */
export async function groupFindings(
  results: readonly TrialResult[],
  accepted: readonly string[],
  yamlOf: (scenario: ScenarioDefinition) => Promise<string>,
  world: WorldOptions = {},
): Promise<SweepFinding[]> {
  const groups = new Map<string, TrialResult[]>();
  for (const result of results) {
    const name = findingName(result);
    if (name === null) continue;
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  const named = [...groups].map(([name, group]) => buildFinding(name, group, accepted.includes(name), world));
  return Promise.all(
    named.map(async (finding) => ({ ...finding, scenario: await yamlOf(finding.definition) })),
  );
}

/** The name of the finding that a run belongs to; null if nothing is wrong. */
export function findingName({ judgement: { verdict }, trial }: TrialResult): string | null {
  return isFinding(verdict) ? `${verdict} at ${formatPoints(trial)}` : null;
}

function buildFinding(
  name: string,
  group: readonly TrialResult[],
  isAccepted: boolean,
  { dialect, webhookSecret }: WorldOptions,
): Omit<SweepFinding, 'scenario'> {
  const [{ trial, judgement, run }] = group as [TrialResult];
  const { verdict, observed, disagreements } = judgement;
  const [wrong = NOTHING_WRONG, ...others] = disagreements;
  const { events, decisive } = buildTimeline(observed, trial, verdict);
  const { webhooks, ...definition } = trialScenario(trial, true);
  return {
    name,
    verdict,
    point: formatPoints(trial),
    faults: [...new Set(group.map((result) => result.trial.map(({ fault }) => fault.name).join(' then ')))],
    ...wrong,
    story: [
      ...trial.map(({ fault }) => fault.about),
      ...(observed.name === '' ? [] : [`In the world "${observed.name}":`]),
      describeDisagreement(verdict, wrong, run.failure),
      ...others.map((other) => `Also ${other.verdict}: ${other.reference ?? 'in total'}.`),
    ].join(' '),
    risk: describeRisk(verdict, trial),
    advice: findCauseAdvice(trial) ?? ADVICE[verdict] ?? '',
    timeline: events,
    source: locateCall(run.callSites ?? [], observed.entries, decisive),
    byHand: describeRepeat(trial),
    // Everything that a server needs for the same run, except what passes the time after the flow.
    definition: {
      ...definition,
      description: name,
      clock: 'manual',
      ...(dialect === undefined ? {} : { dialect }),
      webhooks: { ...(webhooks?.policies?.length ? webhooks : {}), secret: webhookSecret ?? WEBHOOK_SECRET },
    },
    isAccepted,
  };
}

/** A run that is stuck may have taken nothing. */
const NOTHING_WRONG: Omit<Disagreement, 'verdict'> = {
  reference: null,
  currency: '',
  ordered: null,
  taken: 0,
  believed: 'no order',
};

function formatPoints(trial: Trial): string {
  return trial.map(({ point }) => point.name).join(', then ');
}

/** An amount with its currency, such as `20.00 AUD` or `20 JPY`. */
function formatMoney(amount: number, currency: string): string {
  return `${amount.toFixed(currencyExponent(currency))} ${currency}`;
}

function describeDisagreement(
  verdict: Verdict,
  wrong: Omit<Disagreement, 'verdict'>,
  failure: string | null,
): string {
  const { reference, currency, ordered, taken, believed } = wrong;
  const order = reference ?? 'all orders together';
  const expected = ordered === null ? 'nothing' : formatMoney(ordered, currency);
  const took = `The service took ${formatMoney(taken, currency)} for ${order}`;
  // Messages of assertions go on for many lines.
  const thrown = failure === null ? '' : ` The program threw: ${failure.split('\n', 1).join()}`;
  switch (verdict) {
    case 'charged twice':
      return `${took}; ordered: ${expected}.`;
    case 'paid, not delivered':
      return `${took}, and the program believes: ${believed}.${thrown}`;
    case 'delivered, not paid':
      return `${took}, and the program believes that ${expected} is paid.`;
    case 'refunded too much':
      return `Only ${formatMoney(taken, currency)} is left for ${order}.`;
    case 'refunded too little':
      return `${formatMoney(taken, currency)} is left for ${order}, more than the program believes.`;
    case 'left open':
      return `An authorisation for ${order} was neither captured nor voided.${thrown}`;
    case 'stuck':
      return 'The run did not end in its time.';
    default:
      return `${took}.${thrown}`;
  }
}
